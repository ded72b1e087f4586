// Additive scores without the hidden layer of all pairs. The plain twin is `_plain` of additive.py.
//
//   e_ij = sum_d v_d tanh(a_id + b_jd),   tanh(x) = 1 - 2 / (e^{2x} + 1)
//
// For several queries the exponential is factorised, e^{2(a + b)} = e^{2a} e^{2b}: what grows with
// queries x slots x hidden is then a multiply-add and a division. A product that overflows gives 1
// and one that vanishes gives -1, as it should, but a factor must do neither. Where one would, and
// for few queries, the exponential is taken of each pair. Where all are small, 1 - 2 / ... would
// lose their digits: it is then t / (t + 2) with t = e^{2(a + b)} - 1, which is made of the factors
// less one, e^{2a} - 1 and e^{2b} - 1.
//
// Every sum runs in the same order however many threads there are: the same inputs give the same
// bits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "exponential.h"
#include "parallel.h"

namespace {

using std::int64_t;

// Mirrors `_Sizes` of additive.py.
struct Sizes {
  int64_t batch, queries, slots, hidden, threads;
  double limit;  // of a query or key that is to have factors

  int64_t query_numbers() const { return batch * queries * hidden; }
  int64_t key_numbers() const { return batch * slots * hidden; }
};

constexpr int64_t TILE = 64;   // slots that are met by all queries while they are in the cache
constexpr int64_t ROW = 4096;  // numbers that are made to factors before one beyond is noticed
constexpr double SMALL = 0.5;  // size up to which the factors less one lose no digits
constexpr int64_t BLOCK = 64;  // numbers of the hidden layer that one thread takes on the way back

// tanh(a + b) from the factors e^{2a} and e^{2b}.
struct OfFactors {
  template <typename T>
  T operator()(T query, T key) const {
    return 1 - 2 / (query * key + 1);
  }
};

// tanh(a + b) from the factors less one, of small a and b.
struct OfSmallFactors {
  template <typename T>
  T operator()(T query, T key) const {
    const T less_one = query * key + (query + key);
    return less_one / (less_one + 2);
  }
};

// tanh(a + b) from a and b.
struct OfSum {
  template <typename T>
  T operator()(T query, T key) const {
    return saturating_tanh(query + key);
  }
};

// Write a factor of each of n numbers x, made from 2x. Return whether all were within the limit, as
// a NaN is not; what is left is not looked at once one is beyond.
template <typename T, typename Factor>
bool factorise(Factor factor, const T* x, T* factors, int64_t n, T limit) {
  for (int64_t begin = 0; begin < n; begin += ROW) {
    const int64_t end = std::min(begin + ROW, n);
    int64_t beyond = 0;
#pragma omp simd reduction(+ : beyond)
    for (int64_t i = begin; i < end; ++i) {
      factors[i] = factor(2 * x[i]);
      beyond += !(std::abs(x[i]) <= limit);
    }
    if (beyond) return false;
  }
  return true;
}

template <typename T, typename Tanh>
T score(Tanh tanh, const T* query, const T* key, const T* vector, int64_t n) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t d = 0; d < n; ++d) sum += vector[d] * tanh(query[d], key[d]);
  return sum;
}

template <typename T, typename Tanh>
void forward(Tanh tanh, const Sizes& in, const T* queries, const T* keys, const T* vector,
             T* scores) {
  share(in.batch * in.queries, in.threads, [=](int64_t begin, int64_t end) {
    for (int64_t first = begin, last; first < end; first = last) {
      const int64_t b = first / in.queries;
      last = std::min(end, (b + 1) * in.queries);
      const T* memory = keys + b * in.slots * in.hidden;
      for (int64_t tile = 0; tile < in.slots; tile += TILE)
        for (int64_t q = first; q < last; ++q)
          for (int64_t k = tile; k < std::min(tile + TILE, in.slots); ++k)
            scores[q * in.slots + k] =
                score(tanh, queries + q * in.hidden, memory + k * in.hidden, vector, in.hidden);
    }
  });
}

// One query and one slot, n numbers of the hidden layer: with h = tanh and g = dL/de, add
// g v (1 - h^2) to the gradients of both, and g h to that of v.
template <typename T, typename Tanh>
void meet_backward(Tanh tanh, const T* query, const T* key, const T* vector, T grad, T* grad_query,
                   T* grad_key, T* grad_vector, int64_t n) {
#pragma omp simd
  for (int64_t d = 0; d < n; ++d) {
    const T h = tanh(query[d], key[d]);
    const T through = grad * vector[d] * (1 - h * h);
    grad_query[d] += through;
    grad_key[d] += through;
    grad_vector[d] += grad * h;
  }
}

// Add to gradients that come as zeros; there is one of v for each of the batch.
template <typename T, typename Tanh>
void backward(Tanh tanh, const Sizes& in, const T* queries, const T* keys, const T* vector,
              const T* grad_scores, T* grad_queries, T* grad_keys, T* grad_vector) {
  const int64_t blocks = (in.hidden + BLOCK - 1) / BLOCK;
  share(in.batch * blocks, in.threads, [=](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t b = task / blocks, d = task % blocks * BLOCK, n = std::min(BLOCK, in.hidden - d);
      for (int64_t tile = 0; tile < in.slots; tile += TILE)
        for (int64_t q = b * in.queries; q < (b + 1) * in.queries; ++q) {
          T sum[BLOCK] = {};  // over the slots of a tile
          for (int64_t k = tile; k < std::min(tile + TILE, in.slots); ++k) {
            const int64_t query = q * in.hidden + d, slot = (b * in.slots + k) * in.hidden + d;
            meet_backward(tanh, queries + query, keys + slot, vector + d,
                          grad_scores[q * in.slots + k], grad_queries + query, grad_keys + slot,
                          sum, n);
          }
          for (int64_t i = 0; i < n; ++i) grad_vector[b * in.hidden + d + i] += sum[i];
        }
    }
  });
}

// Call `work` with the way to take tanh and what it takes it from. `factors` is room for those of
// queries and keys, or null where they are not wanted.
template <typename T, typename Work>
void prepare(const Sizes& in, const T* queries, const T* keys, T* factors, const Work& work) {
  const int64_t own = in.query_numbers(), others = in.key_numbers();
  const auto are_factors = [=](auto factor, double limit) {
    return factors && factorise(factor, queries, factors, own, T(limit)) &&
           factorise(factor, keys, factors + own, others, T(limit));
  };
  if (are_factors([](T x) { return exponential_less_one(x); }, SMALL))
    work(OfSmallFactors(), factors, factors + own);
  else if (are_factors([](T x) { return exponential(x); }, in.limit))
    work(OfFactors(), factors, factors + own);
  else
    work(OfSum(), queries, keys);
}

}  // namespace

extern "C" {

#define ADDITIVE(name, T)                                                                       \
  void additive_forward_##name(const Sizes* in, const T* queries, const T* keys, T* factors,    \
                               const T* vector, T* scores) {                                    \
    prepare(*in, queries, keys, factors, [=](auto tanh, const T* query, const T* key) {         \
      forward(tanh, *in, query, key, vector, scores);                                           \
    });                                                                                         \
  }                                                                                             \
  void additive_backward_##name(const Sizes* in, const T* queries, const T* keys, T* factors,   \
                                const T* vector, const T* grad_scores, T* grad_queries,         \
                                T* grad_keys, T* grad_vector) {                                 \
    prepare(*in, queries, keys, factors, [=](auto tanh, const T* query, const T* key) {         \
      backward(tanh, *in, query, key, vector, grad_scores, grad_queries, grad_keys,             \
               grad_vector);                                                                    \
    });                                                                                         \
  }

ADDITIVE(float, float)
ADDITIVE(double, double)

}  // extern "C"
