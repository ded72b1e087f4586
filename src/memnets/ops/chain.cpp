// Linear chains of states, forth and back, and the derivatives of what they give. The plain twin is
// `_plain` of chain.py, which says what is computed.
//
// ROWS sequences go through all steps together, one in each lane of the processor's registers, so
// that few states are as quick as many. No lane meets another: a sequence has the same bits in
// whatever company, and however much padding follows it. The lanes beyond the last sequence are
// masked throughout. Blocks of sequences are shared among threads; the gradients of a matrix that
// all steps share come block by block and are summed by the caller, so the bits do not depend on
// the threads either.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "exponential.h"
#include "lanes.h"
#include "parallel.h"

namespace {

using std::int64_t;
using std::uint8_t;

constexpr int64_t ROWS = 16;  // `ROWS` of chain.py

// Mirrors `_Sizes` of chain.py, field by field.
struct Sizes {
  int64_t rows, steps, states;
  int64_t shared;  // whether all steps have one matrix
  int64_t threads;

  int64_t blocks() const { return (rows + ROWS - 1) / ROWS; }
  int64_t lane() const { return states * ROWS; }             // numbers of a step
  int64_t tile() const { return states * states * ROWS; }    // numbers of a step's matrices
};

template <typename T>
struct Inputs {
  const T *unary, *pairwise;
  const uint8_t* mask;
};

template <typename T>
struct Found {
  T *log_partition, *marginals, *shares;  // the first is null on the way back
};

template <typename T>
struct Gradients {
  const T *log_partition, *marginals;  // these are given; either may be null
  T *unary, *pairwise;
};

// The sequences of a block, and what of them is the same on both ways.
template <typename T>
class Block {
 public:
  Block(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block)
      : in(in), inputs(inputs), found(found), first(block * ROWS),
        count(std::min(ROWS, in.rows - first)), shares(found.shares + block * in.steps * in.tile()),
        there(in.steps * ROWS), follows(in.steps * ROWS) {
    bool started[ROWS] = {};
    for (int64_t t = 0; t < in.steps; ++t)
      for (int64_t r = 0; r < ROWS; ++r) {
        const bool here = r < count && inputs.mask[(first + r) * in.steps + t];
        there[t * ROWS + r] = here;
        follows[t * ROWS + r] = here && started[r];
        started[r] |= here;
      }
  }

 protected:
  // Bring the numbers of a step to the lanes, or back; lanes without a sequence have zeros.
  void gather(const T* from, int64_t t, T* to) const {
    std::fill_n(to, in.lane(), T(0));
    for (int64_t r = 0; r < count; ++r)
      for (int64_t z = 0; z < in.states; ++z)
        to[z * ROWS + r] = from[((first + r) * in.steps + t) * in.states + z];
  }
  void scatter(const T* from, int64_t t, T* to) const {
    for (int64_t r = 0; r < count; ++r)
      for (int64_t z = 0; z < in.states; ++z)
        to[((first + r) * in.steps + t) * in.states + z] = from[z * ROWS + r];
  }
  // Where the matrix of a step stands, for one sequence.
  int64_t matrix(int64_t t, int64_t r) const {
    return ((first + r) * (in.steps - 1) + t - 1) * in.states * in.states;
  }
  const T* share(int64_t t) const { return shares + t * in.tile(); }

  const Sizes& in;
  const Inputs<T>& inputs;
  const Found<T>& found;
  const int64_t first, count;
  T* const shares;  // step, after, before, lane
  std::vector<T> there, follows;  // 1 or 0: chosen by, not multiplied with
};

// ---- There ----

template <typename T>
class Forward : Block<T> {
  using B = Block<T>;
  using B::in, B::inputs, B::found, B::first, B::count, B::shares, B::there, B::follows;

 public:
  Forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block)
      : B(in, inputs, found, block), alpha(in.lane()), came(in.lane()), theta(in.tile()) {
    if (in.shared) lay_out(0);
  }

  void run() {
    double moved[ROWS] = {};
    for (int64_t t = 0; t < in.steps; ++t) {
      B::gather(inputs.unary, t, came.data());
      if (t) {
        if (!in.shared) lay_out(t);
        join(t);
      }
      const T* here = &there[t * ROWS];
      T largest[ROWS];
      LANES largest[r] = -std::numeric_limits<T>::infinity();
      for (int64_t z = 0; z < in.states; ++z) LANES {
          const T kept = here[r] ? came[z * ROWS + r] : alpha[z * ROWS + r];
          alpha[z * ROWS + r] = kept;
          largest[r] = kept > largest[r] || kept != kept ? kept : largest[r];
        }
      for (int64_t z = 0; z < in.states; ++z) LANES alpha[z * ROWS + r] -= largest[r];
      for (int64_t r = 0; r < ROWS; ++r) moved[r] += largest[r];
    }
    finish(moved);
    back();
  }

 private:
  // Lay the matrices of a step out in the lanes: after, before, lane.
  void lay_out(int64_t t) {
    for (int64_t before = 0; before < in.states; ++before)
      for (int64_t after = 0; after < in.states; ++after) {
        T* to = &theta[(after * in.states + before) * ROWS];
        const int64_t place = before * in.states + after;
        for (int64_t r = 0; r < ROWS; ++r)
          to[r] = in.shared ? inputs.pairwise[place]
                            : r < count ? inputs.pairwise[B::matrix(t, r) + place] : T(0);
      }
  }

  // Add to `came` what the states before bring, and keep their shares of it.
  void join(int64_t t) {
    const T* follow = &follows[t * ROWS];
    T* to = shares + t * in.tile();
    for (int64_t after = 0; after < in.states; ++after, to += in.lane()) {
      const T* link = &theta[after * in.lane()];
      T largest[ROWS], sum[ROWS] = {}, by[ROWS];
      LANES largest[r] = std::numeric_limits<T>::lowest();  // of none that can be: no NaN
      for (int64_t z = 0; z < in.states; ++z) LANES {
          const T e = alpha[z * ROWS + r] + link[z * ROWS + r];
          to[z * ROWS + r] = e;
          largest[r] = e > largest[r] || e != e ? e : largest[r];
        }
      for (int64_t z = 0; z < in.states; ++z) LANES {
          const T e = vanishing_exponential(to[z * ROWS + r] - largest[r]);
          to[z * ROWS + r] = e;
          sum[r] += e;
        }
      LANES by[r] = sum[r] == 0 ? T(0) : 1 / sum[r];
      for (int64_t z = 0; z < in.states; ++z) LANES to[z * ROWS + r] *= by[r];
      for (int64_t r = 0; r < ROWS; ++r) sum[r] = std::log(sum[r]);
      LANES came[after * ROWS + r] += follow[r] ? largest[r] + sum[r] : T(0);
    }
  }

  // Turn the last alpha into chances.
  void finish(const double* moved) {
    T sum[ROWS] = {};
    for (int64_t z = 0; z < in.states; ++z) LANES {
        const T e = vanishing_exponential(alpha[z * ROWS + r]);
        alpha[z * ROWS + r] = e;
        sum[r] += e;
      }
    for (int64_t z = 0; z < in.states; ++z) LANES alpha[z * ROWS + r] /= sum[r];
    for (int64_t r = 0; r < count; ++r) {
      bool any = false;
      for (int64_t t = 0; t < in.steps; ++t) any |= there[t * ROWS + r] != 0;
      found.log_partition[first + r] = any ? T(moved[r] + std::log(double(sum[r]))) : T(0);
    }
  }

  // From the chances of the last step to those of all.
  void back() {
    for (int64_t t = in.steps - 1; t >= 0; --t) {
      const T *here = &there[t * ROWS], *follow = &follows[t * ROWS];
      for (int64_t z = 0; z < in.states; ++z)
        LANES came[z * ROWS + r] = here[r] ? alpha[z * ROWS + r] : T(0);
      B::scatter(came.data(), t, found.marginals);
      if (!t) break;
      std::fill(came.begin(), came.end(), T(0));
      const T* share = B::share(t);
      for (int64_t after = 0; after < in.states; ++after)
        for (int64_t z = 0; z < in.states; ++z, share += ROWS)
          LANES came[z * ROWS + r] += share[r] * alpha[after * ROWS + r];
      for (int64_t z = 0; z < in.states; ++z)
        LANES alpha[z * ROWS + r] = follow[r] ? came[z * ROWS + r] : alpha[z * ROWS + r];
    }
  }

  std::vector<T> alpha, came, theta;
};

// ---- Back ----

// The derivative of the chances along the gradient of the marginals: first that of alpha, forth, then
// that of the chances themselves, back; and the chances times the gradient of log Z.
template <typename T>
class Backward : Block<T> {
  using B = Block<T>;
  using B::in, B::found, B::first, B::count, B::there, B::follows;

 public:
  Backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
           const Gradients<T>& to, int64_t block)
      : B(in, inputs, found, block), to(to), block(block), before(in.steps * in.lane()),
        joined(in.steps * in.lane()), moves(in.lane()), chances(in.lane()), earlier(in.lane()),
        links(in.tile()) {}

  void run() {
    forth();
    T outer[ROWS] = {};
    if (to.log_partition)
      for (int64_t r = 0; r < count; ++r) outer[r] = to.log_partition[first + r];
    turn();
    for (int64_t t = in.steps - 1; t >= 0; --t) {
      const T* here = &there[t * ROWS];
      for (int64_t z = 0; z < in.states; ++z) LANES {
          const int64_t i = z * ROWS + r;
          earlier[i] = here[r] ? moves[i] + outer[r] * chances[i] : T(0);
        }
      B::scatter(earlier.data(), t, to.unary);
      if (t) step(t, outer);
    }
    if (in.shared) {
      T* place = to.pairwise + block * in.states * in.states;
      for (int64_t after = 0; after < in.states; ++after)
        for (int64_t z = 0; z < in.states; ++z) {
          T sum = 0;
          for (int64_t r = 0; r < count; ++r) sum += links[(after * in.states + z) * ROWS + r];
          place[z * in.states + after] = sum;
        }
    }
  }

 private:
  // The derivative of alpha: `before` each step, and what was `joined` to it there.
  void forth() {
    for (int64_t t = 0; t < in.steps; ++t) {
      const T *here = &there[t * ROWS], *follow = &follows[t * ROWS];
      T *kept = &before[t * in.lane()], *sums = &joined[t * in.lane()];
      std::copy(moves.begin(), moves.end(), kept);
      if (to.marginals) B::gather(to.marginals, t, earlier.data());
      const T* share = B::share(t);
      for (int64_t after = 0; after < in.states; ++after) {
        T sum[ROWS] = {};
        if (t)
          for (int64_t z = 0; z < in.states; ++z, share += ROWS)
            LANES sum[r] += share[r] * kept[z * ROWS + r];
        LANES {
          const int64_t i = after * ROWS + r;
          sums[i] = follow[r] ? sum[r] : T(0);
          moves[i] = here[r] ? earlier[i] + sums[i] : kept[i];
        }
      }
    }
  }

  // The chances of the last step that is there, and their derivative.
  void turn() {
    for (int64_t r = 0; r < count; ++r) {
      int64_t t = in.steps - 1;
      while (t > 0 && !there[t * ROWS + r]) --t;
      for (int64_t z = 0; z < in.states; ++z)
        chances[z * ROWS + r] = found.marginals[((first + r) * in.steps + t) * in.states + z];
    }
    T mean[ROWS] = {};
    for (int64_t z = 0; z < in.states; ++z)
      LANES mean[r] += chances[z * ROWS + r] * moves[z * ROWS + r];
    for (int64_t z = 0; z < in.states; ++z)
      LANES moves[z * ROWS + r] = chances[z * ROWS + r] * (moves[z * ROWS + r] - mean[r]);
  }

  // From a step to the one before it.
  void step(int64_t t, const T* outer) {
    const T *follow = &follows[t * ROWS], *share = B::share(t);
    const T *kept = &before[t * in.lane()], *sums = &joined[t * in.lane()];
    next.assign(in.lane(), T(0));
    std::fill(earlier.begin(), earlier.end(), T(0));
    for (int64_t after = 0; after < in.states; ++after) {
      const T *p = &chances[after * ROWS], *moved = &moves[after * ROWS],
              *sum = &sums[after * ROWS];
      for (int64_t z = 0; z < in.states; ++z, share += ROWS) {
        T* link = &links[(after * in.states + z) * ROWS];
        LANES {
          const T pair = share[r] * p[r];
          const T change = share[r] * moved[r] + pair * (kept[z * ROWS + r] - sum[r]);
          earlier[z * ROWS + r] += pair;
          next[z * ROWS + r] += change;
          const T whole = follow[r] ? change + outer[r] * pair : T(0);
          link[r] = in.shared ? link[r] + whole : whole;
        }
      }
    }
    for (int64_t z = 0; z < in.states; ++z) LANES {
        const int64_t i = z * ROWS + r;
        chances[i] = follow[r] ? earlier[i] : chances[i];
        moves[i] = follow[r] ? next[i] : moves[i];
      }
    if (in.shared) return;
    for (int64_t r = 0; r < count; ++r)
      for (int64_t after = 0; after < in.states; ++after)
        for (int64_t z = 0; z < in.states; ++z)
          to.pairwise[B::matrix(t, r) + z * in.states + after] =
              links[(after * in.states + z) * ROWS + r];
  }

  const Gradients<T>& to;
  const int64_t block;
  std::vector<T> before, joined;  // step, state, lane
  std::vector<T> moves, chances, earlier, next, links;
};

template <typename T>
void forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found) {
  share(in.blocks(), in.threads, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) Forward<T>(in, inputs, found, block).run();
  });
}

template <typename T>
void backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
              const Gradients<T>& to) {
  share(in.blocks(), in.threads, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block)
      Backward<T>(in, inputs, found, to, block).run();
  });
}

}  // namespace

extern "C" {

#define CHAIN(name, T)                                                                          \
  void chain_forward_##name(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found) {  \
    forward(*in, *inputs, *found);                                                              \
  }                                                                                             \
  void chain_backward_##name(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found,   \
                             const Gradients<T>* to) {                                          \
    backward(*in, *inputs, *found, *to);                                                        \
  }

CHAIN(float, float)
CHAIN(double, double)

}  // extern "C"
