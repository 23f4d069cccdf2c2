// A sink that only says when: it writes the title of each alert and the wall clock at its arrival.
//
//   stamp FILE
//
// Each line added to FILE is "TITLE NANOSECONDS", the wall clock taken right after read(2) returned. Of a
// `sync` the first alert counts.
#define _GNU_SOURCE
#include "sink.h"

#include <stdio.h>

static FILE *out;

static void say(const char *line) { put_all(line, strlen(line)); }

static void take(const char *line, long long at) {
  if (strstr(line, "\"type\":\"hello\"")) {
    say("{\"type\":\"ready\",\"name\":\"stamp\",\"version\":\"1\",\"capabilities\":[\"visual\"]}\n");
  } else if (strstr(line, "\"type\":\"ping\"")) {
    say("{\"type\":\"pong\"}\n");
  } else if (strstr(line, "\"type\":\"bye\"")) {
    exit(fclose(out) == 0 ? 0 : 1);
  } else if (strstr(line, "\"type\":\"alert\"")) {
    char answer[80];
    const char *seq = strstr(line, "\"seq\":");
    const char *title = strstr(line, "\"title\":\"");
    if (!seq || !title) exit(2);
    snprintf(answer, sizeof answer, "{\"type\":\"presented\",\"seq\":%lld}\n", atoll(seq + 6));
    say(answer);
    title += strlen("\"title\":\"");
    fprintf(out, "%.*s %lld\n", (int)strcspn(title, "\""), title, at);
    fflush(out);
  }
}

int main(int argc, char **argv) {
  out = argc == 2 ? fopen(argv[1], "a") : NULL;
  if (!out) {
    fprintf(stderr, "usage: stamp FILE\n");
    return 64;
  }
  while (take_lines(take)) {
  }
  return fclose(out) == 0 ? 0 : 1;
}
