// Threads: tasks that do not depend on each other.
//
// They are PyTorch's own where it has them from OpenMP. Those keep their cores busy for a while
// after their last work, waiting for more, and others would have to share these cores with them.

#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using std::int64_t;

// Call a function in that many threads, of which this is one; there may be fewer.
template <typename Work>
void in_threads(int64_t threads, Work& work) {
  using Team = void (*)(void (*)(void*), void*, unsigned, unsigned);
  static const auto team = reinterpret_cast<Team>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
  if (team) {
    const auto call = [](void* work) { (*static_cast<Work*>(work))(); };
    team(call, &work, unsigned(threads), 0);
    return;
  }
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    while (int64_t(others.size()) + 1 < threads) others.emplace_back(std::ref(work));
  } catch (const std::system_error&) {  // no further thread is to be had
  }
  work();
  for (std::thread& other : others) other.join();
}

// Give each thread its share of the tasks.
template <typename Work>
void share(int64_t tasks, int64_t threads, const Work& work) {
  threads = std::max<int64_t>(std::min(threads, tasks), 1);
  std::atomic<int64_t> next{0};
  auto take = [&] {
    for (int64_t part = next++; part < threads; part = next++)
      work(tasks * part / threads, tasks * (part + 1) / threads);
  };
  if (threads == 1)
    take();
  else
    in_threads(threads, take);
}

}  // namespace
