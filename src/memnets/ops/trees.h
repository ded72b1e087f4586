// What ops on dependency trees take and give, and how sentences are shared out to them.
//
// ROWS sentences go together, one in each lane of the processor's registers; those beyond the last
// have no words. Blocks of sentences are shared among threads.

#pragma once

#include <algorithm>
#include <cstdint>

#include "lanes.h"
#include "parallel.h"

namespace {

using std::int64_t;

constexpr int64_t ROWS = 8;  // `ROWS` of tree_sums.py

template <typename T>
constexpr T NEVER = T(-1e30);  // as in chain.py: less is not looked at

// Mirrors `_Sizes` of tree_sums.py, field by field.
struct Sizes {
  int64_t rows, words;
  int64_t single;  // whether just one word is a root
  int64_t threads;
};

// Arcs are laid out by sentence, child and head.
template <typename T>
struct Inputs {
  const T *arcs, *roots;
  const int64_t* lengths;
};

template <typename T>
struct Found {
  T *log_partition, *arcs, *roots;  // the first is null on the way back
  T* kept;                          // what the way back needs besides
};

template <typename T>
struct Gradients {
  const T *log_partition, *arcs, *roots;  // these are given; any may be null
  T *to_arcs, *to_roots;
};

// The sentences of a block. A square of numbers is laid out by head, child and lane.
template <typename T>
class Sentences {
 protected:
  // Where the root is a node as words are, it stands before them: `roots` is 1.
  Sentences(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block,
            int64_t roots)
      : in(in), inputs(inputs), found(found), first(block * ROWS),
        count(std::min(ROWS, in.rows - first)), roots(roots), size(1) {
    for (int64_t r = 0; r < count; ++r) {
      words[r] = std::clamp<int64_t>(inputs.lengths[first + r], 0, in.words);
      size = std::max(size, words[r] + roots);
    }
  }

  int64_t at(int64_t head, int64_t child) const { return (head * size + child) * ROWS; }
  int64_t numbers() const { return size * size * ROWS; }

  // Bring arcs to a square, or the potentials of roots to a row. What is not met stays as it is: a
  // word as its own head, and what stands behind a sentence, NaN too.
  void gather_arcs(const T* from, T* to) const {
    if (from) each_arc([&](int64_t place, int64_t here) { to[here] = from[place]; });
  }
  void gather_roots(const T* from, T* to) const {
    if (from) each_root([&](int64_t place, int64_t here) { to[here] = from[place]; });
  }

  // The reverse. All is written, zeros where nothing was.
  void scatter(const T* square, const T* row, T* to_arcs, T* to_roots) const {
    const int64_t each = in.words * in.words;
    std::fill_n(to_arcs + first * each, count * each, T(0));
    std::fill_n(to_roots + first * in.words, count * in.words, T(0));
    each_arc([&](int64_t place, int64_t here) { to_arcs[place] = square[here]; });
    each_root([&](int64_t place, int64_t here) { to_roots[place] = row[here]; });
  }

  const Sizes& in;
  const Inputs<T>& inputs;
  const Found<T>& found;
  const int64_t first, count, roots;
  int64_t words[ROWS] = {};
  int64_t size;  // nodes of the longest sentence

 private:
  template <typename Work>
  void each_arc(const Work& work) const {
    for (int64_t r = 0; r < count; ++r)
      for (int64_t child = 0; child < words[r]; ++child)
        for (int64_t head = 0; head < words[r]; ++head)
          if (head != child)
            work(((first + r) * in.words + child) * in.words + head,
                 at(head + roots, child + roots) + r);
  }
  template <typename Work>
  void each_root(const Work& work) const {
    for (int64_t r = 0; r < count; ++r)
      for (int64_t word = 0; word < words[r]; ++word)
        work((first + r) * in.words + word, (word + roots) * ROWS + r);
  }
};

// Call a function with each block of sentences, in that many threads.
template <typename Work>
void in_blocks(const Sizes& in, const Work& work) {
  share((in.rows + ROWS - 1) / ROWS, in.threads, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) work(block);
  });
}

}  // namespace

#define TREES_IN(name, T, Forward, Backward)                                                 \
  void name##_forward_##T(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found) { \
    in_blocks(*in, [&](int64_t block) { Forward<T>(*in, *inputs, *found, block).run(); });   \
  }                                                                                          \
  void name##_backward_##T(const Sizes* in, const Inputs<T>* inputs, const Found<T>* found,  \
                           const Gradients<T>* to) {                                         \
    in_blocks(*in,                                                                           \
              [&](int64_t block) { Backward<T>(*in, *inputs, *found, *to, block).run(); });  \
  }

// Declare both ways of an op in both precisions, whose names they end with.
#define TREES(name, Forward, Backward)       \
  extern "C" {                               \
  TREES_IN(name, float, Forward, Backward)   \
  TREES_IN(name, double, Forward, Backward)  \
  }
