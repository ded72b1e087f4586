// Upper bounds of products, from keys of four bits a number. The plain twins are in four_bits.py.
//
//   bound_ij = step_j (scale_i sum_d code_jd query_id + off_i)
//
// Codes are 0 to 15, queries whole numbers of a byte, their sums exact. A pass over all keys is a
// pass over memory: what is to be gained is their size.
//
// Keys lie in blocks of 16, in these by eight numbers, in these by key: a byte has the numbers d
// and d + 4 of a key, and four bytes that follow each other are one number of the sums.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "parallel.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace {

using std::int64_t;

// Mirrors `_Sizes` of four_bits.py.
struct Sizes {
  int64_t queries, keys, dim, width, threads;  // width: dim, in whole eights

  int64_t blocks() const;
};

constexpr int BLOCK = 16;
constexpr int BYTES = 4 * BLOCK;
constexpr float MIDDLE = 7.5, LAST = 15;

int64_t Sizes::blocks() const { return (keys + BLOCK - 1) / BLOCK; }

typedef int32_t Sums __attribute__((vector_size(4 * BLOCK)));
typedef uint8_t Codes __attribute__((vector_size(BYTES)));

// sums_j += sum_{d < 4} codes_{4 j + d} query_d
inline void add_products(Sums& sums, Codes codes, const int8_t* query) {
#if defined(__AVX512VNNI__) || defined(__AVX2__)
  int32_t four;
  std::memcpy(&four, query, sizeof four);
#endif
#if defined(__AVX512VNNI__)
  sums = Sums(_mm512_dpbusd_epi32(__m512i(sums), __m512i(codes), _mm512_set1_epi32(four)));
#elif defined(__AVX2__)
  __m256i some[2], sum[2];
  std::memcpy(some, &codes, sizeof some);
  std::memcpy(sum, &sums, sizeof sum);
  for (int half = 0; half < 2; ++half) {  // a pair is within 16 bits: 2 * 15 * 127 at most
    const __m256i pairs = _mm256_maddubs_epi16(some[half], _mm256_set1_epi32(four));
    sum[half] = _mm256_add_epi32(sum[half], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  std::memcpy(&sums, sum, sizeof sum);
#else
  for (int key = 0; key < BLOCK; ++key)
    for (int d = 0; d < 4; ++d) sums[key] += codes[4 * key + d] * query[d];
#endif
}

// The bounds of the keys of one block with one query; -inf of what is beyond the last key.
void bound_block(const Sizes& in, const uint8_t* codes, const float* steps, const int8_t* query,
                 float scale, float off, int64_t block, float* out) {
  const uint8_t* from = codes + block * BLOCK * in.width / 2;
  Sums low = {}, high = {};
  for (int64_t d = 0; d < in.width; d += 8, from += BYTES) {
    Codes both;
    std::memcpy(&both, from, sizeof both);
    add_products(low, both & 15, query + d);
    add_products(high, both >> 4, query + d + 4);
  }
  const Sums sums = low + high;
  for (int key = 0; key < BLOCK; ++key)
    out[key] = steps[block * BLOCK + key] * (scale * float(sums[key]) + off);
  const int64_t here = std::min<int64_t>(BLOCK, in.keys - block * BLOCK);
  std::fill(out + here, out + BLOCK, -std::numeric_limits<float>::infinity());
}

// The codes of one key into its place; the squared lengths of what is lost and of what is kept.
struct Lengths {
  double lost, kept;
};
Lengths pack_key(const Sizes& in, const float* key, uint8_t* numbers, uint8_t* to, float& step) {
  float most = LAST * std::numeric_limits<float>::min();  // no step vanishes
  for (int64_t d = 0; d < in.dim; ++d) most = std::max(most, std::fabs(key[d]));
  step = most / MIDDLE;
  float lost = 0, kept = 0;
#pragma omp simd reduction(+ : lost, kept)
  for (int64_t d = 0; d < in.dim; ++d) {
    const float exact = key[d] / step;
    const float code = std::min(std::max(std::nearbyint(exact + MIDDLE), 0.0f), LAST);
    const float packed = code - MIDDLE;
    lost += (exact - packed) * (exact - packed);
    kept += packed * packed;
    numbers[d] = uint8_t(code);
  }
  for (int64_t d = 0; d < in.width; d += 8, to += BYTES)
    for (int i = 0; i < 4; ++i) to[i] = uint8_t(numbers[d + i] | numbers[d + i + 4] << 4);
  return {lost, kept};
}

}  // namespace

extern "C" {

// `lengths`: two numbers a block, of what is lost and of what is kept, in steps: the most of all.
void four_bits_pack(const Sizes* sizes, const float* keys, uint8_t* codes, float* steps,
                    float* lengths) {
  const Sizes in = *sizes;
  share(in.blocks(), in.threads, [=](int64_t begin, int64_t end) {
    std::vector<uint8_t> numbers(in.width);
    for (int64_t block = begin; block < end; ++block) {
      Lengths most = {};
      const int64_t here = std::min<int64_t>(BLOCK, in.keys - block * BLOCK);
      for (int64_t i = 0; i < here; ++i) {
        const int64_t key = block * BLOCK + i;
        uint8_t* to = codes + block * BLOCK * in.width / 2 + 4 * i;
        const Lengths found =
            pack_key(in, keys + key * in.dim, numbers.data(), to, steps[key]);
        most = {std::max(most.lost, found.lost), std::max(most.kept, found.kept)};
      }
      lengths[2 * block] = float(std::sqrt(most.lost));
      lengths[2 * block + 1] = float(std::sqrt(most.kept));
    }
  });
}

// The highest bound of every block.
void four_bits_highest(const Sizes* sizes, const uint8_t* codes, const float* steps,
                       const int8_t* queries, const float* scales, const float* offs,
                       float* highest) {
  const Sizes in = *sizes;
  share(in.blocks(), in.threads, [=](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block)
      for (int64_t q = 0; q < in.queries; ++q) {
        float bounds[BLOCK];
        bound_block(in, codes, steps, queries + q * in.width, scales[q], offs[q], block, bounds);
        highest[q * in.blocks() + block] = *std::max_element(bounds, bounds + BLOCK);
      }
  });
}

// The bounds of the keys of some blocks with one query.
void four_bits_bounds(const Sizes* sizes, const uint8_t* codes, const float* steps,
                      const int8_t* query, const float* scale, const float* off, int64_t chosen,
                      const int64_t* blocks, float* bounds) {
  for (int64_t i = 0; i < chosen; ++i)
    bound_block(*sizes, codes, steps, query, *scale, *off, blocks[i], bounds + i * BLOCK);
}

}  // extern "C"
