// Loaded before libasound into a sink: notes in $TOCSIN_STAMPS when sound was first accepted by a device
// ("writei") and when it was dropped ("drop"), in nanoseconds of CLOCK_MONOTONIC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct snd_pcm snd_pcm_t;

static void note(const char *what) {
  static int file = -1;
  struct timespec t;
  char line[64];
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (file < 0) {
    const char *name = getenv("TOCSIN_STAMPS");
    file = name ? open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  }
  int length = snprintf(line, sizeof line, "%s %lld\n", what, t.tv_sec * 1000000000LL + t.tv_nsec);
  if (file >= 0 && write(file, line, length) != length) abort();
}

// Whether the stream begins: the next frames are its first.
static int silent = 1;

int snd_pcm_drop(snd_pcm_t *pcm) {
  static int (*next)(snd_pcm_t *);
  if (!next) next = (int (*)(snd_pcm_t *))dlsym(RTLD_NEXT, "snd_pcm_drop");
  int result = next(pcm);
  note("drop");
  silent = 1;
  return result;
}

long snd_pcm_writei(snd_pcm_t *pcm, const void *frames, unsigned long count) {
  static long (*next)(snd_pcm_t *, const void *, unsigned long);
  if (!next) next = (long (*)(snd_pcm_t *, const void *, unsigned long))dlsym(RTLD_NEXT, "snd_pcm_writei");
  long result = next(pcm, frames, count);
  if (silent && result > 0) {
    silent = 0;
    note("writei");
  }
  return result;
}

int snd_pcm_close(snd_pcm_t *pcm) {
  static int (*next)(snd_pcm_t *);
  if (!next) next = (int (*)(snd_pcm_t *))dlsym(RTLD_NEXT, "snd_pcm_close");
  silent = 1;
  return next(pcm);
}
