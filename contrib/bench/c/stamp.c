// A sink that only says when: it writes the title of each alert and the wall clock at its arrival.
//
//   stamp FILE
//
// Each line added to FILE is "TITLE NANOSECONDS", the wall clock taken right after read(2) returned. Of a
// `sync` the first alert counts.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];

static void say(const char *line) {
  if (write(STDOUT_FILENO, line, strlen(line)) < 0) exit(1);
}

static void take(char *line, long long at, FILE *out) {
  if (strstr(line, "\"type\":\"hello\"")) {
    say("{\"type\":\"ready\",\"name\":\"stamp\",\"version\":\"1\",\"capabilities\":[\"visual\"]}\n");
  } else if (strstr(line, "\"type\":\"ping\"")) {
    say("{\"type\":\"pong\"}\n");
  } else if (strstr(line, "\"type\":\"bye\"")) {
    exit(fclose(out) == 0 ? 0 : 1);
  } else if (strstr(line, "\"type\":\"alert\"")) {
    char answer[80];
    char *seq = strstr(line, "\"seq\":");
    char *title = strstr(line, "\"title\":\"");
    if (!seq || !title) exit(2);
    snprintf(answer, sizeof answer, "{\"type\":\"presented\",\"seq\":%lld}\n", atoll(seq + 6));
    say(answer);
    title += strlen("\"title\":\"");
    fprintf(out, "%.*s %lld\n", (int)strcspn(title, "\""), title, at);
    fflush(out);
  }
}

int main(int argc, char **argv) {
  size_t held = 0;
  FILE *out = argc == 2 ? fopen(argv[1], "a") : NULL;
  if (!out) {
    fprintf(stderr, "usage: stamp FILE\n");
    return 64;
  }
  for (;;) {
    struct timespec now;
    char *line = buffer, *end;
    ssize_t count = read(STDIN_FILENO, buffer + held, sizeof buffer - held - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    if (count <= 0) return fclose(out) == 0 ? 0 : 1;
    held += (size_t)count;
    buffer[held] = 0;
    while ((end = memchr(line, '\n', held - (size_t)(line - buffer)))) {
      *end = 0;
      take(line, now.tv_sec * 1000000000LL + now.tv_nsec, out);
      line = end + 1;
    }
    held -= (size_t)(line - buffer);
    memmove(buffer, line, held);
  }
}
