"""The threads of the C++ ops: every task is done once, whoever lends the threads."""

import subprocess

import pytest

from memnets.native import compiler_command
from memnets.ops import native

pytestmark = pytest.mark.skipif(not native.available(), reason="there is no compiler")

PROGRAM = """
#include "parallel.h"
#include <cstdio>

int main() {
  for (int tasks : {0, 1, 3, 19})
    for (int threads : {0, 1, 3, 7}) {
      int done[19] = {};
      share(tasks, threads, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) ++done[task];
      });
      for (int task = 0; task < 19; ++task)
        if (done[task] != (task < tasks)) std::printf("%d of %d: %d\\n", task, tasks, done[task]);
    }
  std::puts("done");
}
"""


@pytest.mark.parametrize("lent", [True, False], ids=["OpenMP's threads", "our own"])
def test_every_task_is_done_once(tmp_path, lent):
    source, program = tmp_path / "tasks.cpp", tmp_path / "tasks"
    source.write_text(PROGRAM, encoding="ascii")
    openmp = ["-fopenmp", "-Wl,--no-as-needed"] if lent else []
    include = f"-I{native.OPS.headers[0].parent}"
    command = [*compiler_command(), "-std=c++17", "-pthread", include, *openmp, str(source)]
    built = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True)
    if lent and built.returncode:
        pytest.skip("the compiler has no OpenMP")
    assert built.returncode == 0, built.stderr
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "done\n"
