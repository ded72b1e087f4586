// Neurons of a Hopfield network that change one after the other. The plain twin is `_plain` of
// flips.py.
//
//   where s_i h_i < 0:  s_i <- -s_i,  h_j <- h_j + 2 s_i w_ij for all j
//
// The fields h are kept, not computed anew: looking at a neuron costs a comparison, and only a flip
// costs a row of the weights. Rows of the batch never meet, so each thread takes some of them, and
// the same inputs give the same bits however many there are.

#include <cstdint>

#include "parallel.h"

namespace {

using std::int64_t;

// Mirrors `_Sizes` of flips.py, field by field.
struct Sizes {
  int64_t batch, dim, sweeps;
  int64_t orders;  // rows of the orders; a sweep beyond the last one takes the last one again
  int64_t in_turn;  // whether there is one order, from the first neuron to the last
  int64_t threads;
};

template <typename H>
bool pulled_over(int8_t state, H field) {
  return ((state > 0) & (field < 0)) | ((state < 0) & (field > 0));
}

// The first place from here on whose neuron has a field of the other sign. Most have not: where
// neurons come in turn, some are looked at together.
template <typename H>
int64_t next_flip(const Sizes& in, int64_t place, const int64_t* order, const int8_t* states,
                  const H* fields) {
  constexpr int64_t SOME = 32;
  for (; in.in_turn && place + SOME <= in.dim; place += SOME) {
    bool found = false;
    for (int64_t k = place; k < place + SOME; ++k) found |= pulled_over(states[k], fields[k]);
    if (found) break;
  }
  for (; place < in.dim; ++place) {
    if (pulled_over(states[order[place]], fields[order[place]])) break;
  }
  return place;
}

// h += 2 w or h -= 2 w, while the row that is likely to be wanted next is brought nearer. No product
// of whole numbers, which would cost more than the rest.
template <bool UP, typename W, typename H>
void add_twice(int64_t dim, const W* __restrict row, const W* next, H* __restrict fields) {
  constexpr int64_t LINE = 64 / sizeof(W);
  int64_t j = 0;
  for (; j + LINE <= dim; j += LINE) {
    __builtin_prefetch(next + j);
    for (int64_t k = j; k < j + LINE; ++k) {
      const H twice = H(row[k]) + H(row[k]);
      fields[k] = UP ? fields[k] + twice : fields[k] - twice;
    }
  }
  for (; j < dim; ++j) {
    const H twice = H(row[j]) + H(row[j]);
    fields[j] = UP ? fields[j] + twice : fields[j] - twice;
  }
}

// One sweep over a row; returns how many neurons flipped, and adds up the drop of the energy.
template <typename W, typename H, typename Drop>
int64_t sweep(const Sizes& in, const W* weights, const int64_t* order, int8_t* states, H* fields,
              Drop* drop) {
  const int64_t dim = in.dim;
  int64_t flips = 0, place = next_flip(in, 0, order, states, fields);
  for (; place < dim; ++flips) {
    const int64_t i = order[place];
    *drop += 2 * Drop(fields[i] < 0 ? -fields[i] : fields[i]);
    states[i] = -states[i];
    // By the fields as they are before this flip, which may change what comes next.
    const int64_t likely = next_flip(in, place + 1, order, states, fields);
    const W *row = weights + i * dim, *next = weights + order[likely < dim ? likely : 0] * dim;
    if (states[i] > 0)
      add_twice<true>(dim, row, next, fields);
    else
      add_twice<false>(dim, row, next, fields);
    place = next_flip(in, place + 1, order, states, fields);
  }
  return flips;
}

template <typename W, typename H, typename Drop>
void run(const Sizes& in, const W* weights, const int64_t* orders, int8_t* states, H* fields,
         int64_t* flips, Drop* drops) {
  share(in.batch, in.threads, [&](int64_t from, int64_t to) {
    for (int64_t row = from; row < to; ++row)
      for (int64_t t = 0; t < in.sweeps; ++t) {
        const int64_t* order = orders + (t < in.orders ? t : in.orders - 1) * in.dim;
        const int64_t at = row * in.sweeps + t;
        flips[at] = sweep(in, weights, order, states + row * in.dim, fields + row * in.dim,
                          drops + at);
        if (flips[at] == 0) break;
      }
  });
}

}  // namespace

extern "C" {

void flips_whole(const Sizes* in, const int16_t* weights, const int64_t* orders, int8_t* states,
                 int32_t* fields, int64_t* flips, int64_t* drops) {
  run(*in, weights, orders, states, fields, flips, drops);
}

void flips_double(const Sizes* in, const double* weights, const int64_t* orders, int8_t* states,
                  double* fields, int64_t* flips, double* drops) {
  run(*in, weights, orders, states, fields, flips, drops);
}
}
