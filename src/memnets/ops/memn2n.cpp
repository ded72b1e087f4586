// MemN2N between the tables and the last state: reading of sentences and stories, and the hops.
// The plain twin is models/memn2n.py (`remember` and `answer`); letters are those of the paper.
//
// Everything runs in the order written here, on one thread: the same inputs give the same bits,
// and empty slots, nil words and spare capacity are skipped, so that they cannot change any.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using std::int64_t;

// Mirrors `_Inputs` of memn2n.py, field by field.
struct Inputs {
  const int64_t *sentences, *story, *time, *question;
  const int64_t *key_tables, *value_tables;  // one a hop
  int64_t batch, slots, kept, sentence_count, words, question_words;
  int64_t vocab, memory, tables, memory_tables, question_table, dim, places, hops;
  int64_t softmax;  // 0: the scores are the weights
  int64_t room;     // slots that a softmax runs over, filled or empty; 0: the filled ones
  int64_t relu;

  int64_t row() const { return tables * dim; }           // of a word, in all tables
  int64_t width() const { return memory_tables * dim; }  // of an entry, in those of the memory
  int64_t keys(int64_t hop) const { return key_tables[hop] * dim; }  // where they begin in it
  int64_t values(int64_t hop) const { return value_tables[hop] * dim; }
};

template <typename T>
T dot(const T* x, const T* y, int64_t n) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// y += a x
template <typename T>
void add(T* __restrict y, T a, const T* __restrict x, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] += a * x[i];
}

// y += l x, element by element
template <typename T>
void add_weighted(T* __restrict y, const T* __restrict l, const T* __restrict x, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] += l[i] * x[i];
}

// A slot that is not empty: its place in the story, and the entries that add up to it. An entry is
// a sentence, or behind them a time word; without time words there is only the one.
struct Slot {
  int64_t place, sentence, time;
};

std::vector<Slot> filled_slots(const Inputs& in, int64_t row) {
  std::vector<Slot> slots;
  slots.reserve(in.kept);
  for (int64_t at = row * in.slots, place = 0; place < in.kept; ++at, ++place)
    if (const int64_t time = in.time[at]; time > 0)
      slots.push_back({place, in.story[at], in.sentence_count + time - 1});
  return slots;
}

// m_i and c_i of one story, in all tables: the sums of the entries.
template <typename T>
void lay_out(const Inputs& in, const std::vector<Slot>& slots, const T* entries, T* memory) {
  const int64_t width = in.width();
  for (const Slot& slot : slots) {
    std::copy_n(entries + slot.sentence * width, width, memory);
    if (in.memory) add(memory, T(1), entries + slot.time * width, width);
    memory += width;
  }
}

// The way back: the gradient of a slot is that of each of its entries.
template <typename T>
void lay_out_backward(const Inputs& in, const std::vector<Slot>& slots, const T* grad_memory,
                      T* grad_entries) {
  const int64_t width = in.width();
  for (const Slot& slot : slots) {
    add(grad_entries + slot.sentence * width, T(1), grad_memory, width);
    if (in.memory) add(grad_entries + slot.time * width, T(1), grad_memory, width);
    grad_memory += width;
  }
}

// Whether every number names a word, a sentence or a time that there is.
bool all_known(const Inputs& in) {
  const auto unknown = [&](int64_t word) { return word < 0 || word >= in.vocab + in.memory; };
  if (std::any_of(in.sentences, in.sentences + in.sentence_count * in.words, unknown) ||
      std::any_of(in.question, in.question + in.batch * in.question_words, unknown))
    return false;
  for (int64_t at = 0; at < in.batch * in.slots; ++at) {
    if (in.time[at] <= 0) continue;
    if (in.story[at] < 0 || in.story[at] >= in.sentence_count) return false;
    if (in.memory && in.time[at] > in.memory) return false;
  }
  return true;
}

// l_j for all the tables of the memory, side by side as an entry is.
template <typename T>
std::vector<T> widened(const Inputs& in, const T* places) {
  std::vector<T> wide;
  wide.reserve(in.places * in.width());
  for (int64_t j = 0; j < in.places; ++j)
    for (int64_t table = 0; table < in.memory_tables; ++table)
      wide.insert(wide.end(), places + j * in.dim, places + (j + 1) * in.dim);
  return wide;
}

// The entries: sum_j l_j E[x_ij] of each sentence, l_J T(i) of each time, in all tables.
template <typename T>
void encode(const Inputs& in, const T* tables, const T* places, T* entries) {
  const int64_t width = in.width();
  const std::vector<T> l = widened(in, places);
  std::fill_n(entries, (in.sentence_count + in.memory) * width, T(0));
  for (int64_t i = 0; i < in.sentence_count; ++i)
    for (int64_t j = 0; j < in.words; ++j)
      if (const int64_t word = in.sentences[i * in.words + j])
        add_weighted(entries + i * width, &l[j * width], tables + word * in.row(), width);
  for (int64_t time = 0; time < in.memory; ++time)
    add_weighted(entries + (in.sentence_count + time) * width, &l[(in.places - 1) * width],
                 tables + (in.vocab + time) * in.row(), width);
}

template <typename T>
void encode_backward(const Inputs& in, const T* places, const T* grad_entries, T* grad_tables) {
  const int64_t width = in.width();
  const std::vector<T> l = widened(in, places);
  for (int64_t i = 0; i < in.sentence_count; ++i)
    for (int64_t j = 0; j < in.words; ++j)
      if (const int64_t word = in.sentences[i * in.words + j])
        add_weighted(grad_tables + word * in.row(), &l[j * width], grad_entries + i * width, width);
  for (int64_t time = 0; time < in.memory; ++time)
    add_weighted(grad_tables + (in.vocab + time) * in.row(), &l[(in.places - 1) * width],
                 grad_entries + (in.sentence_count + time) * width, width);
}

// Turn the scores of the n filled slots into weights.
template <typename T>
void align(const Inputs& in, T* weights, int64_t n) {
  if (!in.softmax || n == 0) return;
  const int64_t empty = std::max<int64_t>(in.room - n, 0);
  T most = empty ? T(0) : weights[0];  // an empty slot scores zero
  for (int64_t i = 0; i < n; ++i) most = std::max(most, weights[i]);
  T sum = empty ? T(empty) * std::exp(-most) : T(0);
  for (int64_t i = 0; i < n; ++i) sum += weights[i] = std::exp(weights[i] - most);
  for (int64_t i = 0; i < n; ++i) weights[i] /= sum;
}

// From dL/dp to dL/de, in place. What a softmax gives to empty slots has no gradient of its own.
template <typename T>
void align_backward(const Inputs& in, T* gradient, const T* weights, int64_t n) {
  if (!in.softmax) return;
  const T mean = dot(gradient, weights, n);
  for (int64_t i = 0; i < n; ++i) gradient[i] = weights[i] * (gradient[i] - mean);
}

// u^1 = sum_j l_j B[q_j] of one question.
template <typename T>
void read_question(const Inputs& in, int64_t row, const T* tables, const T* places, T* state) {
  for (int64_t j = 0; j < in.question_words; ++j)
    if (const int64_t word = in.question[row * in.question_words + j])
      add_weighted(state, places + j * in.dim,
                   tables + word * in.row() + in.question_table * in.dim, in.dim);
}

template <typename T>
void read_question_backward(const Inputs& in, int64_t row, const T* places,
                            const T* grad_state, T* grad_tables) {
  for (int64_t j = 0; j < in.question_words; ++j)
    if (const int64_t word = in.question[row * in.question_words + j])
      add_weighted(grad_tables + word * in.row() + in.question_table * in.dim, places + j * in.dim,
                   grad_state, in.dim);
}

// All outputs come as zeros but `entries`. States are u^1 to u^{K+1}.
template <typename T>
void forward(const Inputs& in, const T* tables, const T* carry, const T* places, T* entries,
             T* states, T* weights, T* values) {
  const int64_t dim = in.dim, width = in.width();
  encode(in, tables, places, entries);
  std::vector<T> memory(in.kept * width), p(in.kept);
  for (int64_t b = 0; b < in.batch; ++b) {
    read_question(in, b, tables, places, states + b * dim);
    const std::vector<Slot> slots = filled_slots(in, b);
    const int64_t n = slots.size();
    lay_out(in, slots, entries, memory.data());
    for (int64_t hop = 0; hop < in.hops; ++hop) {
      const int64_t here = hop * in.batch + b;
      const T *u = states + here * dim, *m = memory.data() + in.keys(hop);
      const T* c = memory.data() + in.values(hop);
      T *next = states + (here + in.batch) * dim, *o = values + here * dim;
      for (int64_t i = 0; i < n; ++i) p[i] = dot(u, m + i * width, dim);
      align(in, p.data(), n);
      for (int64_t i = 0; i < n; ++i) {
        weights[here * in.kept + slots[i].place] = p[i];
        add(o, p[i], c + i * width, dim);
      }
      for (int64_t k = 0; k < dim; ++k) {
        next[k] = (carry ? dot(carry + k * dim, u, dim) : u[k]) + o[k];
        if (in.relu && next[k] <= 0) next[k] = 0;  // so written, NaN stays
      }
    }
  }
}

// Add the gradients of the tables and of H to what is there. `grad_state` holds dL/du^{K+1} and
// is overwritten; `grad_entries` comes as zeros. Gradients of weights or values that nobody asked
// for are null.
template <typename T>
void backward(const Inputs& in, const T* carry, const T* places, const T* entries,
              const T* states, const T* weights, const T* grad_weights, const T* grad_values,
              T* grad_state, T* grad_entries, T* grad_tables, T* grad_carry) {
  const int64_t dim = in.dim, width = in.width();
  std::vector<T> memory(in.kept * width), grad_memory, p(in.kept), e(in.kept), o(dim), sum(dim);
  for (int64_t b = 0; b < in.batch; ++b) {
    const std::vector<Slot> slots = filled_slots(in, b);
    const int64_t n = slots.size();
    lay_out(in, slots, entries, memory.data());
    grad_memory.assign(n * width, T(0));
    T* g = grad_state + b * dim;  // dL/du, from the last hop to the first
    for (int64_t hop = in.hops - 1; hop >= 0; --hop) {
      const int64_t here = hop * in.batch + b, keys = in.keys(hop), values = in.values(hop);
      const T *u = states + here * dim, *next = states + (here + in.batch) * dim;
      for (int64_t k = 0; k < dim; ++k) {
        if (in.relu && next[k] <= 0) g[k] = 0;
        o[k] = g[k] + (grad_values ? grad_values[here * dim + k] : T(0));
      }
      if (carry) {
        std::copy_n(g, dim, sum.data());
        std::fill_n(g, dim, T(0));
        for (int64_t k = 0; k < dim; ++k) {
          add(g, sum[k], carry + k * dim, dim);
          add(grad_carry + k * dim, sum[k], u, dim);
        }
      }
      for (int64_t i = 0; i < n; ++i) {
        const int64_t at = here * in.kept + slots[i].place;
        p[i] = weights[at];
        e[i] = dot(o.data(), memory.data() + i * width + values, dim);
        if (grad_weights) e[i] += grad_weights[at];
        add(grad_memory.data() + i * width + values, p[i], o.data(), dim);
      }
      align_backward(in, e.data(), p.data(), n);
      for (int64_t i = 0; i < n; ++i) {
        add(g, e[i], memory.data() + i * width + keys, dim);
        add(grad_memory.data() + i * width + keys, e[i], u, dim);
      }
    }
    lay_out_backward(in, slots, grad_memory.data(), grad_entries);
    read_question_backward(in, b, places, g, grad_tables);
  }
  encode_backward(in, places, grad_entries, grad_tables);
}

}  // namespace

extern "C" {

// Slots up to the last that any story fills, one where none does; -1 where a number is unknown.
int64_t memn2n_kept(const Inputs* in) {
  if (!all_known(*in)) return -1;
  int64_t kept = std::min<int64_t>(in->slots, 1);
  for (int64_t at = 0; at < in->batch * in->slots; ++at)
    if (in->time[at] > 0) kept = std::max(kept, at % in->slots + 1);
  return kept;
}

#define MEMN2N(name, T)                                                                          \
  void memn2n_forward_##name(const Inputs* in, const T* tables, const T* carry, const T* places, \
                             T* entries, T* states, T* weights, T* values) {                     \
    forward(*in, tables, carry, places, entries, states, weights, values);                       \
  }                                                                                              \
  void memn2n_backward_##name(const Inputs* in, const T* carry, const T* places,                 \
                              const T* entries, const T* states, const T* weights,               \
                              const T* grad_weights, const T* grad_values, T* grad_state,        \
                              T* grad_entries, T* grad_tables, T* grad_carry) {                  \
    backward(*in, carry, places, entries, states, weights, grad_weights, grad_values, grad_state, \
             grad_entries, grad_tables, grad_carry);                                             \
  }

MEMN2N(float, float)
MEMN2N(double, double)

}  // extern "C"
