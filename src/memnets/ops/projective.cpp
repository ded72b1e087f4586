// Projective trees, inside and outside, and the derivatives of what they give. The plain twin is
// `_plain` of projective.py, which says what is computed.
//
// There are two charts, of complete and of incomplete spans, by their head and their other end, so
// that both directions are one.

#include <limits>
#include <vector>

#include "exponential.h"
#include "trees.h"

namespace {

// Words with the root, where several words may hang from it: it is one more, before the others.
int64_t nodes_of(const Sizes& in) { return in.words + !in.single; }

// Parts of all spans: of three kinds, each of as many parts as it is wide.
int64_t parts_of(int64_t nodes) { return (nodes + 1) * nodes * (nodes - 1) / 2; }

// The spans of the sentences of a block. Their shares come the narrowest first, and of each its
// parts as an inner, a rightward and a leftward one.
template <typename T>
class Spans : protected Sentences<T> {
 protected:
  using S = Sentences<T>;
  using S::at, S::size;

  Spans(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block)
      : S(in, inputs, found, block, nodes_of(in) - in.words),
        shares(found.kept + block * parts_of(nodes_of(in)) * ROWS) {}

  // The parts of a span: where their numbers start in two charts, and how far apart those are.
  struct Parts {
    int64_t one, other, one_step, other_step, count;
  };
  // Between two words: two complete spans.
  Parts inner(int64_t i, int64_t j) const { return {at(i, i), at(j, i + 1), ROWS, ROWS, j - i}; }
  // From a head: an incomplete span, and a complete one.
  Parts rightward(int64_t i, int64_t j) const {
    return {at(i, i + 1), at(i + 1, j), ROWS, size * ROWS, j - i};
  }
  Parts leftward(int64_t i, int64_t j) const {
    return {at(j, i), at(i, i), ROWS, size * ROWS, j - i};
  }

  T* shares_end() const { return shares + parts_of(size) * ROWS; }

  T* const shares;
};

// ---- There ----

template <typename T>
class Forward : Spans<T> {
  using B = Spans<T>;
  using typename B::Parts;
  using B::at, B::in, B::inputs, B::found, B::first, B::count, B::size, B::words;

 public:
  Forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block)
      : B(in, inputs, found, block), complete(B::numbers()), open(B::numbers()),
        root(size * ROWS) {}

  void run() {
    B::gather_arcs(inputs.arcs, open.data());
    // Without a root of its own a sentence's `root` becomes what is chosen.
    B::gather_roots(inputs.roots, in.single ? root.data() : open.data());
    inside();
    std::vector<T> spans(B::numbers()), arcs(B::numbers());
    start(spans.data());
    outside(spans.data(), arcs.data());
    B::scatter(arcs.data(), in.single ? root.data() : arcs.data(), found.arcs, found.roots);
  }

 private:
  void inside() {
    T* share = B::shares;
    for (int64_t wide = 1; wide < size; ++wide)
      for (int64_t i = 0; i + wide < size; ++i, share += 3 * wide * ROWS) {
        const int64_t j = i + wide;
        T joined[ROWS];
        join(complete.data(), B::inner(i, j), share, joined);
        LANES {
          open[at(i, j) + r] += joined[r];
          open[at(j, i) + r] += joined[r];
        }
        join(open.data(), B::rightward(i, j), share + wide * ROWS, &complete[at(i, j)]);
        join(open.data(), B::leftward(i, j), share + 2 * wide * ROWS, &complete[at(j, i)]);
      }
  }

  // Sum the parts of a span up, and keep their shares of it.
  void join(const T* ones, const Parts& parts, T* share, T* out) const {
    const T *one = ones + parts.one, *other = &complete[parts.other];
    T largest[ROWS], sum[ROWS] = {}, by[ROWS];
    LANES largest[r] = std::numeric_limits<T>::lowest();  // of none that can be: no NaN
    for (int64_t p = 0; p < parts.count; ++p) LANES {
        const T e = one[p * parts.one_step + r] + other[p * parts.other_step + r];
        share[p * ROWS + r] = e;
        largest[r] = e > largest[r] || e != e ? e : largest[r];
      }
    for (int64_t p = 0; p < parts.count; ++p) LANES {
        const T e = vanishing_exponential(share[p * ROWS + r] - largest[r]);
        share[p * ROWS + r] = e;
        sum[r] += e;
      }
    LANES by[r] = sum[r] == 0 ? T(0) : 1 / sum[r];
    for (int64_t p = 0; p < parts.count; ++p) LANES share[p * ROWS + r] *= by[r];
    LANES out[r] = largest[r] + logarithm(sum[r]);
  }

  // Take log Z, and begin with the spans of which the trees are made.
  void start(T* spans) {
    for (int64_t r = 0; r < count; ++r) {
      T& total = found.log_partition[first + r];
      if (!in.single) {
        total = complete[at(0, words[r]) + r];
        spans[at(0, words[r]) + r] = 1;
      } else {
        total = words[r] ? choose(r) : T(0);
        for (int64_t word = 0; word < words[r]; ++word) {
          spans[at(word, 0) + r] += root[word * ROWS + r];
          spans[at(word, words[r] - 1) + r] += root[word * ROWS + r];
        }
      }
    }
  }

  // Turn the potentials of roots into chances; returns the logarithm of their sum.
  T choose(int64_t r) {
    T largest = std::numeric_limits<T>::lowest(), sum = 0;
    for (int64_t word = 0; word < words[r]; ++word) {
      T& e = root[word * ROWS + r];
      e += complete[at(word, 0) + r] + complete[at(word, words[r] - 1) + r];
      largest = e > largest || e != e ? e : largest;
    }
    for (int64_t word = 0; word < words[r]; ++word) {
      T& e = root[word * ROWS + r];
      sum += e = vanishing_exponential(e - largest);
    }
    for (int64_t word = 0; word < words[r]; ++word)
      root[word * ROWS + r] *= sum == 0 ? T(0) : 1 / sum;
    return largest + logarithm(sum);
  }

  // Hand the expected number of each span down to its parts.
  void outside(T* spans, T* arcs) const {
    const T* share = B::shares_end();
    for (int64_t wide = size - 1; wide > 0; --wide)
      for (int64_t i = size - wide - 1; i >= 0; --i) {
        share -= 3 * wide * ROWS;
        const int64_t j = i + wide;
        hand(&spans[at(i, j)], B::rightward(i, j), share + wide * ROWS, arcs, spans);
        hand(&spans[at(j, i)], B::leftward(i, j), share + 2 * wide * ROWS, arcs, spans);
        T both[ROWS];
        LANES both[r] = arcs[at(i, j) + r] + arcs[at(j, i) + r];
        hand(both, B::inner(i, j), share, spans, spans);
      }
  }

  void hand(const T* whole, const Parts& parts, const T* share, T* ones, T* others) const {
    T *one = ones + parts.one, *other = others + parts.other;
    for (int64_t p = 0; p < parts.count; ++p) LANES {
        const T part = whole[r] * share[p * ROWS + r];
        one[p * parts.one_step + r] += part;
        other[p * parts.other_step + r] += part;
      }
  }

  std::vector<T> complete, open, root;
};

// ---- Back ----

// The derivative of the chances along the gradients of the chances: first that of the spans, inside,
// then that of their expected numbers, outside; and the chances times the gradient of log Z.
template <typename T>
class Backward : Spans<T> {
  using B = Spans<T>;
  using typename B::Parts;
  using B::at, B::in, B::found, B::first, B::count, B::size, B::words;

 public:
  Backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
           const Gradients<T>& to, int64_t block)
      : B(in, inputs, found, block), to(to), complete(B::numbers()), open(B::numbers()),
        between(B::numbers()), spans(B::numbers()), arcs(B::numbers()), moved_spans(B::numbers()),
        moved_arcs(B::numbers()), root(size * ROWS) {}

  void run() {
    B::gather_arcs(to.arcs, open.data());
    B::gather_roots(to.roots, in.single ? root.data() : open.data());
    inside();
    start();
    outside();
    for (int64_t r = 0; r < count; ++r) {
      const T outer = to.log_partition ? to.log_partition[first + r] : T(0);
      for (int64_t i = r; i < B::numbers(); i += ROWS) moved_arcs[i] += outer * arcs[i];
      if (in.single)
        for (int64_t word = 0; word < words[r]; ++word)
          root[word * ROWS + r] += outer * chance(word, r);
    }
    B::scatter(moved_arcs.data(), in.single ? root.data() : moved_arcs.data(), to.to_arcs,
               to.to_roots);
  }

 private:
  void inside() {
    const T* share = B::shares;
    for (int64_t wide = 1; wide < size; ++wide)
      for (int64_t i = 0; i + wide < size; ++i, share += 3 * wide * ROWS) {
        const int64_t j = i + wide;
        T* mean = &between[at(i, j)];
        average(complete.data(), B::inner(i, j), share, mean);
        LANES {
          open[at(i, j) + r] += mean[r];
          open[at(j, i) + r] += mean[r];
        }
        average(open.data(), B::rightward(i, j), share + wide * ROWS, &complete[at(i, j)]);
        average(open.data(), B::leftward(i, j), share + 2 * wide * ROWS, &complete[at(j, i)]);
      }
  }

  void average(const T* ones, const Parts& parts, const T* share, T* mean) const {
    const T *one = ones + parts.one, *other = &complete[parts.other];
    T sum[ROWS] = {};
    for (int64_t p = 0; p < parts.count; ++p) LANES
        sum[r] += share[p * ROWS + r] *
                  (one[p * parts.one_step + r] + other[p * parts.other_step + r]);
    LANES mean[r] = sum[r];
  }

  T chance(int64_t word, int64_t r) const { return found.roots[(first + r) * in.words + word]; }

  // Begin with the spans of which the trees are made. `root` becomes the derivative of its chances.
  void start() {
    for (int64_t r = 0; r < count; ++r) {
      if (!in.single) {
        spans[at(0, words[r]) + r] = 1;
        continue;
      }
      T mean = 0;
      for (int64_t word = 0; word < words[r]; ++word) {
        T& moved = root[word * ROWS + r];
        moved += complete[at(word, 0) + r] + complete[at(word, words[r] - 1) + r];
        mean += chance(word, r) * moved;
      }
      for (int64_t word = 0; word < words[r]; ++word) {
        T& moved = root[word * ROWS + r];
        moved = chance(word, r) * (moved - mean);
        for (const int64_t end : {int64_t(0), words[r] - 1}) {
          spans[at(word, end) + r] += chance(word, r);
          moved_spans[at(word, end) + r] += moved;
        }
      }
    }
  }

  void outside() {
    const T* share = B::shares_end();
    for (int64_t wide = size - 1; wide > 0; --wide)
      for (int64_t i = size - wide - 1; i >= 0; --i) {
        share -= 3 * wide * ROWS;
        const int64_t j = i + wide;
        close(at(i, j), B::rightward(i, j), share + wide * ROWS);
        close(at(j, i), B::leftward(i, j), share + 2 * wide * ROWS);
        T both[ROWS], moved[ROWS];
        LANES {
          both[r] = arcs[at(i, j) + r] + arcs[at(j, i) + r];
          moved[r] = moved_arcs[at(i, j) + r] + moved_arcs[at(j, i) + r];
        }
        hand({both, moved, &between[at(i, j)]}, B::inner(i, j), share,
             {spans.data(), moved_spans.data(), complete.data()});
      }
  }

  void close(int64_t place, const Parts& parts, const T* share) {
    hand({&spans[place], &moved_spans[place], &complete[place]}, parts, share,
         {arcs.data(), moved_arcs.data(), open.data()});
  }

  // The expected numbers of spans, how they move, and how the spans themselves do.
  struct Whole {
    const T *number, *moved, *mean;
  };
  struct Ones {
    T *number, *moved;
    const T* span;
  };

  void hand(const Whole& whole, const Parts& parts, const T* share, const Ones& ones) {
    T *one = ones.number + parts.one, *moved_one = ones.moved + parts.one;
    T *other = &spans[parts.other], *moved_other = &moved_spans[parts.other];
    const T *by_one = ones.span + parts.one, *by_other = &complete[parts.other];
    for (int64_t p = 0; p < parts.count; ++p) LANES {
        const int64_t here = p * parts.one_step + r, there = p * parts.other_step + r;
        const T part = whole.number[r] * share[p * ROWS + r];
        const T moved = whole.moved[r] * share[p * ROWS + r] +
                        part * (by_one[here] + by_other[there] - whole.mean[r]);
        one[here] += part;
        other[there] += part;
        moved_one[here] += moved;
        moved_other[there] += moved;
      }
  }

  const Gradients<T>& to;
  std::vector<T> complete, open, between;  // the derivatives of spans
  std::vector<T> spans, arcs, moved_spans, moved_arcs, root;
};

}  // namespace

TREES(projective, Forward, Backward)
