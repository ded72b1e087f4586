// Threads: tasks that do not depend on each other.

#pragma once

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using std::int64_t;

// Give each thread its share of the tasks.
template <typename Work>
void share(int64_t tasks, int64_t threads, const Work& work) {
  threads = std::max<int64_t>(std::min(threads, tasks), 1);
  std::vector<std::thread> others;
  others.reserve(threads);
  for (int64_t part = 1; part < threads; ++part) {
    const int64_t begin = tasks * part / threads, end = tasks * (part + 1) / threads;
    try {
      others.emplace_back(work, begin, end);
    } catch (const std::system_error&) {  // no thread is to be had
      work(begin, end);
    }
  }
  work(0, tasks / threads);
  for (std::thread& other : others) other.join();
}

}  // namespace
