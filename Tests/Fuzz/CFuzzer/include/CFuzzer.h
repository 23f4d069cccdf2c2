#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop: calls `test` with one input after the other, and reads options from the arguments.
/// See LLVM's documentation of libFuzzer, "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));
