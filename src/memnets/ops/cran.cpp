// CRAN's recurrence over a window, and its way back. The plain twin is the window path of
// models/cran/window.py; letters are those of the proposal.
//
// The memory is a timeline: slots in the order of their age, those that were in memory at the
// window's start and then the states of its steps, where they were computed. Nothing is moved:
// a zone is `slots` of them in a row, counted from the oldest zone at the start. Only chosen zones
// are read. A row of the batch never meets another but in the gradients of the weights, so each
// thread takes some rows through the whole window.
//
// Every sum runs in the same order however many threads there are: the same inputs give the same
// bits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "exponential.h"
#include "parallel.h"
#include "products.h"
#include "vectors.h"

namespace {

using std::int32_t;
using std::int64_t;

enum Rule { PLAIN, RENORMALISED, TWICE };

// Mirrors `_Sizes` of cran.py, field by field.
struct Sizes {
  int64_t batch, steps, zones, slots, kept, hidden, key, width;
  int64_t deeper;  // layers of a zone's key behind the first
  int64_t old;     // states in memory at the start
  int64_t query_stride, read_stride, project_stride, update_stride, key_stride;
  int64_t rule, gated, relu, detached, threads;
  double zone_scale, slot_scale;

  int64_t gates() const { return gated ? 3 * hidden : hidden; }
  int64_t slot(int64_t t) const { return (old + t) % slots; }  // that step t writes
  int64_t zone(int64_t t) const { return (old + t) / slots; }
  int64_t all_zones() const { return (old + steps + slots - 1) / slots; }
};

// What is read at a step: the states before it, in zones first to end - 1.
struct Live {
  int64_t states, first, end;

  Live(const Sizes& in, int64_t t)
      : states(in.old + t), first(0), end((states + in.slots - 1) / in.slots) {
    first = std::max<int64_t>(0, end - in.zones);
  }
  int64_t zones() const { return end - first; }
};

// The next four mirror tuples of cran.py, in their order. What is of rows and steps is laid out
// row by row, and within a row step by step.

template <typename T>
struct Weights {
  const T *query, *read, *project, *project_bias, *update, *update_bias, *key, *key_bias;
  const T *deeper, *deeper_bias;  // of all layers behind the first, one below the other
};

template <typename T>
struct Window {
  const T *query_x, *read_x, *update_x, *hidden, *values, *keys, *partial, *ranking;
};

// What a window computes, and its way back needs.
template <typename T>
struct Steps {
  T *states, *keys, *queries, *reads, *mixed, *gates;
  T *projected;      // K of the states
  T *old_projected;  // K of those that were in memory, in zones that were read
  T *odds;           // p of the live zones
  T *shares;         // alpha of the chosen zones
  T *weights;        // a of their slots
  T *layers;         // what the layers of the key behind the first are given
  int32_t* chosen;   // zones; -1 where there are fewer
};

template <typename T>
struct Gradients {
  const T *states, *keys;
  T *query_x, *read_x, *update_x, *hidden, *old_keys, *partial;
  T *w_query, *w_read, *w_project, *project_bias, *w_update, *update_bias, *w_key, *key_bias;
  T *w_deeper, *deeper_bias;
};

// The next are so written that NaN stays NaN.

template <typename T>
void rectify(T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] = x[i] <= 0 ? T(0) : x[i];
}

// From dL/dy to dL/dx of y = ReLU(x).
template <typename T>
void rectify_backward(T* g, const T* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) g[i] = y[i] <= 0 ? T(0) : g[i];
}

template <typename T>
T hyperbolic_tangent(T x) {
  return 1 - 2 / (clamped_exponential(2 * x) + 1);
}

template <typename T>
void softmax(T* x, int64_t n) {
  T most = x[0], sum = 0;
  for (int64_t i = 1; i < n; ++i) most = std::max(most, x[i]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) x[i] = clamped_exponential(x[i] - most);
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  for (int64_t i = 0; i < n; ++i) x[i] /= sum;
}

// The weights, packed for the way there or, transposed, for the way back.
template <typename T>
struct Matrices {
  Packed<T> query, read, project, update;
  std::vector<Packed<T>> key;     // one a slot
  std::vector<Packed<T>> deeper;  // one a layer

  Matrices(const Sizes& in, const Weights<T>& w, bool back) {
    std::vector<std::pair<Packed<T>*, const T*>> todo;
    std::vector<int64_t> strides;
    const auto plan = [&](Packed<T>& to, const T* from, int64_t out, int64_t wide, int64_t stride) {
      if (!from) return;
      to = back ? Packed<T>(out, wide) : Packed<T>(wide, out);
      todo.push_back({&to, from});
      strides.push_back(stride);
    };
    plan(query, w.query, in.key, in.hidden, in.query_stride);
    plan(read, w.read, in.width, in.hidden, in.read_stride);
    plan(project, w.project, in.width, in.hidden, in.project_stride);
    plan(update, w.update, in.gates(), in.hidden, in.update_stride);
    key.resize(in.slots);
    for (int64_t t = 0; t < std::min(in.steps, in.slots); ++t)
      plan(key[in.slot(t)], w.key + in.slot(t) * in.hidden, in.key, in.hidden, in.key_stride);
    deeper.resize(in.deeper);
    for (int64_t m = 0; m < in.deeper; ++m)
      plan(deeper[m], w.deeper + m * in.key * in.key, in.key, in.key, in.key);
    share(todo.size(), in.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        todo[i].first->pack(todo[i].second, back ? strides[i] : 1, back ? 1 : strides[i]);
    });
  }
};

// Where everything stands.
template <typename T>
struct Places {
  const Sizes& in;
  const Window<T>& window;
  const Steps<T>& steps;

  int64_t at(int64_t b, int64_t t) const { return b * in.steps + t; }
  T* state(int64_t b, int64_t t) const { return steps.states + at(b, t) * in.hidden; }
  const T* before(int64_t b, int64_t t) const {
    return t ? state(b, t - 1) : window.hidden + b * in.hidden;
  }
  // What layer m behind the key's first is given.
  T* layer(int64_t b, int64_t t, int64_t m) const {
    return steps.layers + (at(b, t) * in.deeper + m) * in.key;
  }
  int64_t before_stride(int64_t t) const { return t ? in.steps * in.hidden : in.hidden; }
  const T* value(int64_t b, int64_t slot) const {
    return slot < in.old ? window.values + (b * in.zones * in.slots + slot) * in.hidden
                         : state(b, slot - in.old);
  }
  const T* projection(int64_t b, int64_t slot) const {
    return slot < in.old ? old_projection(b, slot)
                         : steps.projected + at(b, slot - in.old) * in.width;
  }
  T* old_projection(int64_t b, int64_t slot) const {
    return steps.old_projected + (b * in.old + slot) * in.width;
  }
  // The key of a zone as it is after so many states.
  const T* key(int64_t b, int64_t zone, int64_t states) const {
    const int64_t last = std::min((zone + 1) * in.slots, states) - 1;
    return last < in.old ? window.keys + (b * in.zones + zone) * in.key
                         : steps.keys + at(b, last - in.old) * in.key;
  }
  int64_t filled(int64_t zone, int64_t states) const {
    return std::min(in.slots, states - zone * in.slots);
  }
};

// ---- There ----

template <typename T>
class Forward : Places<T> {
  using Places<T>::in;
  using Places<T>::window;
  using Places<T>::steps;

 public:
  Forward(const Sizes& in, const Weights<T>& weights, const Window<T>& window,
          const Steps<T>& steps, const Matrices<T>& matrices)
      : Places<T>{in, window, steps}, weights(weights), matrices(matrices), rows(in.slots),
        logits(in.zones), by(in.slots), taken(in.zones) {}

  // Take rows begin to end - 1 through the window.
  void run(int64_t begin, int64_t end) {
    first = begin;
    count = end - begin;
    projected.assign(count * in.all_zones(), 0);
    std::vector<T> pre(count * in.key);
    if (in.slot(0)) std::copy_n(window.partial + first * in.key, pre.size(), pre.data());
    for (int64_t t = 0; t < in.steps; ++t) {
      ask(t);
      for (int64_t b = begin; b < end; ++b) read(b, t);
      update(t);
      renew(t, pre.data());
    }
  }

 private:
  const Weights<T>& weights;
  const Matrices<T>& matrices;
  int64_t first, count;        // the rows of the batch
  std::vector<const T*> rows;  // of a zone
  std::vector<T> logits, by;
  std::vector<char> taken;
  std::vector<char> projected;  // of each row and zone, whether K of its old states is there

  int64_t here(int64_t t) const { return this->at(first, t); }

  // u and Q
  void ask(int64_t t) {
    const T* h = this->before(first, t);
    const int64_t stride = this->before_stride(t), wide = in.steps * in.width;
    if (weights.query)
      multiply(h, stride, count, matrices.query, window.query_x + here(t) * in.key,
               in.steps * in.key, steps.queries + here(t) * in.key, in.steps * in.key);
    const T* x = window.read_x + here(t) * in.width;
    T* q = steps.reads + here(t) * in.width;
    if (weights.read) multiply(h, stride, count, matrices.read, x, wide, q, wide);
    for (int64_t i = 0; i < count; ++i) {
      if (!weights.read) std::copy_n(x + i * wide, in.width, q + i * wide);
      rectify(q + i * wide, in.width);
    }
  }

  // y = sum alpha_i a_ij Z_ij over the zones that are chosen
  void read(int64_t b, int64_t t) {
    const Live live(in, t);
    const int64_t at = this->at(b, t);
    T* y = steps.mixed + at * in.hidden;
    int32_t* chosen = steps.chosen + at * in.kept;
    T* shares = steps.shares + at * in.kept;
    std::fill_n(y, in.hidden, T(0));
    choose(b, t, live, chosen, shares);
    for (int64_t c = 0; c < in.kept && chosen[c] >= 0; ++c) {
      const int64_t slot = chosen[c] * in.slots, n = this->filled(chosen[c], live.states);
      T* a = steps.weights + (at * in.kept + c) * in.slots;
      project_old(b, chosen[c]);
      for (int64_t j = 0; j < n; ++j) rows[j] = this->projection(b, slot + j);
      dots(steps.reads + at * in.width, rows.data(), n, in.width, a);
      for (int64_t j = 0; j < n; ++j) a[j] *= T(in.slot_scale);
      softmax(a, n);
      for (int64_t j = 0; j < n; ++j) by[j] = shares[c] * a[j];
      for (int64_t j = 0; j < n; ++j) rows[j] = this->value(b, slot + j);
      add(y, by.data(), rows.data(), n, in.hidden);
    }
  }

  // K of what a zone held at the start, when it is first read
  void project_old(int64_t b, int64_t zone) {
    const int64_t slot = zone * in.slots, n = this->filled(zone, in.old);
    char& done = projected[(b - first) * in.all_zones() + zone];
    if (done || n <= 0) return;
    done = 1;
    T* k = this->old_projection(b, slot);
    multiply(this->value(b, slot), in.hidden, n, matrices.project, weights.project_bias, 0, k,
             in.width);
    rectify(k, n * in.width);
  }

  // The largest logits, or numbers of the ranking, from the newest zone on; and alpha.
  void choose(int64_t b, int64_t t, const Live& live, int32_t* chosen, T* shares) {
    const int64_t at = this->at(b, t), n = live.zones(), k = std::min(in.kept, n);
    const T* u = steps.queries + at * in.key;
    T* p = steps.odds + at * in.zones;
    std::fill_n(chosen, in.kept, -1);
    if (!n) return;
    for (int64_t i = 0; i < n; ++i) {
      const T* key = this->key(b, live.first + i, live.states);
      dots(u, &key, 1, in.key, p + i);
      logits[i] = p[i] *= T(in.zone_scale);
    }
    softmax(p, n);
    const T* rank = window.ranking ? window.ranking + at * in.zones : logits.data();
    std::fill_n(taken.begin(), n, 0);
    for (int64_t c = 0; c < k; ++c) {
      int64_t best = -1;
      for (int64_t i = n - 1; i >= 0; --i)
        if (!taken[i] && (best < 0 || rank[i] > rank[best])) best = i;
      taken[best] = 1;
      chosen[c] = int32_t(live.first + best);
      shares[c] = in.rule == RENORMALISED ? logits[best] : p[best];
    }
    if (in.rule != PLAIN && k) softmax(shares, k);
  }

  void update(int64_t t) {
    const T* x = window.update_x + here(t) * in.gates();
    const T* y = steps.mixed + here(t) * in.hidden;
    T* h = this->state(first, t);
    const int64_t stride = in.steps * in.hidden, wide = in.steps * in.gates();
    if (in.gated) {
      T* gates = steps.gates + here(t) * in.gates();
      for (int64_t i = 0; i < count; ++i) {
        std::copy_n(x + i * wide, 2 * in.hidden, gates + i * wide);
        std::copy_n(weights.update_bias, in.hidden, gates + i * wide + 2 * in.hidden);
      }
      multiply(y, stride, count, matrices.update, gates, wide, gates, wide);
      for (int64_t i = 0; i < count; ++i)
        blend(x + i * wide, y + i * stride, gates + i * wide, h + i * stride);
    } else {
      multiply(y, stride, count, matrices.update, x, stride, h, stride);
      for (int64_t i = 0; i < count; ++i) rectify(h + i * stride, in.hidden);
    }
  }

  // r = sigmoid, z = sigmoid, n = tanh(r (W_n x + b_n) + W_i y + b_i), h = (1 - z) n + z y
  void blend(const T* x, const T* y, T* gates, T* h) const {
    const int64_t n = in.hidden;
#pragma omp simd
    for (int64_t d = 0; d < 2 * n; ++d) gates[d] = sigmoid(gates[d]);
#pragma omp simd
    for (int64_t d = 0; d < n; ++d) {
      const T z = gates[n + d];
      const T new_ = hyperbolic_tangent(gates[d] * x[2 * n + d] + gates[2 * n + d]);
      gates[2 * n + d] = new_;
      h[d] = (1 - z) * new_ + z * y[d];
    }
  }

  // K of the new state, and the key of its zone
  void renew(int64_t t, T* pre) {
    const T* h = this->state(first, t);
    const int64_t stride = in.steps * in.hidden, wide = in.steps * in.width;
    if (t + 1 < in.steps) {  // nobody reads the last
      T* k = steps.projected + here(t) * in.width;
      multiply(h, stride, count, matrices.project, weights.project_bias, 0, k, wide);
      for (int64_t i = 0; i < count; ++i) rectify(k + i * wide, in.width);
    }
    const bool opens = in.slot(t) == 0;
    multiply(h, stride, count, matrices.key[in.slot(t)], opens ? weights.key_bias : pre,
             opens ? 0 : in.key, pre, in.key);
    if (!in.deeper) put_key(t, pre, in.key);
    for (int64_t m = 0; m < in.deeper; ++m) go_deeper(t, m, pre);
  }

  // Layer m of the key behind the first, whose sum is `pre`
  void go_deeper(int64_t t, int64_t m, const T* pre) {
    const int64_t apart = in.steps * in.deeper * in.key;
    T* x = this->layer(first, t, m);
    for (int64_t i = 0; i < count; ++i) {
      if (m == 0) std::copy_n(pre + i * in.key, in.key, x + i * apart);
      rectify(x + i * apart, in.key);
    }
    const bool last = m + 1 == in.deeper;
    const int64_t stride = last ? in.steps * in.key : apart;
    T* to = last ? steps.keys + here(t) * in.key : this->layer(first, t, m + 1);
    multiply(x, apart, count, matrices.deeper[m], weights.deeper_bias + m * in.key, 0, to, stride);
    if (last) put_key(t, to, stride);
  }

  void put_key(int64_t t, const T* sums, int64_t stride) {
    for (int64_t i = 0; i < count; ++i) {
      T* key = steps.keys + this->at(first + i, t) * in.key;
      if (key != sums + i * stride) std::copy_n(sums + i * stride, in.key, key);
      if (in.relu) rectify(key, in.key);
    }
  }
};

// ---- Back ----

// Gradients that the bulk products need.
template <typename T>
struct Inner {
  std::unique_ptr<T[]> mixed;      // dL/dy
  std::unique_ptr<T[]> projected;  // dL/d(W_K h + b_K)
  std::unique_ptr<T[]> old;        // the same of the states in memory, in zones that were read
  std::unique_ptr<T[]> keys;       // dL/d of the first layer of a zone's key, as all later see it
  std::unique_ptr<T[]> layers;     // dL/d of the layers behind it
  std::unique_ptr<T[]> logits;     // dL/d(Q K_ij)
  std::unique_ptr<T[]> read;       // alpha_i a_ij
  std::unique_ptr<T[]> gates;      // dL/d of the three products of the gated update
  T* update;                       // these, or dL/d(update_x)
  std::vector<char> was_read;      // of each row and old zone

  Inner(const Sizes& in, const Gradients<T>& gradients)
      : mixed(room(in, in.hidden)), projected(room(in, in.width)),
        old(new T[in.batch * in.old * in.width]), keys(room(in, in.key)),
        layers(room(in, in.deeper * in.key)), logits(room(in, in.kept * in.slots)),
        read(room(in, in.kept * in.slots)),
        gates(in.gated ? room(in, in.gates()) : nullptr),
        update(in.gated ? gates.get() : gradients.update_x), was_read(in.batch * in.zones) {}

 private:
  static T* room(const Sizes& in, int64_t wide) { return new T[in.batch * in.steps * wide]; }
};

// The steps that read a zone, and which of their zones it was, the latest first.
struct Readers {
  struct Reader {
    int32_t t, c;
  };
  const Reader* list;
  int64_t count;
};

template <typename T>
class Backward : Places<T> {
  using Places<T>::in;
  using Places<T>::window;
  using Places<T>::steps;

 public:
  Backward(const Sizes& in, const Weights<T>& weights, const Window<T>& window,
           const Steps<T>& steps, const Matrices<T>& matrices, const Gradients<T>& gradients,
           Inner<T>& inner)
      : Places<T>{in, window, steps}, weights(weights), matrices(matrices), gradients(gradients),
        inner(inner), rows(std::max({most_readers(), in.slots, in.zones})), by(rows.size()),
        grad_shares(in.kept) {}

  void run(int64_t begin, int64_t end) {
    first = begin;
    count = end - begin;
    readers.resize(count * in.all_zones() * most_readers());
    reader_counts.assign(count * in.all_zones(), 0);
    grad_keys.assign(count * in.all_zones() * in.key, T(0));
    std::vector<T> carried(count * in.hidden), pre(count * in.key);
    for (int64_t t = in.steps - 1; t >= 0; --t) {
      renew_backward(t, pre.data());
      for (int64_t i = 0; i < count; ++i) collect(i, t, &carried[i * in.hidden]);
      if (!in.detached) {
        multiply(inner.projected.get() + here(t) * in.width, in.steps * in.width, count,
                 matrices.project, carried.data(), in.hidden, carried.data(), in.hidden);
        multiply(inner.keys.get() + here(t) * in.key, in.steps * in.key, count,
                 matrices.key[in.slot(t)], carried.data(), in.hidden, carried.data(), in.hidden);
      }
      update_backward(t, carried.data());
      for (int64_t i = 0; i < count; ++i) read_backward(i, t);
      if (!in.detached || t == 0) ask_backward(t, carried.data());
    }
    std::copy_n(carried.data(), carried.size(), gradients.hidden + first * in.hidden);
    if (in.slot(0)) std::copy_n(pre.data(), pre.size(), gradients.partial + first * in.key);
    for (int64_t i = 0; i < count; ++i) finish(i);
  }

 private:
  const Weights<T>& weights;
  const Matrices<T>& matrices;
  const Gradients<T>& gradients;
  Inner<T>& inner;
  int64_t first, count;
  std::vector<Readers::Reader> readers;  // of each row and zone
  std::vector<int64_t> reader_counts;
  std::vector<T> grad_keys;  // of each row and zone, as it is at a step
  std::vector<const T*> rows;
  std::vector<T> by, grad_shares;

  int64_t here(int64_t t) const { return this->at(first, t); }
  int64_t most_readers() const { return std::min(in.steps, in.zones * in.slots); }
  Readers readers_of(int64_t i, int64_t zone) const {
    const int64_t at = i * in.all_zones() + zone;
    return {&readers[at * most_readers()], reader_counts[at]};
  }
  void add_reader(int64_t i, int64_t zone, int64_t t, int64_t c) {
    const int64_t at = i * in.all_zones() + zone;
    readers[at * most_readers() + reader_counts[at]++] = {int32_t(t), int32_t(c)};
  }
  T* grad_key(int64_t i, int64_t zone) { return &grad_keys[(i * in.all_zones() + zone) * in.key]; }

  // y += sum over the steps that read slot j of a zone, each step's row by its number.
  void add_readers(T* y, int64_t b, int64_t j, const Readers& of, const T* numbers,
                   const T* table, int64_t dim) {
    for (int64_t i = 0; i < of.count; ++i) {
      const int64_t at = this->at(b, of.list[i].t);
      rows[i] = table + at * dim;
      by[i] = numbers[(at * in.kept + of.list[i].c) * in.slots + j];
    }
    add(y, by.data(), rows.data(), of.count, dim);
  }

  // From the key that step t left to what later steps of its zone and all readers saw of `pre`.
  void renew_backward(int64_t t, T* pre) {
    const bool closes = t + 1 == in.steps || in.slot(t + 1) == 0;
    const int64_t stride = in.steps * in.key;
    T* through = inner.keys.get() + here(t) * in.key;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = this->at(first + i, t);
      T *g = grad_key(i, in.zone(t)), *to = through + i * stride;
      if (in.detached) std::fill_n(g, in.key, T(0));
      const T* outer = gradients.keys ? gradients.keys + at * in.key : nullptr;
      for (int64_t d = 0; d < in.key; ++d) {
        to[d] = outer ? g[d] + outer[d] : g[d];
        g[d] = 0;  // earlier readers saw an earlier key
      }
      if (in.relu) rectify_backward(to, steps.keys + at * in.key, in.key);
    }
    for (int64_t m = in.deeper - 1; m >= 0; --m) go_back(t, m, through);
    for (int64_t i = 0; i < count; ++i) {
      T *sum = pre + i * in.key, *to = through + i * stride;
      for (int64_t d = 0; d < in.key; ++d) to[d] = sum[d] = closes ? to[d] : sum[d] + to[d];
    }
  }

  // From what layer m behind the key's first gave to what it was given, before its ReLU
  void go_back(int64_t t, int64_t m, T* through) {
    const int64_t stride = in.steps * in.key, apart = in.deeper * stride;
    T* g = inner.layers.get() + (here(t) * in.deeper + m) * in.key;
    for (int64_t i = 0; i < count; ++i) {
      std::copy_n(through + i * stride, in.key, g + i * apart);
      std::fill_n(through + i * stride, in.key, T(0));
    }
    multiply(g, apart, count, matrices.deeper[m], through, stride, through, stride);
    for (int64_t i = 0; i < count; ++i)
      rectify_backward(through + i * stride, this->layer(first + i, t, m), in.key);
  }

  // What is known of dL/dh and dL/dK of step t before the products: `g` comes from the next step.
  void collect(int64_t i, int64_t t, T* g) {
    const int64_t b = first + i, at = this->at(b, t), zone = in.zone(t), j = in.slot(t);
    if (t + 1 == in.steps || in.detached) std::fill_n(g, in.hidden, T(0));
    if (gradients.states)
      for (int64_t d = 0; d < in.hidden; ++d) g[d] += gradients.states[at * in.hidden + d];
    T* k = inner.projected.get() + at * in.width;
    std::fill_n(k, in.width, T(0));
    const Readers of = readers_of(i, zone);
    if (!of.count) return;
    add_readers(k, b, j, of, inner.logits.get(), steps.reads, in.width);
    rectify_backward(k, steps.projected + at * in.width, in.width);
    if (!in.detached) add_readers(g, b, j, of, inner.read.get(), inner.mixed.get(), in.hidden);
  }

  // From dL/dh to dL/dy.
  void update_backward(int64_t t, T* carried) {
    const int64_t wide = in.steps * in.gates(), stride = in.steps * in.hidden;
    T* dy = inner.mixed.get() + here(t) * in.hidden;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = this->at(first + i, t);
      T *g = carried + i * in.hidden, *through = inner.update + at * in.gates();
      if (in.gated) {
        blend_backward(at, g, through);  // leaves in g what goes to y directly
      } else {
        std::copy_n(g, in.hidden, through);
        rectify_backward(through, this->state(first + i, t), in.hidden);
        std::fill_n(g, in.hidden, T(0));
      }
    }
    multiply(inner.update + here(t) * in.gates(), wide, count, matrices.update, carried, in.hidden,
             dy, stride);
  }

  void blend_backward(int64_t at, T* g, T* through) const {
    const int64_t n = in.hidden;
    const T *gates = steps.gates + at * 3 * n, *x = window.update_x + at * 3 * n;
    const T* y = steps.mixed + at * n;
    T* grad_x = gradients.update_x + at * 3 * n;
    for (int64_t d = 0; d < n; ++d) {
      const T r = gates[d], z = gates[n + d], new_ = gates[2 * n + d];
      const T inside = g[d] * (1 - z) * (1 - new_ * new_);
      through[d] = grad_x[d] = inside * x[2 * n + d] * r * (1 - r);
      through[n + d] = grad_x[n + d] = g[d] * (y[d] - new_) * z * (1 - z);
      through[2 * n + d] = inside;
      grad_x[2 * n + d] = inside * r;
      g[d] *= z;
    }
  }

  // From dL/dy to dL/dQ and dL/du, and to the keys.
  void read_backward(int64_t i, int64_t t) {
    const Live live(in, t);
    const int64_t b = first + i, at = this->at(b, t);
    const T *dy = inner.mixed.get() + at * in.hidden, *q = steps.reads + at * in.width;
    const int32_t* chosen = steps.chosen + at * in.kept;
    T* dq = gradients.read_x + at * in.width;
    std::fill_n(dq, in.width, T(0));
    int64_t c = 0;
    for (; c < in.kept && chosen[c] >= 0; ++c) {
      const int64_t slot = chosen[c] * in.slots, n = this->filled(chosen[c], live.states);
      const int64_t begin = (at * in.kept + c) * in.slots;
      const T *a = steps.weights + begin, share = steps.shares[at * in.kept + c];
      T *e = inner.logits.get() + begin, *w = inner.read.get() + begin, mean = 0;
      for (int64_t j = 0; j < n; ++j) rows[j] = this->value(b, slot + j);
      dots(dy, rows.data(), n, in.hidden, e);
      for (int64_t j = 0; j < n; ++j) mean += a[j] * e[j];
      grad_shares[c] = mean;
      for (int64_t j = 0; j < n; ++j) {
        w[j] = share * a[j];
        e[j] = w[j] * (e[j] - mean) * T(in.slot_scale);
        rows[j] = this->projection(b, slot + j);
      }
      add(dq, e, rows.data(), n, in.width);
      add_reader(i, chosen[c], t, c);
    }
    rectify_backward(dq, q, in.width);
    choose_backward(i, t, live, c);
  }

  // From dL/d(alpha) of n zones to the query and to the keys.
  void choose_backward(int64_t i, int64_t t, const Live& live, int64_t n) {
    const int64_t b = first + i, at = this->at(b, t);
    const int32_t* chosen = steps.chosen + at * in.kept;
    const T *p = steps.odds + at * in.zones, *shares = steps.shares + at * in.kept;
    T* g = grad_shares.data();
    if (in.rule != PLAIN) {  // the last softmax is of the chosen alone
      T mean = 0;
      for (int64_t c = 0; c < n; ++c) mean += shares[c] * g[c];
      for (int64_t c = 0; c < n; ++c) g[c] = shares[c] * (g[c] - mean);
    }
    std::fill_n(by.begin(), live.zones(), T(0));
    if (in.rule == RENORMALISED) {
      for (int64_t c = 0; c < n; ++c) by[chosen[c] - live.first] = g[c];
    } else {
      T mean = 0;
      for (int64_t c = 0; c < n; ++c) by[chosen[c] - live.first] = g[c];
      for (int64_t z = 0; z < live.zones(); ++z) mean += p[z] * by[z];
      for (int64_t z = 0; z < live.zones(); ++z) by[z] = p[z] * (by[z] - mean);
    }
    T* du = gradients.query_x + at * in.key;
    const T* u = steps.queries + at * in.key;
    std::fill_n(du, in.key, T(0));
    for (int64_t z = 0; z < live.zones(); ++z) {
      by[z] *= T(in.zone_scale);
      rows[z] = this->key(b, live.first + z, live.states);
      if (!in.detached || t == 0) add(grad_key(i, live.first + z), &by[z], &u, 1, in.key);
    }
    add(du, by.data(), rows.data(), live.zones(), in.key);
  }

  // From dL/dQ and dL/du to the state before the step.
  void ask_backward(int64_t t, T* carried) {
    std::fill_n(carried, count * in.hidden, T(0));
    if (weights.read)
      multiply(gradients.read_x + here(t) * in.width, in.steps * in.width, count, matrices.read,
               carried, in.hidden, carried, in.hidden);
    if (weights.query)
      multiply(gradients.query_x + here(t) * in.key, in.steps * in.key, count, matrices.query,
               carried, in.hidden, carried, in.hidden);
  }

  // What was in memory at the start: its keys, and K.
  void finish(int64_t i) {
    const int64_t b = first + i;
    for (int64_t zone = 0; zone * in.slots < in.old; ++zone) {
      std::copy_n(grad_key(i, zone), in.key, gradients.old_keys + (b * in.zones + zone) * in.key);
      const Readers of = readers_of(i, zone);
      if (!of.count) continue;
      inner.was_read[b * in.zones + zone] = 1;
      const int64_t n = this->filled(zone, in.old), numbers = n * in.width;
      T* g = inner.old.get() + (b * in.old + zone * in.slots) * in.width;
      std::fill_n(g, numbers, T(0));
      for (int64_t j = 0; j < n; ++j)
        add_readers(g + j * in.width, b, j, of, inner.logits.get(), steps.reads, in.width);
      rectify_backward(g, this->old_projection(b, zone * in.slots), numbers);
    }
  }
};

// The gradients of the weights, once those of all steps are there.
template <typename T>
class Bulk : Places<T> {
  using Places<T>::in;
  using Places<T>::window;
  using Places<T>::steps;

 public:
  Bulk(const Sizes& in, const Window<T>& window, const Steps<T>& steps,
       const Gradients<T>& gradients, const Inner<T>& inner)
      : Places<T>{in, window, steps}, gradients(gradients), inner(inner) {}

  void run() const {
    const int64_t all = in.batch * in.steps;
    const auto before = [this](int64_t r) { return this->before(r / in.steps, r % in.steps); };
    const auto mixed = [this](int64_t r) { return steps.mixed + r * in.hidden; };
    matrix(all, rows_of(gradients.query_x, in.key), before, in.key, gradients.w_query);
    matrix(all, rows_of(gradients.read_x, in.width), before, in.width, gradients.w_read);
    project();
    matrix(all, rows_of(inner.update, in.gates()), mixed, in.gates(), gradients.w_update);
    if (in.gated)
      bias(inner.update, in.gates(), 2 * in.hidden, in.hidden, 0, 1, gradients.update_bias);
    if (in.detached) return;
    share(std::min(in.steps, in.slots), in.threads, [this](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) key(t);
    });
    for (int64_t m = 0; m < in.deeper; ++m) deeper(m);
    const int64_t opens = (in.slots - in.slot(0)) % in.slots;
    bias(inner.keys.get(), in.key, 0, in.key, opens, in.slots, gradients.key_bias);
  }

 private:
  const Gradients<T>& gradients;
  const Inner<T>& inner;

  static auto rows_of(const T* table, int64_t dim) {
    return [=](int64_t r) { return table + r * dim; };
  }

  template <typename Left, typename Right>
  void matrix(int64_t rows, Left left, Right right, int64_t high, T* to) const {
    matrix(rows, left, right, high, in.hidden, to);
  }

  template <typename Left, typename Right>
  void matrix(int64_t rows, Left left, Right right, int64_t high, int64_t wide, T* to) const {
    if (!to) return;
    const int64_t blocks = (high + TILE_ROWS - 1) / TILE_ROWS;
    share(blocks, in.threads, [=](int64_t begin, int64_t end) {
      add_outer(rows, left, right, begin * TILE_ROWS, std::min(end * TILE_ROWS, high), wide, to,
                wide);
    });
  }

  // Of layer m of the key behind the first
  void deeper(int64_t m) const {
    const int64_t wide = in.deeper * in.key, from = m * in.key;
    const auto given = [=](int64_t r) { return steps.layers + r * wide + from; };
    const auto through = [=](int64_t r) { return inner.layers.get() + r * wide + from; };
    matrix(in.batch * in.steps, through, given, in.key, in.key, gradients.w_deeper + from * in.key);
    bias(inner.layers.get(), wide, from, in.key, 0, 1, gradients.deeper_bias + from);
  }

  // Of the states that were in memory and read, and of all steps'.
  void project() const {
    std::vector<const T*> left, right;
    for (int64_t b = 0; b < in.batch; ++b) {
      for (int64_t slot = 0; slot < in.old; ++slot)
        if (inner.was_read[b * in.zones + slot / in.slots]) {
          left.push_back(inner.old.get() + (b * in.old + slot) * in.width);
          right.push_back(this->value(b, slot));
        }
      for (int64_t t = 0; t < in.steps; ++t) {
        left.push_back(inner.projected.get() + this->at(b, t) * in.width);
        right.push_back(this->state(b, t));
      }
    }
    matrix(
        left.size(), [&](int64_t r) { return left[r]; }, [&](int64_t r) { return right[r]; },
        in.width, gradients.w_project);
    share(in.width, in.threads, [&](int64_t begin, int64_t end) {
      for (const T* row : left)
        for (int64_t d = begin; d < end; ++d) gradients.project_bias[d] += row[d];
    });
  }

  // Of the slot that step t writes, and the steps a zone later, and so on.
  void key(int64_t t) const {
    const int64_t times = (in.steps - t + in.slots - 1) / in.slots;
    const auto at = [=](int64_t r) { return this->at(r / times, t + r % times * in.slots); };
    add_outer(
        in.batch * times, [=](int64_t r) { return inner.keys.get() + at(r) * in.key; },
        [=](int64_t r) { return steps.states + at(r) * in.hidden; }, 0, in.key, in.hidden,
        gradients.w_key + in.slot(t) * in.hidden, in.slots * in.hidden);
  }

  // Sum over steps t, t + every, and so on.
  void bias(const T* table, int64_t dim, int64_t offset, int64_t n, int64_t t, int64_t every,
            T* to) const {
    for (int64_t b = 0; b < in.batch; ++b)
      for (int64_t step = t; step < in.steps; step += every)
        for (int64_t d = 0; d < n; ++d) to[d] += table[this->at(b, step) * dim + offset + d];
  }
};

// Go through some rows of the batch, together only as many as keep their memories in the cache, but
// enough for a product: few share the reading of the weights well enough.
template <typename T, typename Work>
void share_rows(const Sizes& in, const Work& work) {
  constexpr int64_t CACHE = 1 << 21, FEWEST = TILE_ROWS;
  const int64_t slots = std::min(in.old + in.steps, in.zones * in.slots);
  const int64_t fit = CACHE / (slots * (in.hidden + in.width) * sizeof(T));
  const int64_t group = std::max(FEWEST, fit / FEWEST * FEWEST);
  share(in.batch, in.threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row += group) work(row, std::min(row + group, end));
  });
}

template <typename T>
void forward(const Sizes& in, const Weights<T>& weights, const Window<T>& window,
             const Steps<T>& steps) {
  const Matrices<T> matrices(in, weights, false);
  share_rows<T>(in, [&](int64_t begin, int64_t end) {
    Forward<T>(in, weights, window, steps, matrices).run(begin, end);
  });
}

template <typename T>
void backward(const Sizes& in, const Weights<T>& weights, const Window<T>& window,
              const Steps<T>& steps, const Gradients<T>& gradients) {
  const Matrices<T> matrices(in, weights, true);
  Inner<T> inner(in, gradients);
  share_rows<T>(in, [&](int64_t begin, int64_t end) {
    Backward<T>(in, weights, window, steps, matrices, gradients, inner).run(begin, end);
  });
  Bulk<T>(in, window, steps, gradients, inner).run();
}

}  // namespace

extern "C" {

#define CRAN(name, T)                                                                           \
  void cran_forward_##name(const Sizes* in, const Weights<T>* weights, const Window<T>* window, \
                           const Steps<T>* steps) {                                             \
    forward(*in, *weights, *window, *steps);                                                    \
  }                                                                                             \
  void cran_backward_##name(const Sizes* in, const Weights<T>* weights, const Window<T>* window, \
                            const Steps<T>* steps, const Gradients<T>* gradients) {             \
    backward(*in, *weights, *window, *steps, *gradients);                                       \
  }

CRAN(float, float)
CRAN(double, double)

}  // extern "C"
