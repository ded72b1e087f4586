// Millions of short strings at once. The plain twins are in distinct.py, facts.py and strings.py.

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using std::int64_t;
using std::uint64_t;

uint64_t mixed(uint64_t word) {
  word = (word ^ word >> 32) * 0x9E3779B97F4A7C15;
  return word ^ word >> 29;
}

// Eight letters at a time; nothing is read beyond the end.
uint64_t hash_of(const uint8_t* letters, int64_t length) {
  uint64_t hash = uint64_t(length), word = 0;
  for (; length >= 8; letters += 8, length -= 8) {
    std::memcpy(&word, letters, 8);
    hash = mixed(hash * 0xD6E8FEB86659FD93 ^ word);
  }
  word = 0;
  std::memcpy(&word, letters, size_t(length));
  return mixed(hash * 0xD6E8FEB86659FD93 ^ word);
}

constexpr int AHEAD = 32;  // strings whose places are fetched before the first is looked at

// Numbers of hashes by open addressing, at most half full.
class Table {
 public:
  Table() : entries_(1 << 12, Entry{0, -1}) {}

  void fetch(uint64_t hash) const { __builtin_prefetch(&entries_[place(hash)], 1); }

  // The number of a hash; that of a new one is `next`.
  int32_t number(uint64_t hash, int32_t next) {
    uint64_t at = place(hash);
    for (; entries_[at].number >= 0; at = place(at + 1))
      if (entries_[at].hash == hash) return entries_[at].number;
    entries_[at] = {hash, next};
    if (2 * uint64_t(next) >= entries_.size()) grow();
    return next;
  }

 private:
  struct Entry {
    uint64_t hash;
    int32_t number;
  };

  uint64_t place(uint64_t hash) const { return hash & (entries_.size() - 1); }

  void grow() {
    std::vector<Entry> before(4 * entries_.size(), Entry{0, -1});
    before.swap(entries_);
    for (const Entry& entry : before) {
      if (entry.number < 0) continue;
      uint64_t at = place(entry.hash);
      while (entries_[at].number >= 0) at = place(at + 1);
      entries_[at] = entry;
    }
  }

  std::vector<Entry> entries_;
};

// The highest bit of each byte that is a letter, which is not 0.
uint64_t equal_to(uint64_t eight, int64_t letter) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first letter is the lowest byte");
  constexpr uint64_t ones = 0x0101010101010101, low = 0x7F * ones;
  const uint64_t other = eight ^ ones * uint64_t(letter);
  return ~(((other & low) + low) | other | low);
}

}  // namespace

extern "C" {

// Number `count` strings by their first places; return how many distinct ones there are, and where
// each began and ended first. They are told apart by 64 bits, as by the twin.
int64_t kb_distinct(const uint8_t* letters, const int64_t* starts, const int64_t* ends,
                    int64_t count, int32_t* numbers, int64_t* first_starts, int64_t* first_ends) {
  Table table;
  int32_t found = 0;
  uint64_t hashes[AHEAD];
  for (int64_t some = 0; some < count; some += AHEAD) {
    const int64_t here = count - some < AHEAD ? count - some : AHEAD;
    for (int64_t i = 0; i < here; ++i) {
      hashes[i] = hash_of(letters + starts[some + i], ends[some + i] - starts[some + i]);
      table.fetch(hashes[i]);
    }
    for (int64_t i = 0; i < here; ++i) {
      const int32_t number = numbers[some + i] = table.number(hashes[i], found);
      if (number < found) continue;
      first_starts[found] = starts[some + i];
      first_ends[found++] = ends[some + i];
    }
  }
  return found;
}

// Part lines of three fields, none empty; return how many lines, or -1 if one is otherwise.
int64_t kb_fields(const uint8_t* letters, int64_t length, int64_t separator, int64_t* starts,
                  int64_t* ends) {
  int64_t field = 0, begin = 0;
  for (int64_t i = 0; i < length; i += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, letters + i, size_t(length - i < 8 ? length - i : 8));
    for (uint64_t marks = equal_to(eight, separator) | equal_to(eight, '\n'); marks;
         marks &= marks - 1) {
      const int64_t at = i + __builtin_ctzll(marks) / 8;
      if (at == begin || (letters[at] == '\n') != (field % 3 == 2)) return -1;
      starts[field] = begin;
      ends[field++] = at;
      begin = at + 1;
    }
  }
  return field % 3 ? -1 : field / 3;
}

// The CRC-32 of every string, as zlib has it.
void kb_checksums(const uint8_t* letters, const int64_t* offsets, int64_t count, uint32_t* sums) {
  uint32_t table[256];
  for (uint32_t byte = 0; byte < 256; ++byte) {
    table[byte] = byte;
    for (int bit = 0; bit < 8; ++bit)
      table[byte] = table[byte] >> 1 ^ (table[byte] & 1 ? 0xEDB88320 : 0);
  }
  for (int64_t i = 0; i < count; ++i) {
    uint32_t sum = 0xFFFFFFFF;
    for (int64_t at = offsets[i]; at < offsets[i + 1]; ++at)
      sum = sum >> 8 ^ table[(sum ^ letters[at]) & 255];
    sums[i] = ~sum;
  }
}

// The strings from `starts` on one after the other, up to every string's end in `offsets`.
void kb_gathered(const uint8_t* letters, const int64_t* starts, const int64_t* offsets,
                 int64_t count, uint8_t* out) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(out + offsets[i], letters + starts[i], size_t(offsets[i + 1] - offsets[i]));
}

}  // extern "C"
