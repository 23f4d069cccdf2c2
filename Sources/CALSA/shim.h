#ifndef CALSA_SHIM_H
#define CALSA_SHIM_H
#include <alsa/asoundlib.h>
// Glibc's Swift module leaves malloc_trim(3) out.
#include <malloc.h>

// The handler's type is variadic, so it can only be written in C. Errors reach us as codes; what the
// library prints beside them would fill the log at each try of a card that is away.
static void calsa_say_nothing(const char *file, int line, const char *function, int code,
                              const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)code;
  (void)format;
}

/// Keeps the library from printing to standard error.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_say_nothing); }

#endif
