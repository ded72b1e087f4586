// Products of small matrices. A panel of the right factor stays in the cache, and a tile of the
// product in registers.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "vectors.h"

namespace {

template <typename T>
constexpr int PANEL = 2 * LANES<T>;  // columns that are computed side by side

// A matrix as a product wants it: in panels of some columns, each laid out row by row.
template <typename T>
class Packed {
 public:
  int64_t depth = 0, columns = 0;

  Packed() = default;
  Packed(int64_t depth, int64_t columns)
      : depth(depth), columns(columns), numbers(new T[panels() * depth * PANEL<T>]) {}

  int64_t panels() const { return (columns + PANEL<T> - 1) / PANEL<T>; }
  const T* panel(int64_t p) const { return &numbers[p * depth * PANEL<T>]; }

  // Fill in number (k, n) = from[k * by_row + n * by_column].
  void pack(const T* from, int64_t by_row, int64_t by_column) {
    constexpr int64_t TALL = 16;  // rows at a time: those of a cache line, where columns are laid out
    for (int64_t first = 0; first < columns; first += PANEL<T>)
      for (int64_t top = 0; top < depth; top += TALL) {
        T* to = &numbers[first * depth + top * PANEL<T>];
        const int64_t tall = std::min(TALL, depth - top);
        for (int64_t n = 0; n < PANEL<T>; ++n)
          for (int64_t k = 0; k < tall; ++k)
            to[k * PANEL<T> + n] =
                first + n < columns ? from[(top + k) * by_row + (first + n) * by_column] : T(0);
      }
  }

 private:
  std::unique_ptr<T[]> numbers;
};

// Numbers of the left factor: those of a matrix of rows, or of a packed panel of TILE_ROWS columns.
template <typename T>
struct ByRow {
  const T* from;
  int64_t stride;
  T operator()(int64_t i, int64_t k) const { return from[i * stride + k]; }
};
template <typename T>
struct ByColumn {
  const T* from;
  T operator()(int64_t i, int64_t k) const { return from[k * TILE_ROWS + i]; }
};

// M rows of one panel: c = base + a b.
template <int M, typename T, typename Left>
void tile(Left a, const T* b, int64_t depth, const T* base, int64_t base_stride, T* c,
          int64_t stride, int64_t wide) {
  V<T> sum[M][2];
  const bool whole = wide == PANEL<T>;
  T edge[PANEL<T>] = {};
  for (int i = 0; i < M; ++i) {
    const T* from = base + i * base_stride;
    if (!whole) from = std::copy_n(from, wide, edge) - wide;
    sum[i][0] = load(from);
    sum[i][1] = load(from + LANES<T>);
  }
  for (int64_t k = 0; k < depth; ++k, b += PANEL<T>) {
    const V<T> first = load(b), second = load(b + LANES<T>);
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) {
      const T x = a(i, k);
      sum[i][0] += x * first;
      sum[i][1] += x * second;
    }
  }
  for (int i = 0; i < M; ++i) {
    T* to = whole ? c + i * stride : edge;
    store<T>(to, sum[i][0]);
    store<T>(to + LANES<T>, sum[i][1]);
    if (!whole) std::copy_n(edge, wide, c + i * stride);
  }
}

template <int M, typename T, typename Left>
void some_rows(int64_t rows, Left a, const T* b, int64_t depth, const T* base, int64_t base_stride,
               T* c, int64_t stride, int64_t wide) {
  if (rows == M)
    tile<M>(a, b, depth, base, base_stride, c, stride, wide);
  else if constexpr (M > 1)
    some_rows<M - 1>(rows, a, b, depth, base, base_stride, c, stride, wide);
}

// c = base + a b; base may be c, or a single row with stride 0.
template <typename T>
void multiply(const T* a, int64_t a_stride, int64_t rows, const Packed<T>& b, const T* base,
              int64_t base_stride, T* c, int64_t stride) {
  for (int64_t p = 0; p < b.panels(); ++p) {
    const int64_t n = p * PANEL<T>, wide = std::min<int64_t>(PANEL<T>, b.columns - n);
    for (int64_t i = 0; i < rows; i += TILE_ROWS)
      some_rows<TILE_ROWS>(std::min<int64_t>(TILE_ROWS, rows - i),
                           ByRow<T>{a + i * a_stride, a_stride}, b.panel(p), b.depth,
                           base + i * base_stride + n, base_stride, c + i * stride + n, stride,
                           wide);
  }
}

// Copy n of N numbers; the others become 0.
template <int N, typename T>
void copy_some(const T* from, int64_t n, T* to) {
  if (n == N)
    std::copy_n(from, N, to);
  else
    std::fill(std::copy_n(from, n, to), to + N, T(0));
}

// Rows begin to end - 1 of c += sum_r a_r^T b_r, where `left` and `right` tell where row r stands.
template <typename T, typename Left, typename Right>
void add_outer(int64_t rows, Left left, Right right, int64_t begin, int64_t end, int64_t columns,
               T* c, int64_t stride) {
  constexpr int64_t BLOCK = 256;
  const int64_t panels = (columns + PANEL<T> - 1) / PANEL<T>;
  std::unique_ptr<T[]> a(new T[BLOCK * TILE_ROWS]), b(new T[panels * BLOCK * PANEL<T>]);
  for (int64_t first = 0; first < rows; first += BLOCK) {
    const int64_t depth = std::min(BLOCK, rows - first);
    for (int64_t k = 0; k < depth; ++k) {
      const T* row = right(first + k);
      for (int64_t p = 0; p < panels; ++p) {
        const int64_t n = p * PANEL<T>, wide = std::min<int64_t>(PANEL<T>, columns - n);
        copy_some<PANEL<T>>(row + n, wide, &b[(p * BLOCK + k) * PANEL<T>]);
      }
    }
    for (int64_t m = begin; m < end; m += TILE_ROWS) {
      const int64_t high = std::min<int64_t>(TILE_ROWS, end - m);
      for (int64_t k = 0; k < depth; ++k)
        copy_some<TILE_ROWS>(left(first + k) + m, high, &a[k * TILE_ROWS]);
      for (int64_t p = 0; p < panels; ++p) {
        const int64_t n = p * PANEL<T>;
        T* to = c + m * stride + n;
        some_rows<TILE_ROWS>(high, ByColumn<T>{a.get()}, &b[p * BLOCK * PANEL<T>], depth, to,
                             stride, to, stride, std::min<int64_t>(PANEL<T>, columns - n));
      }
    }
  }
}

}  // namespace
