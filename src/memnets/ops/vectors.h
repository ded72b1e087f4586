// Rows of numbers in the processor's registers: inner products, and sums of rows.

#pragma once

#include <cstdint>
#include <cstring>

namespace {

using std::int64_t;

#if defined(__AVX512F__)
constexpr int BYTES = 64, TILE_ROWS = 8, ACCUMULATORS = 16;
#elif defined(__AVX__)
constexpr int BYTES = 32, TILE_ROWS = 4, ACCUMULATORS = 8;
#else
constexpr int BYTES = 16, TILE_ROWS = 4, ACCUMULATORS = 8;
#endif

template <typename T>
struct Vector;
template <>
struct Vector<float> {
  typedef float Type __attribute__((vector_size(BYTES)));
};
template <>
struct Vector<double> {
  typedef double Type __attribute__((vector_size(BYTES)));
};
template <typename T>
using V = typename Vector<T>::Type;
template <typename T>
constexpr int LANES = BYTES / sizeof(T);

template <typename T>
V<T> load(const T* from) {
  V<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename T>
void store(T* to, V<T> vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// The sum of N numbers, half added to half; they are overwritten.
template <int N, typename T>
T sum_of(T* lanes) {
  if constexpr (N == 1) {
    return *lanes;
  } else {
    for (int i = 0; i < N / 2; ++i) lanes[i] += lanes[i + N / 2];
    return sum_of<N / 2>(lanes);
  }
}

// out_i = x . row_i of R rows
template <int R, typename T>
void dot_rows(const T* x, const T* const* rows, int64_t dim, T* out) {
  V<T> even[R] = {}, odd[R] = {};
  int64_t d = 0;
  for (; d + 2 * LANES<T> <= dim; d += 2 * LANES<T>) {
    const V<T> first = load(x + d), second = load(x + d + LANES<T>);
    for (int i = 0; i < R; ++i) {
      even[i] += first * load(rows[i] + d);
      odd[i] += second * load(rows[i] + d + LANES<T>);
    }
  }
  for (int i = 0; i < R; ++i) {
    T lanes[LANES<T>];
    store<T>(lanes, even[i] + odd[i]);
    out[i] = sum_of<LANES<T>>(lanes);
    for (int64_t rest = d; rest < dim; ++rest) out[i] += x[rest] * rows[i][rest];
  }
}

template <typename T>
void dots(const T* x, const T* const* rows, int64_t count, int64_t dim, T* out) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) dot_rows<4>(x, rows + i, dim, out + i);
  for (; i < count; ++i) dot_rows<1>(x, rows + i, dim, out + i);
}

// One piece of y += sum_i by_i row_i, as long as A registers; the next pieces are smaller.
template <int A, typename T>
void add_pieces(T* y, const T* by, const T* const* rows, int64_t count, int64_t d, int64_t dim) {
  constexpr int piece = A * LANES<T>;
  for (; d + piece <= dim; d += piece) {
    V<T> sum[A];
    for (int j = 0; j < A; ++j) sum[j] = load(y + d + j * LANES<T>);
    for (int64_t i = 0; i < count; ++i)
      for (int j = 0; j < A; ++j) sum[j] += by[i] * load(rows[i] + d + j * LANES<T>);
    for (int j = 0; j < A; ++j) store<T>(y + d + j * LANES<T>, sum[j]);
  }
  if constexpr (A > 1) {
    add_pieces<A / 2>(y, by, rows, count, d, dim);
  } else {
    for (; d < dim; ++d)
      for (int64_t i = 0; i < count; ++i) y[d] += by[i] * rows[i][d];
  }
}

// y += sum_i by_i row_i
template <typename T>
void add(T* y, const T* by, const T* const* rows, int64_t count, int64_t dim) {
  if (count) add_pieces<ACCUMULATORS>(y, by, rows, count, 0, dim);
}

}  // namespace
