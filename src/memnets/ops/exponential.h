// e^x and log x without a call, so that loops of them vectorise.

#pragma once

#include <cstdint>
#include <cstring>

namespace {

template <typename T>
struct Format;

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int fraction = 23, bias = 127, terms = 7;
  static constexpr float round = 0x1.8p23f;  // adding and subtracting it rounds to an integer
  static constexpr float log2_high = 0.693359375f, log2_low = -2.12194440e-4f;
  static constexpr float least = -87, most = 88;  // between them e^x is an ordinary number
  static constexpr float saturated = 10;          // tanh is 1 from here on
};

template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int fraction = 52, bias = 1023, terms = 13;
  static constexpr double round = 0x1.8p52;
  static constexpr double log2_high = 6.93145751953125e-1, log2_low = 1.42860682030941723212e-6;
  static constexpr double least = -708, most = 709;
  static constexpr double saturated = 20;
};

constexpr double INVERSE_FACTORIALS[] = {
    1.0,         1.0,          1.0 / 2,       1.0 / 6,        1.0 / 24,
    1.0 / 120,   1.0 / 720,    1.0 / 5040,    1.0 / 40320,    1.0 / 362880,
    1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
};

// e^x = 2^n e^r with |r| <= log(2) / 2, for x whose e^x is an ordinary number; written so that a
// loop of it vectorises. Returns the power 2^n, and the sum of the series of e^r from term `last`
// on, without the r^last that all its terms have.
template <int last, typename T>
inline T exponential_parts(T x, T& r, T& power) {
  using In = Format<T>;
  const T shifted = x * T(1.4426950408889634) + In::round;
  const T n = shifted - In::round;
  r = (x - n * In::log2_high) - n * In::log2_low;
  T sum = T(INVERSE_FACTORIALS[In::terms]);
#pragma GCC unroll 16
  for (int i = In::terms - 1; i >= last; --i) sum = sum * r + T(INVERSE_FACTORIALS[i]);
  typename In::Bits bits;  // n stands in the low bits of `shifted`; it becomes the exponent
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + In::bias) << In::fraction;
  std::memcpy(&power, &bits, sizeof power);
  return sum;
}

template <typename T>
inline T exponential(T x) {
  T r, power;
  const T sum = exponential_parts<0>(x, r, power);
  return sum * power;
}

// e^x - 1 to the last digits also where x is tiny, and the 1 would round them away.
template <typename T>
inline T exponential_less_one(T x) {
  T r, power;
  const T sum = exponential_parts<1>(x, r, power);
  return sum * r * power + (power - 1);
}

// The same of any x: far out it is as good as 0, or as infinity. So written, NaN stays NaN.
template <typename T>
inline T clamped_exponential(T x) {
  x = x < Format<T>::least ? Format<T>::least : x;
  x = x > Format<T>::most ? Format<T>::most : x;
  return exponential(x);
}

// The same below 1, and 0 far out.
template <typename T>
inline T vanishing_exponential(T x) {
  const T found = clamped_exponential(x);
  return x < Format<T>::least ? T(0) : found;
}

// log x of an ordinary number above 0. NaN stays NaN.
template <typename T>
inline T logarithm(T x) {
  using In = Format<T>;
  using Bits = typename In::Bits;
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  constexpr Bits fraction = (Bits(1) << In::fraction) - 1;
  const Bits raised = Bits(In::bias) << In::fraction;
  T n = T(std::int32_t(bits >> In::fraction) - In::bias);
  bits = (bits & fraction) | raised;
  T m;
  std::memcpy(&m, &bits, sizeof m);
  const bool large = m > T(1.4142135623730951);
  m = large ? m / 2 : m;
  n = large ? n + 1 : n;
  const T s = (m - 1) / (m + 1), square = s * s;
  constexpr int terms = sizeof(T) == 4 ? 6 : 12;
  T sum = T(1) / (2 * terms + 1);
#pragma GCC unroll 16
  for (int i = terms - 1; i >= 0; --i) sum = sum * square + T(1) / (2 * i + 1);
  const T found = n * In::log2_high + (n * In::log2_low + 2 * s * sum);
  return x != x ? x : found;
}

template <typename T>
inline T sigmoid(T x) {
  return 1 / (1 + clamped_exponential(-x));
}

// tanh to the last digits also where x is tiny. So written, NaN stays NaN.
template <typename T>
inline T saturating_tanh(T x) {
  x = x > Format<T>::saturated ? Format<T>::saturated : x;
  x = x < -Format<T>::saturated ? -Format<T>::saturated : x;
  const T less_one = exponential_less_one(2 * x);
  return less_one / (less_one + 2);
}

}  // namespace
