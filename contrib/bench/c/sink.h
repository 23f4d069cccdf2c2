// What the sinks beside it share: how they read lines and write answers.
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Reads once, and gives each whole line to `take`, with the wall clock right after in nanoseconds.
// False at the end of what comes.
static bool take_lines(void (*take)(const char *line, long long at)) {
  static char buffer[1 << 20];
  static size_t held;
  struct timespec now;
  ssize_t length = read(STDIN_FILENO, buffer + held, sizeof buffer - held - 1);
  clock_gettime(CLOCK_REALTIME, &now);
  if (length <= 0) return length < 0 && errno == EINTR;
  held += (size_t)length;
  char *line = buffer, *end;
  while ((end = memchr(line, '\n', held - (size_t)(line - buffer)))) {
    *end = 0;
    take(line, now.tv_sec * 1000000000LL + now.tv_nsec);
    line = end + 1;
  }
  held -= (size_t)(line - buffer);
  memmove(buffer, line, held);
  return true;
}

static void put_all(const char *text, size_t length) {
  while (length > 0) {
    ssize_t part = write(STDOUT_FILENO, text, length);
    if (part < 0 && errno != EINTR) exit(1);
    if (part > 0) text += part, length -= (size_t)part;
  }
}
