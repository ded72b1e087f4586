// Recurrences that a gate of each step holds back, and their way back. The plain twin is `_plain`
// of gru.py.
//
//   r = sigmoid(p_r + U_r h + b_r), u = U h + b, c = tanh(p_c + r u), h' = h + m (c - h)
//
// m is the gate g, or g (1 - z) with z = sigmoid(p_z + U_z h + b_z). A row of the batch never meets
// another but in the gradients of the weights, so each thread takes some rows through all steps.
//
// The rows go in groups, and the groups in parts that each have a sum of their own: neither depends
// on the threads, and so the same inputs give the same bits however many there are.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "exponential.h"
#include "parallel.h"
#include "products.h"

namespace {

using std::int64_t;
using std::uint8_t;

// Mirrors `_Sizes` of gru.py, field by field.
struct Sizes {
  int64_t batch, steps, hidden;
  int64_t updated;    // whether there is z
  int64_t stride;     // from a step of `projected` to the next
  int64_t backwards;  // whether the last step comes first
  int64_t skipping;   // whether a gate of 0 needs no gradient, so that its step costs nothing
  int64_t threads;

  int64_t rows() const { return (updated ? 3 : 2) * hidden; }  // of the weights
  int64_t kept() const { return rows() + hidden; }             // r, z, c and u of a step
  int64_t first() const { return backwards ? steps - 1 : 0; }
  int64_t before(int64_t t) const { return backwards ? t + 1 : t - 1; }
  int64_t numbers() const { return rows() * hidden; }
  int64_t group() const {  // rows that go together: few parts of a small batch, to share it
    const int64_t eighth = (batch + 7) / 8;
    return std::min<int64_t>((eighth + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS, MOST);
  }
  int64_t groups() const { return (batch + group() - 1) / group(); }
  int64_t parts() const { return std::min<int64_t>(groups(), PARTS); }

  static constexpr int64_t MOST = 32, PARTS = 64;
};

constexpr int64_t BULK = 256;  // rows of the outer products that are summed at a time

template <typename T>
struct Inputs {
  const T* projected;
  const T* gates;  // null where all are 1
  const T *recurrent, *bias, *initial;
  const uint8_t* mask;    // null where no step is left out
  const int64_t* places;  // of each step among those that are projected; null where all are

  // Whether a step is left out: it has no place, or a gate of 0 that needs no gradient.
  bool passes(const Sizes& in, int64_t at) const {
    return place(at) < 0 || (mask && !mask[at]) || (in.skipping && gate(at) == 0);
  }
  int64_t place(int64_t at) const { return places ? places[at] : at; }
  T gate(int64_t at) const { return gates ? gates[at] : T(1); }
};

// What is computed, and what of it the way back needs. Any may be null but `last`.
template <typename T>
struct Found {
  T *states, *last, *kept;
};

template <typename T>
struct Gradients {
  const T *states, *last;  // these are given; either may be null
  T *projected, *gates, *recurrent, *bias, *initial;  // the first two may be null
};

// Ask for n numbers that the next step reads: those of a row are a story's length apart from the
// next row's, which no processor foresees. What is asked for beyond an end is not given.
template <typename T>
void expect(const T* from, int64_t n) {
  constexpr int64_t LINE = 64 / sizeof(T);
  for (int64_t d = 0; d < n; d += LINE) __builtin_prefetch(from + d);
}

// The rows of a group that a step moves.
struct Moving {
  std::vector<int64_t> rows;

  template <typename T>
  void find(const Sizes& in, const Inputs<T>& inputs, int64_t begin, int64_t count, int64_t t) {
    rows.clear();
    for (int64_t i = 0; i < count; ++i)
      if (!inputs.passes(in, (begin + i) * in.steps + t)) rows.push_back(i);
  }
  int64_t count() const { return rows.size(); }
};

// ---- There ----

template <typename T>
class Forward {
 public:
  Forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, const Packed<T>& matrix)
      : in(in), inputs(inputs), found(found), matrix(matrix), states(in.group() * in.hidden),
        together(states.size()), sums(in.group() * in.rows()), readable(in.rows()) {}

  // Take rows begin to end - 1 through all steps.
  void run(int64_t begin, int64_t end) {
    const int64_t count = end - begin, n = in.hidden;
    std::copy_n(inputs.initial + begin * n, count * n, states.data());
    for (int64_t s = 0; s < in.steps; ++s) {
      const int64_t t = in.backwards ? in.steps - 1 - s : s;
      moving.find(in, inputs, begin, count, t);
      const T* from = states.data();
      if (moving.count() < count) {
        for (int64_t i = 0; i < moving.count(); ++i)
          std::copy_n(&states[moving.rows[i] * n], n, &together[i * n]);
        from = together.data();
      }
      multiply(from, n, moving.count(), matrix, inputs.bias, 0, sums.data(), in.rows());
      for (int64_t i = 0; i < moving.count(); ++i)
        move((begin + moving.rows[i]) * in.steps + t, &sums[i * in.rows()],
             &states[moving.rows[i] * n]);
      if (!found.states) continue;
      for (int64_t i = 0; i < count; ++i)
        std::copy_n(&states[i * n], n, found.states + ((begin + i) * in.steps + t) * n);
    }
    std::copy_n(states.data(), count * n, found.last + begin * n);
  }

 private:
  const Sizes& in;
  const Inputs<T>& inputs;
  const Found<T>& found;
  const Packed<T>& matrix;
  Moving moving;
  std::vector<T> states, together, sums;  // of the rows of a group
  std::vector<T> readable;

  void move(int64_t at, const T* sum, T* h) {
    const int64_t place = inputs.place(at);
    const T *p = inputs.projected + place * in.stride, g = inputs.gate(at);
    expect(p + (in.backwards ? -in.stride : in.stride), in.rows());
    if (g == 0) p = without_nan(p);
    T* kept = found.kept ? found.kept + place * in.kept() : nullptr;
    if (in.updated)
      kept ? step<true, true>(p, g, sum, h, kept) : step<true, false>(p, g, sum, h, kept);
    else
      kept ? step<false, true>(p, g, sum, h, kept) : step<false, false>(p, g, sum, h, kept);
  }

  // A step that is left out tells its gate what it would have done, if that is a number.
  const T* without_nan(const T* p) {
    for (int64_t d = 0; d < in.rows(); ++d) readable[d] = std::isnan(p[d]) ? T(0) : p[d];
    return readable.data();
  }

  template <bool updated, bool keep>
  void step(const T* p, T g, const T* sum, T* h, T* kept) const {
    constexpr int C = updated ? 2 : 1;  // of the candidate
    const int64_t n = in.hidden;
#pragma omp simd
    for (int64_t d = 0; d < n; ++d) {
      const T r = sigmoid(p[d] + sum[d]), u = sum[C * n + d];
      const T c = saturating_tanh(p[C * n + d] + r * u);
      T share = g;
      if constexpr (updated) {
        const T z = sigmoid(p[n + d] + sum[n + d]);
        if constexpr (keep) kept[n + d] = z;
        share *= 1 - z;
      }
      if constexpr (keep) {
        kept[d] = r;
        kept[C * n + d] = c;
        kept[(C + 1) * n + d] = u;
      }
      h[d] += share * (c - h[d]);
    }
  }
};

// ---- Back ----

template <typename T>
class Backward {
 public:
  // The gradients of the weights are added to `recurrent` and `bias`.
  Backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
           const Gradients<T>& gradients, const Packed<T>& matrix, T* recurrent, T* bias)
      : in(in), inputs(inputs), found(found), gradients(gradients), matrix(matrix),
        recurrent(recurrent), bias(bias), carried(in.group() * in.hidden),
        together(carried.size()), inner((BULK + in.group()) * in.rows()), unread(in.rows()) {
    before.reserve(BULK + in.group());
  }

  void run(int64_t begin, int64_t end) {
    const int64_t count = end - begin, n = in.hidden;
    if (gradients.last)
      std::copy_n(gradients.last + begin * n, count * n, carried.data());
    else
      std::fill(carried.begin(), carried.end(), T(0));
    for (int64_t s = in.steps - 1; s >= 0; --s) {
      const int64_t t = in.backwards ? in.steps - 1 - s : s;
      if (gradients.states) collect(begin, count, t);
      moving.find(in, inputs, begin, count, t);
      if (moving.count() < count && !inputs.places) clear(begin, count, t);
      move(begin, count, t);
      if (int64_t(before.size()) >= BULK) add_weights();
    }
    add_weights();
    std::copy_n(carried.data(), count * n, gradients.initial + begin * n);
  }

 private:
  const Sizes& in;
  const Inputs<T>& inputs;
  const Found<T>& found;
  const Gradients<T>& gradients;
  const Packed<T>& matrix;
  T *recurrent, *bias;
  Moving moving;
  std::vector<T> carried, together;  // dL/dh of the rows of a group
  std::vector<T> inner;              // dL/d(U h + b) of some steps
  std::vector<const T*> before;      // the states that these had
  std::vector<T> unread;

  void collect(int64_t begin, int64_t count, int64_t t) {
    for (int64_t i = 0; i < count; ++i) {
      const T* outer = gradients.states + ((begin + i) * in.steps + t) * in.hidden;
      T* g = &carried[i * in.hidden];
      for (int64_t d = 0; d < in.hidden; ++d) g[d] += outer[d];
    }
  }

  void clear(int64_t begin, int64_t count, int64_t t) const {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = (begin + i) * in.steps + t;
      if (!inputs.passes(in, at)) continue;
      if (gradients.projected) std::fill_n(gradients.projected + at * in.rows(), in.rows(), T(0));
      if (gradients.gates) gradients.gates[at] = 0;
    }
  }

  // From dL/dh' of a step to dL/dh.
  void move(int64_t begin, int64_t count, int64_t t) {
    const int64_t n = in.hidden, moved = moving.count();
    const bool all = moved == count;
    T* to = all ? carried.data() : together.data();
    T* through = &inner[before.size() * in.rows()];
    for (int64_t i = 0; i < moved; ++i) {
      const int64_t row = begin + moving.rows[i], at = row * in.steps + t;
      const int64_t place = inputs.place(at);
      if (!all) std::copy_n(&carried[moving.rows[i] * n], n, to + i * n);
      before.push_back(t == in.first() ? inputs.initial + row * n
                                       : found.states + (row * in.steps + in.before(t)) * n);
      T* projected = gradients.projected ? gradients.projected + place * in.rows() : unread.data();
      const T *kept = found.kept + place * in.kept(), g = inputs.gate(at);
      expect(kept + (in.backwards ? in.kept() : -in.kept()), in.kept());
      expect(before.back() + (in.backwards ? n : -n), n);
      const T to_gate =
          in.updated ? step<true>(kept, g, before.back(), to + i * n, through + i * in.rows(), projected)
                     : step<false>(kept, g, before.back(), to + i * n, through + i * in.rows(), projected);
      if (gradients.gates) gradients.gates[at] = to_gate;
    }
    multiply(through, in.rows(), moved, matrix, to, n, to, n);
    if (all) return;
    for (int64_t i = 0; i < moved; ++i)
      std::copy_n(to + i * n, n, &carried[moving.rows[i] * n]);
  }

  // Leaves in `outer` what goes to h directly; returns dL/dg.
  template <bool updated>
  T step(const T* kept, T g, const T* h, T* outer, T* through, T* projected) const {
    constexpr int C = updated ? 2 : 1;
    const int64_t n = in.hidden;
    T to_gate = 0;
#pragma omp simd reduction(+ : to_gate)
    for (int64_t d = 0; d < n; ++d) {
      const T r = kept[d], c = kept[C * n + d], u = kept[(C + 1) * n + d];
      T moved = outer[d] * (c - h[d]), share = g;
      if constexpr (updated) {
        const T z = kept[n + d];
        const T to_z = -g * moved * z * (1 - z);
        through[n + d] = projected[n + d] = to_z;
        share *= 1 - z;
        moved *= 1 - z;
      }
      to_gate += moved;
      const T to_c = share * outer[d] * (1 - c * c);
      projected[C * n + d] = to_c;
      through[C * n + d] = to_c * r;
      through[d] = projected[d] = to_c * u * r * (1 - r);
      outer[d] *= 1 - share;
    }
    return to_gate;
  }

  // The gradients of the weights from the steps since it was called last.
  void add_weights() {
    const int64_t wide = in.rows();
    add_outer(
        before.size(), [&](int64_t r) { return &inner[r * wide]; },
        [&](int64_t r) { return before[r]; }, 0, wide, in.hidden, recurrent, in.hidden);
    for (size_t r = 0; r < before.size(); ++r)
      for (int64_t d = 0; d < wide; ++d) bias[d] += inner[r * wide + d];
    before.clear();
  }
};

// Call `work` with the begin and the end of each group of a part of them.
template <typename Work>
void each_group(const Sizes& in, int64_t part, const Work& work) {
  const int64_t first = in.groups() * part / in.parts(), end = in.groups() * (part + 1) / in.parts();
  for (int64_t i = first; i < end; ++i)
    work(i * in.group(), std::min((i + 1) * in.group(), in.batch));
}

template <typename T>
void forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found) {
  Packed<T> matrix(in.hidden, in.rows());
  matrix.pack(inputs.recurrent, 1, in.hidden);
  share(in.parts(), in.threads, [&](int64_t begin, int64_t end) {
    Forward<T> there(in, inputs, found, matrix);
    for (int64_t part = begin; part < end; ++part)
      each_group(in, part, [&](int64_t first, int64_t last) { there.run(first, last); });
  });
}

template <typename T>
void backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
              const Gradients<T>& gradients) {
  Packed<T> matrix(in.rows(), in.hidden);
  matrix.pack(inputs.recurrent, in.hidden, 1);
  const int64_t numbers = in.numbers(), all = numbers + in.rows();
  std::vector<T> sums(in.parts() * all);  // of the weights, and of the bias behind them
  share(in.parts(), in.threads, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* sum = &sums[part * all];
      Backward<T> back(in, inputs, found, gradients, matrix, sum, sum + numbers);
      each_group(in, part, [&](int64_t first, int64_t last) { back.run(first, last); });
    }
  });
  for (int64_t part = 1; part < in.parts(); ++part)
    for (int64_t i = 0; i < all; ++i) sums[i] += sums[part * all + i];
  std::copy_n(sums.data(), numbers, gradients.recurrent);
  std::copy_n(sums.data() + numbers, in.rows(), gradients.bias);
}

}  // namespace

extern "C" {

#define GRU(name, T)                                                                          \
  void gru_forward_##name(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found) {  \
    forward(*in, *inputs, *found);                                                            \
  }                                                                                           \
  void gru_backward_##name(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found,   \
                           const Gradients<T>* gradients) {                                   \
    backward(*in, *inputs, *found, *gradients);                                               \
  }

GRU(float, float)
GRU(double, double)

}  // extern "C"
