// Trees of any shape, by elimination, and the derivatives of what it gives. The plain twin is
// `_plain` of matrix_tree.py, which says what is computed.
//
// Nothing is ever subtracted, so that the numbers themselves do where none can leave the range of
// their format, and logarithms elsewhere. Each sentence has its own way of the two.
//
// Where just one word may be a root, none is the last to be left: a word is eliminated next whose
// best head is still there, for one whose heads are all gone would be as good as impossible, and
// what is possible lost in the rounding of that. Its number and that of the last place are
// swapped, in each sentence by itself.

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "exponential.h"
#include "trees.h"

namespace {

// What a step keeps, all of them together: the shares of the ways past word k in arcs and roots of
// the k that are left, those of its heads and of the root in d, and what it was swapped with.
int64_t kept_of(int64_t words) { return words * (words + 1) * (2 * words + 1) / 6 + words - 2; }

// The steps of the sentences of a block.
template <typename T>
class Steps : protected Sentences<T> {
 protected:
  using S = Sentences<T>;
  using S::at, S::in, S::count, S::size, S::words;

  Steps(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block)
      : S(in, inputs, found, block, 0), kept(found.kept + block * kept_of(in.words) * ROWS) {}

  struct Step {
    T *past, *past_root, *into, *root, *swapped;
  };
  // Those of word k, of the numbers that are kept or of as many others. The smallest come first.
  Step step(T* numbers, int64_t k) const {
    T* past = numbers + kept_of(k) * ROWS;
    T* past_root = past + k * k * ROWS;
    return {past, past_root, past_root + k * ROWS, past_root + 2 * k * ROWS,
            past_root + (2 * k + 1) * ROWS};
  }

  // Give a word the last place, and that the word's.
  void swap(T* square, T* row, const T* swapped, int64_t k) const {
    for (int64_t r = 0; r < count; ++r) {
      const int64_t word = int64_t(swapped[r]);
      if (word == k) continue;
      std::swap(row[word * ROWS + r], row[k * ROWS + r]);
      for (int64_t i = 0; i <= k; ++i) std::swap(square[at(i, word) + r], square[at(i, k) + r]);
      for (int64_t i = 0; i <= k; ++i) std::swap(square[at(word, i) + r], square[at(k, i) + r]);
    }
  }

  T* const kept;
};

// ---- There ----

template <typename T>
class Forward : Steps<T> {
  using B = Steps<T>;
  using typename B::Step;
  using B::at, B::in, B::inputs, B::found, B::first, B::count, B::size, B::words, B::kept;

 public:
  Forward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found, int64_t block)
      : B(in, inputs, found, block), arcs(B::numbers(), NEVER<T>), roots(size * ROWS) {}

  void run() {
    B::gather_arcs(inputs.arcs, arcs.data());
    B::gather_roots(inputs.roots, roots.data());
    T total[ROWS] = {};
    level(total);
    settle();
    for (int64_t k = size - 1; k > 0; --k) {
      const Step step = B::step(kept, k);
      choose(k, step.swapped);
      B::swap(arcs.data(), roots.data(), step.swapped, k);
      eliminate(k, step, total);
    }
    for (int64_t r = 0; r < count; ++r) {
      const T root = near[r] != 0 ? log_of(roots[r]) : roots[r];
      found.log_partition[first + r] = words[r] ? total[r] + root : T(0);
    }
    std::fill(arcs.begin(), arcs.end(), T(0));
    LANES roots[r] = words[r] > 0;
    for (int64_t k = 1; k < size; ++k) {
      const Step step = B::step(kept, k);
      bring_back(k, step);
      B::swap(arcs.data(), roots.data(), step.swapped, k);
    }
    B::scatter(arcs.data(), roots.data(), found.arcs, found.roots);
  }

 private:
  static T log_of(T x) { return x == 0 ? NEVER<T> : logarithm(x); }

  // Let the best head of each word be 0: what all have in common goes into log Z at once. And let
  // what cannot be be NEVER: the differences of infinite numbers are NaN.
  void level(T* total) {
    for (int64_t child = 0; child < size; ++child) {
      T largest[ROWS];
      LANES largest[r] = roots[child * ROWS + r];
      for (int64_t head = 0; head < size; ++head) LANES {
          const T arc = arcs[at(head, child) + r];
          largest[r] = arc > largest[r] || arc != arc ? arc : largest[r];
        }
      const auto lower = [&](T* numbers) {
        LANES {
          const T moved = numbers[r] - largest[r];
          numbers[r] = moved < NEVER<T> ? NEVER<T> : moved;
        }
      };
      for (int64_t head = 0; head < size; ++head) lower(&arcs[at(head, child)]);
      lower(&roots[child * ROWS]);
      LANES total[r] += largest[r];
    }
  }

  // Settle which way each sentence goes. What comes of m words is at most m^m, and at least a
  // product of m potentials divided by that.
  void settle() {
    T least[ROWS] = {};
    const auto lower = [&](const T* numbers) {
      LANES {
        const T number = numbers[r] > NEVER<T> / 2 || numbers[r] != numbers[r] ? numbers[r] : T(0);
        least[r] = number < least[r] || number != number ? number : least[r];
      }
    };
    for (int64_t i = 0; i < B::numbers(); i += ROWS) lower(&arcs[i]);
    for (int64_t i = 0; i < size * ROWS; i += ROWS) lower(&roots[i]);
    for (int64_t r = 0; r < ROWS; ++r) {
      const T each = least[r] - std::log(T(std::max<int64_t>(words[r], 1)));
      near[r] = T(words[r]) * each > Format<T>::least;
      (near[r] != 0 ? any_near : any_far) |= words[r] > 0;
    }
    const auto raise = [&](T* numbers) {
      LANES {
        const T raised = vanishing_exponential(numbers[r]);
        numbers[r] = near[r] != 0 ? raised : numbers[r];
      }
    };
    for (int64_t i = 0; i < B::numbers(); i += ROWS) raise(&arcs[i]);
    for (int64_t i = 0; i < size * ROWS; i += ROWS) raise(&roots[i]);
  }

  // Choose which of the words up to k goes next; of equals, the last.
  void choose(int64_t k, T* chosen) const {
    T best[ROWS];
    LANES {
      chosen[r] = T(k);
      best[r] = (k < words[r] ? -1 : 1) * std::numeric_limits<T>::infinity();  // or none goes
    }
    if (!in.single) return;
    for (int64_t child = k; child >= 0; --child) {
      T largest[ROWS];
      LANES largest[r] = NEVER<T>;
      for (int64_t head = 0; head <= k; ++head)
        if (head != child)
          LANES {
            const T arc = arcs[at(head, child) + r];
            largest[r] = arc > largest[r] ? arc : largest[r];
          }
      LANES {
        chosen[r] = largest[r] > best[r] ? T(child) : chosen[r];
        best[r] = largest[r] > best[r] ? largest[r] : best[r];
      }
    }
  }

  // The sum of the heads of a word: its logarithm, 1 / it, and 1 where the word is there, else 0.
  struct Through {
    T log[ROWS], by[ROWS], there[ROWS];
  };

  void eliminate(int64_t k, const Step& step, T* total) {
    Through through;
    LANES through.there[r] = k < words[r];
    join(k, step, through);
    LANES total[r] += through.there[r] != 0 ? through.log[r] : T(0);
    for (int64_t head = 0; head <= k; ++head) {  // the root is the last
      T* row = head < k ? &arcs[at(head, 0)] : roots.data();
      T* past = head < k ? step.past + head * k * ROWS : step.past_root;
      if (!any_far)
        pass<true, false>(k, row, through, past);
      else if (!any_near)
        pass<false, true>(k, row, through, past);
      else
        pass<true, true>(k, row, through, past);
      if (head < k) LANES past[head * ROWS + r] = 0;  // no word heads itself
    }
  }

  // Sum up the heads of word k, and keep their shares. Of a word that is not there it is nothing.
  void join(int64_t k, const Step& step, Through& through) const {
    T largest[ROWS], sum[ROWS];
    LANES largest[r] = in.single ? NEVER<T> : roots[k * ROWS + r];
    for (int64_t head = 0; head < k; ++head) LANES {
        const T arc = arcs[at(head, k) + r];
        largest[r] = arc > largest[r] || arc != arc ? arc : largest[r];
      }
    LANES {
      const T root = roots[k * ROWS + r], e = vanishing_exponential(root - largest[r]);
      sum[r] = step.root[r] = in.single ? T(0) : near[r] != 0 ? root : e;
    }
    for (int64_t head = 0; head < k; ++head) LANES {
        const T arc = arcs[at(head, k) + r], e = vanishing_exponential(arc - largest[r]);
        sum[r] += step.into[head * ROWS + r] = near[r] != 0 ? arc : e;
      }
    LANES {
      through.by[r] = through.there[r] == 0 || sum[r] == 0 ? T(0) : 1 / sum[r];
      step.root[r] *= through.by[r];
      const T log = (near[r] != 0 ? T(0) : largest[r]) + logarithm(sum[r]);
      through.log[r] = sum[r] == 0 ? NEVER<T> : log;
    }
    for (int64_t head = 0; head < k; ++head)
      LANES step.into[head * ROWS + r] *= through.by[r];
  }

  // Add the ways past word k to the arcs of a head, and keep what share of them they are.
  template <bool some_near, bool some_far>
  void pass(int64_t k, T* row, const Through& through, T* past) const {
    const T *from = row + k * ROWS, *to = &arcs[at(k, 0)];
    for (int64_t i = 0; i < k * ROWS; i += ROWS) LANES {
        const T here = row[i + r];
        T share = 0, both = here;
        if constexpr (some_far) {
          const T way = from[r] + (to[i + r] - through.log[r]);
          const T less = vanishing_exponential(-std::abs(way - here)), by = 1 / (1 + less);
          share = way > here ? by : less * by;
          both = (way > here ? way : here) + logarithm(1 + less);
        }
        if constexpr (some_near) {
          const T way = from[r] * (to[i + r] * through.by[r]), sum = here + way;
          const T of_sum = sum == 0 ? T(0) : way / sum;
          const bool taken = !some_far || near[r] != 0;
          share = taken ? of_sum : share;
          both = taken ? sum : both;
        }
        past[i + r] = through.there[r] != 0 ? share : T(0);
        row[i + r] = through.there[r] != 0 ? both : here;
      }
  }

  // From the expected arcs and roots of the graph without word k to those with it.
  void bring_back(int64_t k, const Step& step) {
    T taken[ROWS] = {}, through[ROWS];
    std::fill_n(&arcs[at(k, 0)], k * ROWS, T(0));
    for (int64_t head = 0; head <= k; ++head) {  // the root is the last
      T* row = head < k ? &arcs[at(head, 0)] : roots.data();
      const T* share = head < k ? step.past + head * k * ROWS : step.past_root;
      T sum[ROWS] = {};
      for (int64_t child = 0; child < k; ++child) LANES {
          const int64_t i = child * ROWS + r;
          const T past = row[i] * share[i];
          row[i] -= past;
          arcs[at(k, child) + r] += past;
          sum[r] += past;
        }
      LANES {
        row[k * ROWS + r] = sum[r];
        taken[r] += sum[r];
      }
    }
    // What all ways past the word take together may be more than one: then d is divided by.
    LANES through[r] = (k < words[r]) - taken[r];
    for (int64_t head = 0; head <= k; ++head) {
      T* row = head < k ? &arcs[at(head, 0)] : roots.data();
      const T* share = head < k ? step.into + head * ROWS : step.root;
      LANES row[k * ROWS + r] += through[r] * share[r];
    }
  }

  std::vector<T> arcs, roots;
  T near[ROWS];  // 1 or 0: whether a sentence goes by the numbers, not by logarithms
  bool any_near = false, any_far = false;
};

// ---- Back ----

// The derivative of the chances along the gradients of the chances: first that of the graphs, as
// words go, then that of the expected arcs, as they return; and the chances times the gradient of
// log Z.
template <typename T>
class Backward : Steps<T> {
  using B = Steps<T>;
  using typename B::Step;
  using B::at, B::in, B::first, B::count, B::size, B::words, B::kept;

 public:
  Backward(const Sizes& in, const Inputs<T>& inputs, const Found<T>& found,
           const Gradients<T>& to, int64_t block)
      : B(in, inputs, found, block), to(to), moved(kept_of(size) * ROWS), arcs(B::numbers()),
        moved_arcs(B::numbers()), roots(size * ROWS), moved_roots(size * ROWS) {}

  void run() {
    B::gather_arcs(to.arcs, moved_arcs.data());
    B::gather_roots(to.roots, moved_roots.data());
    for (int64_t k = size - 1; k > 0; --k) {
      const Step step = B::step(kept, k);
      B::swap(moved_arcs.data(), moved_roots.data(), step.swapped, k);
      eliminate(k, step, B::step(moved.data(), k));
    }
    std::fill(moved_arcs.begin(), moved_arcs.end(), T(0));
    std::fill(moved_roots.begin(), moved_roots.end(), T(0));
    for (int64_t r = 0; r < ROWS; ++r) roots[r] = words[r] > 0;
    for (int64_t k = 1; k < size; ++k) {
      const Step step = B::step(kept, k);
      bring_back(k, step, B::step(moved.data(), k));
      B::swap(arcs.data(), roots.data(), step.swapped, k);
      B::swap(moved_arcs.data(), moved_roots.data(), step.swapped, k);
    }
    if (to.log_partition) {
      for (int64_t r = 0; r < count; ++r) {
        const T outer = to.log_partition[first + r];
        for (int64_t i = r; i < B::numbers(); i += ROWS) moved_arcs[i] += outer * arcs[i];
        for (int64_t i = r; i < size * ROWS; i += ROWS) moved_roots[i] += outer * roots[i];
      }
    }
    B::scatter(moved_arcs.data(), moved_roots.data(), to.to_arcs, to.to_roots);
  }

 private:
  // How what is left moves, and by how much more the ways past the word do than what they join.
  void eliminate(int64_t k, const Step& step, const Step& more) {
    T through[ROWS];
    LANES through[r] = step.root[r] * moved_roots[k * ROWS + r];
    for (int64_t head = 0; head < k; ++head)
      LANES through[r] += step.into[head * ROWS + r] * moved_arcs[at(head, k) + r];
    for (int64_t head = 0; head < k; ++head)
      LANES more.into[head * ROWS + r] = moved_arcs[at(head, k) + r] - through[r];
    LANES more.root[r] = moved_roots[k * ROWS + r] - through[r];
    for (int64_t head = 0; head <= k; ++head) {  // the root is the last
      T* row = head < k ? &moved_arcs[at(head, 0)] : moved_roots.data();
      const T* share = head < k ? step.past + head * k * ROWS : step.past_root;
      T* past = head < k ? more.past + head * k * ROWS : more.past_root;
      const T* into = head < k ? more.into + head * ROWS : more.root;
      for (int64_t child = 0; child < k; ++child) LANES {
          const int64_t i = child * ROWS + r;
          const T extra = into[r] + moved_arcs[at(k, child) + r] - row[i];
          past[i] = (1 - share[i]) * extra;
          row[i] += share[i] * extra;
        }
    }
  }

  void bring_back(int64_t k, const Step& step, const Step& more) {
    T taken[ROWS] = {}, moved_taken[ROWS] = {};
    std::fill_n(&arcs[at(k, 0)], k * ROWS, T(0));
    std::fill_n(&moved_arcs[at(k, 0)], k * ROWS, T(0));
    for (int64_t head = 0; head <= k; ++head) {  // the root is the last
      T* row = head < k ? &arcs[at(head, 0)] : roots.data();
      T* moved_row = head < k ? &moved_arcs[at(head, 0)] : moved_roots.data();
      const T* share = head < k ? step.past + head * k * ROWS : step.past_root;
      const T* extra = head < k ? more.past + head * k * ROWS : more.past_root;
      T sum[ROWS] = {}, moved_sum[ROWS] = {};
      for (int64_t child = 0; child < k; ++child) LANES {
          const int64_t i = child * ROWS + r;
          const T past = row[i] * share[i];
          const T moved_past = moved_row[i] * share[i] + past * extra[i];
          row[i] -= past;
          moved_row[i] -= moved_past;
          arcs[at(k, child) + r] += past;
          moved_arcs[at(k, child) + r] += moved_past;
          sum[r] += past;
          moved_sum[r] += moved_past;
        }
      LANES {
        row[k * ROWS + r] = sum[r];
        moved_row[k * ROWS + r] = moved_sum[r];
        taken[r] += sum[r];
        moved_taken[r] += moved_sum[r];
      }
    }
    T through[ROWS];
    LANES through[r] = (k < words[r]) - taken[r];
    for (int64_t head = 0; head <= k; ++head) {
      T* row = head < k ? &arcs[at(head, 0)] : roots.data();
      T* moved_row = head < k ? &moved_arcs[at(head, 0)] : moved_roots.data();
      const T* share = head < k ? step.into + head * ROWS : step.root;
      const T* extra = head < k ? more.into + head * ROWS : more.root;
      LANES {
        row[k * ROWS + r] += through[r] * share[r];
        moved_row[k * ROWS + r] += (through[r] * extra[r] - moved_taken[r]) * share[r];
      }
    }
  }

  const Gradients<T>& to;
  std::vector<T> moved;  // as what is kept
  std::vector<T> arcs, moved_arcs, roots, moved_roots;
};

}  // namespace

TREES(matrix_tree, Forward, Backward)
