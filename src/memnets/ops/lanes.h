// Many small problems side by side, one in each lane of the processor's registers, so that small
// ones are as quick as large. No lane meets another: each has the same bits in whatever company.

#pragma once

// Add up, move, choose: loops over the lanes, which vectorise. `ROWS`, their number, is the op's.
#define LANES _Pragma("omp simd") for (int64_t r = 0; r < ROWS; ++r)
