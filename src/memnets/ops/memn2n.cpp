// MemN2N between the tables and the answer: reading of sentences and stories, the hops, the loss.
// The plain twin is models/memn2n/network.py (`remember`, `answer`); letters are the paper's.
//
// Everything runs in the order written here, on one thread: the same inputs give the same bits.
// Nil words and empty slots are not gone through one by one: what they add is counted, so that
// padding and spare capacity cannot change a bit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using std::int32_t;
using std::int64_t;

// Mirrors `_Inputs` of memn2n.py, field by field.
struct Inputs {
  const int32_t *sentences, *story, *time, *question;
  const int64_t *key_tables, *value_tables;  // one a hop
  int64_t batch, slots, shown, sentence_count, words, question_words;
  int64_t vocab, memory, tables, memory_tables, question_table, answer_table, dim, places, hops;
  int64_t softmax;  // 0: the scores are the weights
  int64_t room;     // slots, empty ones too, that are read; 0: those that are filled
  int64_t relu;

  int64_t rows() const { return vocab + memory; }
  int64_t row() const { return tables * dim; }           // of a word, in all tables
  int64_t width() const { return memory_tables * dim; }  // of an entry, in those of the memory
  int64_t keys(int64_t hop) const { return key_tables[hop] * dim; }  // where they begin in it
  int64_t values(int64_t hop) const { return value_tables[hop] * dim; }
  int64_t said() const { return memory ? places - 1 : places; }  // places of words, not of times
};

// The sentences that the stories of a batch tell: of the others nothing is computed.
struct Told {
  std::vector<int64_t> sentences;  // in the order in which they are first told
  std::vector<int64_t> number;     // of each sentence in that order

  // Entries: these sentences, one of nil words only, nil in the place of a time, the times.
  int64_t nil_sentence() const { return sentences.size(); }
  int64_t time(int64_t time) const { return sentences.size() + 1 + time; }
  int64_t entries(const Inputs& in) const { return sentences.size() + 2 + in.memory; }
};

template <typename T>
struct Weights {
  const T *tables, *carry, *places;  // `carry` is null where the state is carried as it is
};

template <typename T>
struct Gradients {
  T *tables, *carry;
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

// A slot, and how many there are like it: the empty ones are all alike, and kept as one.
struct Slot {
  int64_t place, sentence, time, count;  // the place of empty slots is -1
};

void find_slots(const Inputs& in, const Told& told, int64_t b, std::vector<Slot>& slots) {
  slots.clear();
  int64_t empty = in.room;
  for (int64_t at = b * in.slots, place = 0; place < in.slots; ++at, ++place)
    if (const int64_t time = in.time[at]; time > 0) {
      slots.push_back({place, told.number[in.story[at]], told.time(time), 1});
      empty -= place < in.room;
    }
  if (empty) slots.push_back({-1, told.nil_sentence(), told.time(0), empty});
}

// Find the sentences that are told; false where a number names no word, sentence or time.
bool find_told(const Inputs& in, Told& told) {
  const auto unknown = [&](int64_t word) { return word < 0 || word >= in.rows(); };
  if (std::any_of(in.question, in.question + in.batch * in.question_words, unknown)) return false;
  told.number.assign(in.sentence_count, -1);
  for (int64_t at = 0; at < in.batch * in.slots; ++at) {
    if (in.time[at] <= 0) continue;
    if (in.story[at] < 0 || in.story[at] >= in.sentence_count) return false;
    if (in.memory && in.time[at] > in.memory) return false;
    int64_t& number = told.number[in.story[at]];
    if (number >= 0) continue;
    number = told.sentences.size();
    told.sentences.push_back(in.story[at]);
    const int32_t* words = in.sentences + in.story[at] * in.words;
    if (std::any_of(words, words + in.words, unknown)) return false;
  }
  return true;
}

// Go through the words of a sentence by their place, nil in all places that are left.
template <typename Word>
void each_place(const Inputs& in, const int32_t* words, int64_t length, Word visit) {
  for (int64_t j = 0; j < in.said(); ++j) visit(j, j < length ? words[j] : 0);
}

// sum l_j over the places that nil fills.
template <typename T>
void nil_places(const Inputs& in, const int32_t* words, int64_t length, const T* l, T* sum) {
  std::fill_n(sum, in.dim, T(0));
  each_place(in, words, length, [&](int64_t j, int64_t word) {
    if (!word) add(sum, T(1), l + j * in.dim, in.dim);
  });
}

// What all questions of a batch share: each sentence that is told and each time, in all tables.
template <typename T>
class Entries {
 public:
  const Told& told;

  Entries(const Inputs& in, const Weights<T>& weights, const Told& told)
      : told(told), in(in), l(weights.places), width(in.width()), wide(widened()),
        values(told.entries(in) * width), nil(in.dim) {
    const T* tables = weights.tables;
    visit_all([&](int64_t entry, int64_t word, const T* by) {
      add_weighted(&values[entry * width], by, tables + word * in.row(), width);
    });
  }

  const T* operator[](int64_t entry) const { return &values[entry * width]; }

  // From dL/d(entry) to dL/d(tables).
  void backward(const std::vector<T>& gradients, T* grad_tables) {
    visit_all([&](int64_t entry, int64_t word, const T* by) {
      add_weighted(grad_tables + word * in.row(), by, &gradients[entry * width], width);
    });
  }

 private:
  const Inputs& in;
  const T* l;
  const int64_t width;
  const std::vector<T> wide;  // l_j for all tables, side by side as an entry is
  std::vector<T> values, nil, nil_wide;

  std::vector<T> widened() const {
    std::vector<T> all;
    all.reserve(in.places * width);
    for (int64_t j = 0; j < in.places; ++j) widen(l + j * in.dim, all);
    return all;
  }

  void widen(const T* vector, std::vector<T>& wide) const {
    for (int64_t table = 0; table < in.memory_tables; ++table)
      wide.insert(wide.end(), vector, vector + in.dim);
  }

  // Visit every entry's words with what they are multiplied by.
  template <typename Visit>
  void visit_all(Visit visit) {
    for (size_t i = 0; i < told.sentences.size(); ++i)
      visit_sentence(i, in.sentences + told.sentences[i] * in.words, in.words, visit);
    if (in.room) visit_sentence(told.nil_sentence(), nullptr, 0, visit);
    visit_times(in.room ? 0 : 1, visit);
  }

  template <typename Visit>
  void visit_sentence(int64_t entry, const int32_t* words, int64_t length, Visit visit) {
    for (int64_t j = 0; j < length; ++j)
      if (words[j]) visit(entry, words[j], &wide[j * width]);
    nil_places(in, words, length, l, nil.data());
    nil_wide.clear();
    widen(nil.data(), nil_wide);
    visit(entry, 0, nil_wide.data());
  }

  template <typename Visit>
  void visit_times(int64_t first, Visit visit) {
    const T* by = &wide[(in.places - 1) * width];
    if (!in.memory) return;
    for (int64_t time = first; time <= in.memory; ++time)
      visit(told.time(time), time ? in.vocab + time - 1 : 0, by);
  }
};

// One question and its story: what is laid out once, read at every hop, and kept for the way back.
template <typename T>
class Reading {
 public:
  std::vector<Slot> slots;
  std::vector<T> states;   // u^1 to u^{K+1}
  std::vector<T> weights;  // p of each hop; of one of those slots that are alike
  std::vector<T> values;   // o of each hop

  Reading(const Inputs& in, const Weights<T>& with, const Entries<T>& entries)
      : states((in.hops + 1) * in.dim), values(in.hops * in.dim), in(in), with(with),
        entries(entries), dim(in.dim), width(in.width()), nil(dim), grad_value(dim), carried(dim) {}

  const T* last() const { return &states[in.hops * dim]; }

  // u^1 = sum_j l_j B[q_j], then u^{k+1} = u^k + o^k, K times.
  void forward(int64_t b) {
    find_slots(in, entries.told, b, slots);
    lay_out();
    read_question(b);
    const int64_t n = slots.size();
    weights.resize(in.hops * n);
    std::fill(values.begin(), values.end(), T(0));
    for (int64_t hop = 0; hop < in.hops; ++hop) {
      const T *u = &states[hop * dim], *m = memory.data() + in.keys(hop);
      const T* c = memory.data() + in.values(hop);
      T *next = &states[(hop + 1) * dim], *p = weights.data() + hop * n, *o = &values[hop * dim];
      for (int64_t i = 0; i < n; ++i) p[i] = dot(u, m + i * width, dim);
      if (in.softmax) normalise(p);
      for (int64_t i = 0; i < n; ++i) add(o, count(i) * p[i], c + i * width, dim);
      for (int64_t k = 0; k < dim; ++k) {
        next[k] = (with.carry ? dot(with.carry + k * dim, u, dim) : u[k]) + o[k];
        if (in.relu && next[k] <= 0) next[k] = 0;  // so written, NaN stays
      }
    }
  }

  // Add the gradients of the tables, of H and of the entries to what is there. `g` holds
  // dL/du^{K+1} and is overwritten. Gradients of weights or values nobody asked for are null.
  void backward(int64_t b, T* g, const T* grad_weights, const T* grad_values,
                const Gradients<T>& gradients, T* grad_entries) {
    const int64_t n = slots.size();
    grad_memory.assign(n * width, T(0));
    e.resize(n);
    for (int64_t hop = in.hops - 1; hop >= 0; --hop) {
      const int64_t keys = in.keys(hop), reads = in.values(hop), here = hop * in.batch + b;
      const T *u = &states[hop * dim], *next = &states[(hop + 1) * dim];
      const T* p = weights.data() + hop * n;
      for (int64_t k = 0; k < dim; ++k) {
        if (in.relu && next[k] <= 0) g[k] = 0;
        grad_value[k] = g[k] + (grad_values ? grad_values[here * dim + k] : T(0));
      }
      if (with.carry) carry_backward(g, u, gradients.carry);
      for (int64_t i = 0; i < n; ++i) {
        e[i] = dot(grad_value.data(), memory.data() + i * width + reads, dim);
        if (grad_weights) e[i] += shown_gradient(grad_weights + here * in.shown, i);
        add(grad_memory.data() + i * width + reads, count(i) * p[i], grad_value.data(), dim);
      }
      if (in.softmax) normalise_backward(p);
      for (int64_t i = 0; i < n; ++i) {
        add(g, count(i) * e[i], memory.data() + i * width + keys, dim);
        add(grad_memory.data() + i * width + keys, count(i) * e[i], u, dim);
      }
    }
    lay_out_backward(grad_entries);
    read_question_backward(b, g, gradients.tables);
  }

  // Write the weights of a hop, one a slot: the empty ones have the same each.
  void show(int64_t hop, T* shown) const {
    const T* p = weights.data() + hop * slots.size();
    if (slots.size() && is_empty(slots.back())) std::fill_n(shown, in.room, p[slots.size() - 1]);
    for (size_t i = 0; i < slots.size(); ++i)
      if (!is_empty(slots[i])) shown[slots[i].place] = p[i];
  }

 private:
  const Inputs& in;
  const Weights<T>& with;
  const Entries<T>& entries;
  const int64_t dim, width;
  std::vector<T> memory;  // m_i and c_i in all tables
  std::vector<T> grad_memory, e, nil, grad_value, carried;

  static bool is_empty(const Slot& slot) { return slot.place < 0; }
  T count(int64_t i) const { return T(slots[i].count); }

  // The sums of the entries that make a slot.
  void lay_out() {
    memory.resize(slots.size() * width);
    T* slot_memory = memory.data();
    for (const Slot& slot : slots) {
      std::copy_n(entries[slot.sentence], width, slot_memory);
      if (in.memory) add(slot_memory, T(1), entries[slot.time], width);
      slot_memory += width;
    }
  }

  // The gradient of a slot is that of each of its entries.
  void lay_out_backward(T* grad_entries) const {
    const T* gradient = grad_memory.data();
    for (const Slot& slot : slots) {
      add(grad_entries + slot.sentence * width, T(1), gradient, width);
      if (in.memory) add(grad_entries + slot.time * width, T(1), gradient, width);
      gradient += width;
    }
  }

  // Turn scores into weights; of slots that are alike each gets the same.
  void normalise(T* p) const {
    const int64_t n = slots.size();
    if (n == 0) return;
    T most = p[0], sum = 0;
    for (int64_t i = 1; i < n; ++i) most = std::max(most, p[i]);
    for (int64_t i = 0; i < n; ++i) sum += count(i) * (p[i] = std::exp(p[i] - most));
    for (int64_t i = 0; i < n; ++i) p[i] /= sum;
  }

  // From dL/dp to dL/de, in place.
  void normalise_backward(const T* p) {
    T mean = 0;
    for (size_t i = 0; i < e.size(); ++i) mean += count(i) * e[i] * p[i];
    for (size_t i = 0; i < e.size(); ++i) e[i] = p[i] * (e[i] - mean);
  }

  // The gradient of a weight; of those that are alike, the mean.
  T shown_gradient(const T* grad_weights, int64_t i) const {
    if (!is_empty(slots[i])) return grad_weights[slots[i].place];
    T sum = 0;
    auto slot = slots.begin();  // the filled ones stand in the order of their places
    for (int64_t place = 0; place < in.room; ++place)
      if (slot->place == place)
        ++slot;
      else
        sum += grad_weights[place];
    return sum / count(i);
  }

  void carry_backward(T* g, const T* u, T* grad_carry) {
    std::copy_n(g, dim, carried.data());
    std::fill_n(g, dim, T(0));
    for (int64_t k = 0; k < dim; ++k) {
      add(g, carried[k], with.carry + k * dim, dim);
      add(grad_carry + k * dim, carried[k], u, dim);
    }
  }

  const int32_t* question(int64_t b) const { return in.question + b * in.question_words; }

  void read_question(int64_t b) {
    T* u = states.data();
    std::fill_n(u, dim, T(0));
    const T* table = with.tables + in.question_table * dim;
    for (int64_t j = 0; j < in.question_words; ++j)
      if (const int64_t word = question(b)[j])
        add_weighted(u, with.places + j * dim, table + word * in.row(), dim);
    nil_places(in, question(b), in.question_words, with.places, nil.data());
    add_weighted(u, nil.data(), table, dim);
  }

  void read_question_backward(int64_t b, const T* g, T* grad_tables) {
    T* table = grad_tables + in.question_table * dim;
    for (int64_t j = 0; j < in.question_words; ++j)
      if (const int64_t word = question(b)[j])
        add_weighted(table + word * in.row(), with.places + j * dim, g, dim);
    nil_places(in, question(b), in.question_words, with.places, nil.data());
    add_weighted(table, nil.data(), g, dim);
  }
};

// u^{K+1}, the weights and the values of every hop. The weights come as zeros.
template <typename T>
void answer(const Inputs& in, const Weights<T>& with, const Told& told, T* states,
            T* weights, T* values) {
  const Entries<T> entries(in, with, told);
  Reading<T> reading(in, with, entries);
  for (int64_t b = 0; b < in.batch; ++b) {
    reading.forward(b);
    std::copy_n(reading.last(), in.dim, states + b * in.dim);
    for (int64_t hop = 0; hop < in.hops; ++hop) {
      const int64_t here = hop * in.batch + b;
      reading.show(hop, weights + here * in.shown);
      std::copy_n(&reading.values[hop * in.dim], in.dim, values + here * in.dim);
    }
  }
}

// Add the gradients to what is there. The way there is gone once more, not kept.
template <typename T>
void answer_backward(const Inputs& in, const Weights<T>& with, const Told& told,
                     const T* grad_states, const T* grad_weights, const T* grad_values,
                     const Gradients<T>& gradients) {
  Entries<T> entries(in, with, told);
  Reading<T> reading(in, with, entries);
  std::vector<T> grad_entries(told.entries(in) * in.width()), g(in.dim);
  for (int64_t b = 0; b < in.batch; ++b) {
    reading.forward(b);
    std::copy_n(grad_states + b * in.dim, in.dim, g.data());
    reading.backward(b, g.data(), grad_weights, grad_values, gradients, grad_entries.data());
  }
  entries.backward(grad_entries, gradients.tables);
}

// The cross entropy -log softmax(W u)_a, and dL/du; adds dL/dW. Counts the answer if it is right.
template <typename T>
T cross_entropy(const Inputs& in, const T* tables, const T* u, int64_t gold, std::vector<T>& logits,
                T* g, T* grad_tables, int64_t& right) {
  const int64_t dim = in.dim, stride = in.row(), rows = in.rows();
  const T* w = tables + in.answer_table * dim;
  T* grad_w = grad_tables + in.answer_table * dim;
  for (int64_t row = 0; row < rows; ++row) logits[row] = dot(w + row * stride, u, dim);
  const auto most = std::max_element(logits.begin(), logits.end());
  right += most - logits.begin() == gold;
  const T top = *most, score = logits[gold];
  T sum = 0;
  for (T& logit : logits) sum += logit = std::exp(logit - top);
  std::fill_n(g, dim, T(0));
  for (int64_t row = 0; row < rows; ++row) {
    const T error = logits[row] / sum - T(row == gold);
    add(g, error, w + row * stride, dim);
    add(grad_w + row * stride, error, u, dim);
  }
  return std::log(sum) + top - score;
}

// Loss and gradient of a batch in one pass: each question goes there and back at once.
template <typename T>
T learn(const Inputs& in, const Weights<T>& with, const Told& told,
        const int64_t* gold, const Gradients<T>& gradients, int64_t& right) {
  Entries<T> entries(in, with, told);
  Reading<T> reading(in, with, entries);
  std::vector<T> grad_entries(told.entries(in) * in.width()), g(in.dim), logits(in.rows());
  T loss = 0;
  for (int64_t b = 0; b < in.batch; ++b) {
    reading.forward(b);
    loss += cross_entropy(in, with.tables, reading.last(), gold[b], logits, g.data(),
                          gradients.tables, right);
    reading.backward(b, g.data(), nullptr, nullptr, gradients, grad_entries.data());
  }
  entries.backward(grad_entries, gradients.tables);
  return loss;
}

}  // namespace

extern "C" {

// Slots whose weights are shown: all there is room for, at least up to the last that any story
// fills; one where there is none.
int64_t memn2n_shown(const Inputs* in) {
  int64_t shown = std::max(in->room, std::min<int64_t>(in->slots, 1));
  for (int64_t at = 0; at < in->batch * in->slots; ++at)
    if (in->time[at] > 0) shown = std::max(shown, at % in->slots + 1);
  return shown;
}

// Each returns 0, having done nothing, where a number is unknown.
#define MEMN2N(name, T)                                                                           \
  int64_t memn2n_answer_##name(const Inputs* in, const T* tables, const T* carry, const T* places, \
                               T* states, T* weights, T* values) {                                \
    Told told;                                                                                    \
    if (!find_told(*in, told)) return 0;                                                          \
    answer<T>(*in, {tables, carry, places}, told, states, weights, values);                       \
    return 1;                                                                                     \
  }                                                                                               \
  int64_t memn2n_answer_backward_##name(const Inputs* in, const T* tables, const T* carry,        \
                                        const T* places, const T* grad_states,                    \
                                        const T* grad_weights, const T* grad_values,              \
                                        T* grad_tables, T* grad_carry) {                          \
    Told told;                                                                                    \
    if (!find_told(*in, told)) return 0;                                                          \
    answer_backward<T>(*in, {tables, carry, places}, told, grad_states, grad_weights,             \
                       grad_values, {grad_tables, grad_carry});                                   \
    return 1;                                                                                     \
  }                                                                                               \
  int64_t memn2n_learn_##name(const Inputs* in, const T* tables, const T* carry, const T* places, \
                              const int64_t* gold, T* loss, int64_t* right, T* grad_tables,       \
                              T* grad_carry) {                                                    \
    Told told;                                                                                    \
    const auto unknown = [&](int64_t row) { return row < 0 || row >= in->rows(); };               \
    if (!find_told(*in, told) || std::any_of(gold, gold + in->batch, unknown)) return 0;          \
    *right = 0;                                                                                   \
    *loss = learn<T>(*in, {tables, carry, places}, told, gold, {grad_tables, grad_carry}, *right); \
    return 1;                                                                                     \
  }

MEMN2N(float, float)
MEMN2N(double, double)

}  // extern "C"
