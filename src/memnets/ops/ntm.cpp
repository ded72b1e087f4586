// A memory that a network reads and writes at every step, over a whole window, and its way back.
// The plain twin is `ControlledMemory` (memories/external), with the parts of a Turing machine.
//
// A row of the batch never meets another but in the gradients of the weights, which come after: each
// thread takes some rows through all steps. A row's memory lies with its slots side by side, so that
// whatever is done to all slots is a loop over neighbours; as every step left it, it is kept for the
// way back.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "exponential.h"
#include "parallel.h"
#include "products.h"

namespace {

using std::int64_t;

// Mirrors `_Sizes` of ntm.py, field by field.
struct Sizes {
  int64_t batch, steps, hidden, slots, width, reads, writes, reach;
  int64_t write_first, lstm, key_tanh, add_tanh, keeps, threads;
  double clip;

  int64_t heads() const { return reads + writes; }
  int64_t moves() const { return 2 * reach + 1; }
  int64_t looking() const { return width + 3 + moves(); }  // what a head is told: k, beta, g, s, gamma
  int64_t writing() const { return looking() + 2 * width; }
  int64_t said() const { return reads * looking() + writes * writing(); }
  int64_t rows() const { return lstm ? 4 * hidden : hidden; }  // of the controller's weights
  int64_t output() const { return hidden + reads * width; }
  int64_t carried() const { return lstm ? output() : reads * width; }  // what a controller is fed
  int64_t skipped() const { return output() - carried(); }  // of an output: an h that is not fed
  int64_t memory() const { return slots * width; }
  int64_t told(int64_t head) const {  // where what a head is told begins
    return head < reads ? head * looking() : reads * looking() + (head - reads) * writing();
  }
  int64_t group() const {  // rows that go together: few parts of a small batch, to share it
    const int64_t eighth = (batch + 7) / 8;
    return std::min<int64_t>((eighth + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS, 32);
  }
  int64_t groups() const { return (batch + group() - 1) / group(); }

  // Of a frame, which is all that a step leaves behind.
  int64_t weights() const { return memory(); }
  int64_t content() const { return weights() + heads() * slots; }
  int64_t moved() const { return content() + heads() * slots; }
  int64_t cosine() const { return moved() + heads() * slots; }
  int64_t inverse() const { return cosine() + heads() * slots; }  // of the lengths of slots
  int64_t gates() const { return inverse() + 2 * slots; }
  int64_t cell() const { return gates() + (lstm ? rows() : 0); }
  int64_t spoken() const { return cell() + (lstm ? hidden : 0); }
  int64_t frame() const { return spoken() + said(); }
  int64_t frames() const { return keeps ? steps + 1 : 2; }
  int64_t at(int64_t t) const { return keeps ? t + 1 : (t + 1) % 2; }  // the start is at 0
};

template <typename T>
constexpr T SMALLEST_WEIGHT = T(1e-12);  // as in addressing.py
template <typename T>
constexpr T SMALLEST_NORM = T(1e-6);  // as in attention/scores.py

template <typename T>
struct Inputs {
  const T *given, *controller, *interface, *bias, *memory, *reading, *writing, *first, *cell;
};

template <typename T>
struct Found {
  T *output, *memory, *reading, *writing, *cell, *frames;
};

template <typename T>
struct Gradients {
  const T *output, *memory, *reading, *writing, *cell;  // these are given; any may be null
  T *given, *said, *to_memory, *to_reading, *to_writing, *to_first, *to_cell;
};

template <typename T>
inline T softplus(T x) {
  return std::max(x, T(0)) + std::log1p(clamped_exponential(-std::abs(x)));
}

template <typename T>
T inner(const T* a, const T* b, int64_t n) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// Turn numbers into shares: by e to some power of them.
template <typename T>
void softmax(const T* x, T by, int64_t n, T* to) {
  T most = x[0], sum = 0;
#pragma omp simd reduction(max : most)
  for (int64_t i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) {
    to[i] = clamped_exponential(by * (x[i] - most));
    sum += to[i];
  }
  const T share = 1 / sum;
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) to[i] *= share;
}

// dL/dx of w = softmax(x), from dL/dw.
template <typename T>
void through_softmax(const T* w, const T* outer, int64_t n, T* to) {
  const T mean = inner(w, outer, n);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) to[i] = w[i] * (outer[i] - mean);
}

// What a head is told, with its activations.
template <typename T>
struct Told {
  std::vector<T> key, moves, erase, add;
  T strength, gate, exponent, by_norm;
  T strength_by_said, exponent_by_said;  // dx/d of what was said

  explicit Told(const Sizes& in)
      : key(in.width), moves(in.moves()), erase(in.width), add(in.width) {}

  void hear(const Sizes& in, const T* said, bool writes) {
    const T clip = T(in.clip);
    const auto kept = [&](int64_t i) { return std::min(std::max(said[i], -clip), clip); };
    for (int64_t d = 0; d < in.width; ++d)
      key[d] = in.key_tanh ? saturating_tanh(kept(d)) : kept(d);
    by_norm = 1 / std::max(std::sqrt(inner(key.data(), key.data(), in.width)), SMALLEST_NORM<T>);
    strength = softplus(kept(in.width));
    strength_by_said = sigmoid(kept(in.width));
    gate = sigmoid(kept(in.width + 1));
    for (int64_t k = 0; k < in.moves(); ++k) moves[k] = kept(in.width + 2 + k);
    softmax(moves.data(), T(1), in.moves(), moves.data());
    exponent = 1 + softplus(kept(in.width + 2 + in.moves()));
    exponent_by_said = sigmoid(kept(in.width + 2 + in.moves()));
    for (int64_t d = 0; writes && d < in.width; ++d) {
      erase[d] = sigmoid(kept(in.looking() + d));
      const T a = kept(in.looking() + in.width + d);
      add[d] = in.add_tanh ? saturating_tanh(a) : a;
    }
  }
};

// What both ways work with: the heads of one row at a time.
template <typename T>
class Heads {
 public:
  Heads(const Sizes& in) : in(in), told(in.heads(), Told<T>(in)), ring(in.slots + 2 * in.reach) {}

 protected:
  const Sizes& in;
  std::vector<Told<T>> told;
  std::vector<T> ring;

  void hear(const T* said) {
    for (int64_t h = 0; h < in.heads(); ++h) told[h].hear(in, said + in.told(h), h >= in.reads);
  }
  T* slots_of(T* frame, int64_t field, int64_t head) const {
    return frame + field + head * in.slots;
  }
  const T* slots_of(const T* frame, int64_t field, int64_t head) const {
    return frame + field + head * in.slots;
  }
  void mix(const T* content, const T* before, T gate) {  // into the ring
    T* mixed = ring.data() + in.reach;
#pragma omp simd
    for (int64_t i = 0; i < in.slots; ++i) mixed[i] = gate * content[i] + (1 - gate) * before[i];
    for (int64_t k = 0; k < in.reach; ++k) {
      ring[in.reach - 1 - k] = mixed[in.slots - 1 - k % in.slots];
      ring[in.reach + in.slots + k] = mixed[k % in.slots];
    }
  }
  // What is left of a number of every slot when all heads but one have erased.
  void keep(const T* weights, int64_t d, int64_t but, T* kept) const {
    std::fill_n(kept, in.slots, T(1));
    for (int64_t h = 0; h < in.writes; ++h) {
      if (h == but) continue;
      const T *w = weights + h * in.slots, e = told[in.reads + h].erase[d];
#pragma omp simd
      for (int64_t i = 0; i < in.slots; ++i) kept[i] *= 1 - w[i] * e;
    }
  }
};

// ---- There ----

template <typename T>
class Forward : Heads<T> {
  using Heads<T>::in, Heads<T>::told, Heads<T>::ring, Heads<T>::slots_of;

 public:
  Forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, const Packed<T>& into,
          const Packed<T>& interface)
      : Heads<T>(in), inputs(inputs), found(found), into(into), interface(interface),
        sums(in.group() * in.rows()), logs(in.slots) {}

  // Take rows begin to end - 1 through all steps.
  void run(int64_t begin, int64_t end) {
    const int64_t count = end - begin, wide = in.output(), every = in.steps * wide;
    for (int64_t b = begin; b < end; ++b) start(b);
    for (int64_t t = 0; t < in.steps; ++t) {
      const T* before = t ? found.output + begin * every + (t - 1) * wide
                          : inputs.first + begin * wide;
      multiply(before + in.skipped(), t ? every : wide, count, into,
               inputs.given + (begin * in.steps + t) * in.rows(), in.steps * in.rows(),
               sums.data(), in.rows());
      for (int64_t b = begin; b < end; ++b) control(b, t, &sums[(b - begin) * in.rows()]);
      multiply(found.output + begin * every + t * wide, every, count, interface, inputs.bias, 0,
               frame(begin, in.at(t)) + in.spoken(), in.frames() * in.frame());
      for (int64_t b = begin; b < end; ++b) move(b, t);
    }
    for (int64_t b = begin; b < end; ++b) finish(b);
  }

 private:
  const Inputs<T>& inputs;
  const Found<T>& found;
  const Packed<T>&into, &interface;
  std::vector<T> sums, logs;

  T* frame(int64_t b, int64_t number) const {
    return found.frames + (b * in.frames() + number) * in.frame();
  }

  void start(int64_t b) {
    T* to = frame(b, 0);
    for (int64_t i = 0; i < in.slots; ++i)
      for (int64_t d = 0; d < in.width; ++d)
        to[d * in.slots + i] = inputs.memory[b * in.memory() + i * in.width + d];
    const int64_t read = in.reads * in.slots, written = in.writes * in.slots;
    std::copy_n(inputs.reading + b * read, read, to + in.weights());
    std::copy_n(inputs.writing + b * written, written, to + in.weights() + read);
    if (in.lstm) std::copy_n(inputs.cell + b * in.hidden, in.hidden, to + in.cell());
  }

  void finish(int64_t b) {
    const T* from = frame(b, in.at(in.steps - 1));
    for (int64_t i = 0; i < in.slots; ++i)
      for (int64_t d = 0; d < in.width; ++d)
        found.memory[b * in.memory() + i * in.width + d] = from[d * in.slots + i];
    const int64_t read = in.reads * in.slots, written = in.writes * in.slots;
    std::copy_n(from + in.weights(), read, found.reading + b * read);
    std::copy_n(from + in.weights() + read, written, found.writing + b * written);
    if (in.lstm) std::copy_n(from + in.cell(), in.hidden, found.cell + b * in.hidden);
  }

  // The controller's step: h goes into the output.
  void control(int64_t b, int64_t t, const T* sum) {
    T* h = found.output + (b * in.steps + t) * in.output();
    const int64_t n = in.hidden;
    if (!in.lstm) {
#pragma omp simd
      for (int64_t d = 0; d < n; ++d) h[d] = saturating_tanh(sum[d]);
      return;
    }
    const T* before = frame(b, in.at(t - 1)) + in.cell();
    T *cell = frame(b, in.at(t)) + in.cell(), *gates = frame(b, in.at(t)) + in.gates();
#pragma omp simd
    for (int64_t d = 0; d < n; ++d) {
      const T i = sigmoid(sum[d]), f = sigmoid(sum[n + d]), g = saturating_tanh(sum[2 * n + d]),
              o = sigmoid(sum[3 * n + d]), c = f * before[d] + i * g;
      gates[d] = i;
      gates[n + d] = f;
      gates[2 * n + d] = g;
      gates[3 * n + d] = o;
      cell[d] = c;
      h[d] = o * saturating_tanh(c);
    }
  }

  // The heads' step: what is read goes into the output.
  void move(int64_t b, int64_t t) {
    const T* before = frame(b, in.at(t - 1));
    T* after = frame(b, in.at(t));
    this->hear(after + in.spoken());
    if (in.write_first) {
      look(before, before, after, in.reads, in.heads());
      write(before, after);
    }
    look(in.write_first ? after : before, before, after, 0, in.reads);
    T* read = found.output + (b * in.steps + t) * in.output() + in.hidden;
    const T* memory = in.write_first ? after : before;
    for (int64_t h = 0; h < in.reads; ++h)
      for (int64_t d = 0; d < in.width; ++d)
        read[h * in.width + d] =
            inner(slots_of(after, in.weights(), h), memory + d * in.slots, in.slots);
    if (!in.write_first) {
      look(before, before, after, in.reads, in.heads());
      write(before, after);
    }
  }

  // Some heads address a memory: content, interpolation, shift, sharpening.
  void look(const T* memory, const T* before, T* after, int64_t first, int64_t last) {
    T* inverse = after + in.inverse() + (first ? in.slots : 0);
    std::fill_n(inverse, in.slots, T(0));
    for (int64_t d = 0; d < in.width; ++d) {
      const T* m = memory + d * in.slots;
#pragma omp simd
      for (int64_t i = 0; i < in.slots; ++i) inverse[i] += m[i] * m[i];
    }
#pragma omp simd
    for (int64_t i = 0; i < in.slots; ++i) {
      const T norm = std::sqrt(inverse[i]);
      inverse[i] = 1 / (norm > SMALLEST_NORM<T> ? norm : SMALLEST_NORM<T>);
    }
    for (int64_t h = first; h < last; ++h) {
      const Told<T>& head = told[h];
      T *cosine = slots_of(after, in.cosine(), h), *content = slots_of(after, in.content(), h),
        *moved = slots_of(after, in.moved(), h);
      std::fill_n(cosine, in.slots, T(0));
      for (int64_t d = 0; d < in.width; ++d) {
        const T *m = memory + d * in.slots, k = head.key[d] * head.by_norm;
#pragma omp simd
        for (int64_t i = 0; i < in.slots; ++i) cosine[i] += k * m[i];
      }
#pragma omp simd
      for (int64_t i = 0; i < in.slots; ++i) cosine[i] *= inverse[i];
      softmax(cosine, head.strength, in.slots, content);
      this->mix(content, slots_of(before, in.weights(), h), head.gate);
      std::fill_n(moved, in.slots, T(0));
      for (int64_t k = 0; k < in.moves(); ++k) {
        const T *from = ring.data() + 2 * in.reach - k, share = head.moves[k];
#pragma omp simd
        for (int64_t i = 0; i < in.slots; ++i) moved[i] += share * from[i];
      }
#pragma omp simd
      for (int64_t i = 0; i < in.slots; ++i) {
        const T share = moved[i] < SMALLEST_WEIGHT<T> ? SMALLEST_WEIGHT<T> : moved[i];
        logs[i] = logarithm(share);
      }
      softmax(logs.data(), head.exponent, in.slots, slots_of(after, in.weights(), h));
    }
  }

  void write(const T* before, T* after) {
    const T* weights = slots_of(after, in.weights(), in.reads);
    for (int64_t d = 0; d < in.width; ++d) {
      const T* old = before + d * in.slots;
      T* to = after + d * in.slots;
      this->keep(weights, d, -1, to);
#pragma omp simd
      for (int64_t i = 0; i < in.slots; ++i) to[i] *= old[i];
      for (int64_t h = 0; h < in.writes; ++h) {
        const T *w = weights + h * in.slots, a = told[in.reads + h].add[d];
#pragma omp simd
        for (int64_t i = 0; i < in.slots; ++i) to[i] += w[i] * a;
      }
    }
  }
};

// ---- Back ----

template <typename T>
class Backward : Heads<T> {
  using Heads<T>::in, Heads<T>::told, Heads<T>::ring, Heads<T>::slots_of;

 public:
  Backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
           const Gradients<T>& gradients, const Packed<T>& into, const Packed<T>& interface)
      : Heads<T>(in), inputs(inputs), found(found), gradients(gradients), into(into),
        interface(interface), memory(in.group() * in.memory()),
        weights(in.group() * in.heads() * in.slots), output(in.group() * in.output()),
        cell(in.group() * in.hidden), inner_of(in.slots), outer_of(in.slots), kept(in.slots),
        mixed(in.slots + 2 * in.reach), key(in.width) {}

  void run(int64_t begin, int64_t end) {
    const int64_t count = end - begin, wide = in.output();
    for (int64_t b = begin; b < end; ++b) start(b, b - begin);
    for (int64_t t = in.steps - 1; t >= 0; --t) {
      for (int64_t b = begin; b < end; ++b) move(b, b - begin, t);
      multiply(gradients.said + (begin * in.steps + t) * in.said(), in.steps * in.said(), count,
               interface, output.data(), wide, output.data(), wide);
      for (int64_t b = begin; b < end; ++b) control(b, b - begin, t);
      for (int64_t i = 0; i < count; ++i) std::fill_n(&output[i * wide], wide, T(0));
      T* to = output.data() + in.skipped();
      multiply(gradients.given + (begin * in.steps + t) * in.rows(), in.steps * in.rows(), count,
               into, to, wide, to, wide);
    }
    for (int64_t b = begin; b < end; ++b) finish(b, b - begin);
  }

 private:
  const Inputs<T>& inputs;
  const Found<T>& found;
  const Gradients<T>& gradients;
  const Packed<T>&into, &interface;
  std::vector<T> memory, weights, output, cell;  // dL/d of what the rows of a group carry
  std::vector<T> inner_of, outer_of, kept, mixed, key;

  const T* frame(int64_t b, int64_t number) const {
    return found.frames + (b * in.frames() + number) * in.frame();
  }

  void start(int64_t b, int64_t row) {
    T *to = &memory[row * in.memory()], *of = &weights[row * in.heads() * in.slots];
    for (int64_t i = 0; i < in.slots; ++i)
      for (int64_t d = 0; d < in.width; ++d)
        to[d * in.slots + i] =
            gradients.memory ? gradients.memory[b * in.memory() + i * in.width + d] : T(0);
    const int64_t read = in.reads * in.slots, written = in.writes * in.slots;
    copy_or_clear(gradients.reading, b, read, of);
    copy_or_clear(gradients.writing, b, written, of + read);
    copy_or_clear(gradients.cell, b, in.hidden, &cell[row * in.hidden]);
    std::fill_n(&output[row * in.output()], in.output(), T(0));
  }

  static void copy_or_clear(const T* from, int64_t b, int64_t n, T* to) {
    if (from)
      std::copy_n(from + b * n, n, to);
    else
      std::fill_n(to, n, T(0));
  }

  void finish(int64_t b, int64_t row) {
    const T *from = &memory[row * in.memory()], *of = &weights[row * in.heads() * in.slots];
    for (int64_t i = 0; i < in.slots; ++i)
      for (int64_t d = 0; d < in.width; ++d)
        gradients.to_memory[b * in.memory() + i * in.width + d] = from[d * in.slots + i];
    const int64_t read = in.reads * in.slots, written = in.writes * in.slots;
    std::copy_n(of, read, gradients.to_reading + b * read);
    std::copy_n(of + read, written, gradients.to_writing + b * written);
    std::copy_n(&output[row * in.output()], in.output(), gradients.to_first + b * in.output());
    if (in.lstm)
      std::copy_n(&cell[row * in.hidden], in.hidden, gradients.to_cell + b * in.hidden);
  }

  // From dL/d(h, r) to dL/d of the controller's sums.
  void control(int64_t b, int64_t row, int64_t t) {
    const T *outer = &output[row * in.output()], *h = found.output + (b * in.steps + t) * in.output();
    T* to = gradients.given + (b * in.steps + t) * in.rows();
    const int64_t n = in.hidden;
    if (!in.lstm) {
#pragma omp simd
      for (int64_t d = 0; d < n; ++d) to[d] = outer[d] * (1 - h[d] * h[d]);
      return;
    }
    const T *gates = frame(b, t + 1) + in.gates(), *now = frame(b, t + 1) + in.cell(),
            *before = frame(b, t) + in.cell();
    T* carried = &cell[row * n];
#pragma omp simd
    for (int64_t d = 0; d < n; ++d) {
      const T i = gates[d], f = gates[n + d], g = gates[2 * n + d], o = gates[3 * n + d];
      const T said = saturating_tanh(now[d]);
      const T to_cell = carried[d] + outer[d] * o * (1 - said * said);
      to[d] = to_cell * g * i * (1 - i);
      to[n + d] = to_cell * before[d] * f * (1 - f);
      to[2 * n + d] = to_cell * i * (1 - g * g);
      to[3 * n + d] = outer[d] * said * o * (1 - o);
      carried[d] = to_cell * f;
    }
  }

  // From dL/d of what a step leaves to dL/d of what it found, and of what the heads were told.
  void move(int64_t b, int64_t row, int64_t t) {
    const T *before = frame(b, t), *after = frame(b, t + 1);
    T *to_memory = &memory[row * in.memory()], *outer = &output[row * in.output()];
    T* said = gradients.said + (b * in.steps + t) * in.said();
    if (gradients.output) {
      const T* given = gradients.output + (b * in.steps + t) * in.output();
      for (int64_t d = 0; d < in.output(); ++d) outer[d] += given[d];
    }
    this->hear(after + in.spoken());
    if (!in.write_first) written(before, after, row, said);
    const T* read_from = in.write_first ? after : before;
    for (int64_t h = 0; h < in.reads; ++h) {
      T* of = &weights[(row * in.heads() + h) * in.slots];
      const T* w = slots_of(after, in.weights(), h);
      for (int64_t d = 0; d < in.width; ++d) {
        const T *m = read_from + d * in.slots, r = outer[in.hidden + h * in.width + d];
        T* to = to_memory + d * in.slots;
#pragma omp simd
        for (int64_t i = 0; i < in.slots; ++i) {
          of[i] += m[i] * r;
          to[i] += w[i] * r;
        }
      }
      looked(read_from, before, after, h, of, to_memory, said + in.told(h));
    }
    if (in.write_first) written(before, after, row, said);
    const T *raw = after + in.spoken(), clip = T(in.clip);
#pragma omp simd
    for (int64_t i = 0; i < in.said(); ++i)
      said[i] = raw[i] >= -clip && raw[i] <= clip ? said[i] : T(0);
  }

  // Back through what all write heads wrote, and through where they stood.
  void written(const T* before, const T* after, int64_t row, T* said) {
    const T* stood = slots_of(after, in.weights(), in.reads);
    T* to_memory = &memory[row * in.memory()];
    T* of = &weights[(row * in.heads() + in.reads) * in.slots];
    for (int64_t d = 0; d < in.width; ++d) {
      const T* old = before + d * in.slots;
      T* to = to_memory + d * in.slots;
      for (int64_t h = 0; h < in.writes; ++h) {
        const Told<T>& head = told[in.reads + h];
        const T *w = stood + h * in.slots, e = head.erase[d], a = head.add[d];
        T *own = of + h * in.slots, to_erase = 0, to_add = 0;
        this->keep(stood, d, h, kept.data());
#pragma omp simd reduction(+ : to_erase, to_add)
        for (int64_t i = 0; i < in.slots; ++i) {
          const T gone = to[i] * old[i] * kept[i];
          own[i] += to[i] * a - gone * e;
          to_erase -= gone * w[i];
          to_add += to[i] * w[i];
        }
        T* told_to = said + in.told(in.reads + h) + in.looking();
        told_to[d] = to_erase * e * (1 - e);
        told_to[in.width + d] = in.add_tanh ? to_add * (1 - a * a) : to_add;
      }
      this->keep(stood, d, -1, kept.data());
#pragma omp simd
      for (int64_t i = 0; i < in.slots; ++i) to[i] *= kept[i];
    }
    for (int64_t h = in.reads; h < in.heads(); ++h)
      looked(before, before, after, h, of + (h - in.reads) * in.slots, to_memory,
             said + in.told(h));
  }

  // Back through the addressing of a head: `of` goes from dL/dw to dL/d of its w a step before.
  void looked(const T* addressed, const T* before, const T* after, int64_t h, T* of, T* to_memory,
              T* said) {
    const Told<T>& head = told[h];
    const int64_t n = in.slots, reach = in.reach;
    const T *w = slots_of(after, in.weights(), h), *moved = slots_of(after, in.moved(), h),
            *content = slots_of(after, in.content(), h), *cosine = slots_of(after, in.cosine(), h),
            *stood = slots_of(before, in.weights(), h),
            *inverse = after + in.inverse() + (h < in.reads ? 0 : n);
    // Sharpening: a softmax of gamma log w~.
    T *to_log = inner_of.data(), *to_moved = mixed.data() + reach, to_exponent = 0;
    through_softmax(w, of, n, to_log);
    const T exponent = head.exponent;
#pragma omp simd reduction(+ : to_exponent)
    for (int64_t i = 0; i < n; ++i) {
      const bool counted = moved[i] >= SMALLEST_WEIGHT<T>;
      const T share = counted ? moved[i] : SMALLEST_WEIGHT<T>;
      to_exponent += to_log[i] * logarithm(share);
      to_moved[i] = counted ? exponent * to_log[i] / share : T(0);
    }
    // Shift.
    this->mix(content, stood, head.gate);
    T* to_moves = said + in.width + 2;
    for (int64_t k = 0; k < in.moves(); ++k)
      to_moves[k] = inner(to_moved, ring.data() + 2 * reach - k, n);
    for (int64_t k = 0; k < reach; ++k) {
      mixed[reach - 1 - k] = to_moved[n - 1 - k % n];
      mixed[reach + n + k] = to_moved[k % n];
    }
    T *to_mixed = inner_of.data(), to_gate = 0;
    std::fill_n(to_mixed, n, T(0));
    for (int64_t k = 0; k < in.moves(); ++k) {
      const T *from = mixed.data() + k, share = head.moves[k];
#pragma omp simd
      for (int64_t i = 0; i < n; ++i) to_mixed[i] += share * from[i];
    }
    // Interpolation, and the softmax of the content.
    const T gate = head.gate;
    T* to_content = outer_of.data();
#pragma omp simd reduction(+ : to_gate)
    for (int64_t i = 0; i < n; ++i) {
      to_gate += to_mixed[i] * (content[i] - stood[i]);
      to_content[i] = gate * to_mixed[i];
      of[i] = (1 - gate) * to_mixed[i];
    }
    through_softmax(content, to_content, n, to_content);
    const T to_strength = inner(to_content, cosine, n);
    through_cosine(addressed, head, to_content, cosine, inverse, to_memory, said);
    // What the head was told.
    said[in.width] = to_strength * head.strength_by_said;
    said[in.width + 1] = to_gate * gate * (1 - gate);
    through_softmax(head.moves.data(), to_moves, in.moves(), to_moves);
    said[in.width + 2 + in.moves()] = to_exponent * head.exponent_by_said;
  }

  // From dL/d of strength x cosine to the key and to the memory.
  void through_cosine(const T* addressed, const Told<T>& head, const T* outer, const T* cosine,
                      const T* inverse, T* to_memory, T* said) {
    const int64_t n = in.slots;
    T *scaled = kept.data(), *along = inner_of.data(), total = 0;
    const T strength = head.strength, longest = 1 / SMALLEST_NORM<T>;
#pragma omp simd reduction(+ : total)
    for (int64_t i = 0; i < n; ++i) {
      const T to_cosine = strength * outer[i];
      scaled[i] = to_cosine * inverse[i];
      total += to_cosine * cosine[i];
      along[i] = inverse[i] < longest ? to_cosine * cosine[i] * inverse[i] * inverse[i] : T(0);
    }
    const bool measured = head.by_norm < longest;
    for (int64_t d = 0; d < in.width; ++d) {
      const T *m = addressed + d * n, k = head.key[d] * head.by_norm;
      T *to = to_memory + d * n, sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < n; ++i) {
        sum += scaled[i] * m[i];
        to[i] += scaled[i] * k - along[i] * m[i];
      }
      const T to_key = head.by_norm * (measured ? sum - total * k : sum);
      said[d] = in.key_tanh ? to_key * (1 - head.key[d] * head.key[d]) : to_key;
    }
  }
};

template <typename T>
void forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found) {
  Packed<T> into(in.carried(), in.rows()), interface(in.hidden, in.said());
  into.pack(inputs.controller, 1, in.carried());
  interface.pack(inputs.interface, 1, in.hidden);
  share(in.groups(), in.threads, [&](int64_t begin, int64_t end) {
    Forward<T> there(in, inputs, found, into, interface);
    for (int64_t i = begin; i < end; ++i)
      there.run(i * in.group(), std::min((i + 1) * in.group(), in.batch));
  });
}

template <typename T>
void backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
              const Gradients<T>& gradients) {
  Packed<T> into(in.rows(), in.carried()), interface(in.said(), in.hidden);
  into.pack(inputs.controller, in.carried(), 1);
  interface.pack(inputs.interface, in.hidden, 1);
  share(in.groups(), in.threads, [&](int64_t begin, int64_t end) {
    Backward<T> back(in, inputs, found, gradients, into, interface);
    for (int64_t i = begin; i < end; ++i)
      back.run(i * in.group(), std::min((i + 1) * in.group(), in.batch));
  });
}

}  // namespace

extern "C" {

#define NTM(name, T)                                                                          \
  void ntm_forward_##name(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found) {  \
    forward(*in, *inputs, *found);                                                            \
  }                                                                                           \
  void ntm_backward_##name(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found,   \
                           const Gradients<T>* gradients) {                                   \
    backward(*in, *inputs, *found, *gradients);                                               \
  }

NTM(float, float)
NTM(double, double)

}  // extern "C"
