// A sink that presents well until SIGUSR1, then misbehaves until SIGUSR2.
//
//   rogue hang     reads nothing
//   rogue flood    writes valid lines as fast as they are taken, and reads nothing
//   rogue long     writes lines of 10 MB as fast as they are taken, and reads nothing
#define _GNU_SOURCE
#include "sink.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t is_struck;
static char answer[1 << 20], piece[1 << 16];

static void strike(int signal) { is_struck = signal == SIGUSR1; }

// Writes all of it, unless it is to be good again and the rest may wait for `put_all`.
static size_t put(const char *text, size_t length) {
  size_t sent = 0;
  while (sent < length && is_struck) {
    ssize_t part = write(STDOUT_FILENO, text + sent, length - sent);
    if (part < 0 && errno != EINTR) exit(1);
    if (part > 0) sent += (size_t)part;
  }
  return sent;
}

static void flood(void) {
  static const char line[] = "{\"type\":\"presented\",\"seq\":1}\n";
  size_t length = 0;
  while (length + sizeof line < sizeof piece) {
    memcpy(piece + length, line, sizeof line - 1);
    length += sizeof line - 1;
  }
  while (is_struck) {
    const size_t sent = put(piece, length) % (sizeof line - 1);
    if (sent > 0) put_all(line + sent, sizeof line - 1 - sent);
  }
}

static void write_long(void) {
  memset(piece, 'x', sizeof piece);
  static const char head[] = "{\"type\":\"log\",\"message\":\"";
  while (is_struck) {
    put(head, sizeof head - 1);
    for (int i = 0; i < 160; i++) put(piece, sizeof piece);
    put_all("\"}\n", 3);
  }
}

static void take(const char *line, long long at) {
  (void)at;
  char text[100] = "";
  const char *number = strstr(line, "\"seq\":");
  if (strstr(line, "\"type\":\"hello\"")) {
    strcpy(text, "{\"type\":\"ready\",\"name\":\"rogue\",\"version\":\"1\"}\n");
  } else if (strstr(line, "\"type\":\"ping\"")) {
    strcpy(text, "{\"type\":\"pong\"}\n");
  } else if (strstr(line, "\"type\":\"bye\"")) {
    exit(0);
  } else if (strstr(line, "\"type\":\"sync\"")) {
    // What it holds is answered for by nobody; it rings on.
  } else if (number) {
    snprintf(text, sizeof text, "{\"type\":\"presented\",\"seq\":%lld}\n", atoll(number + 6));
  }
  strcat(answer, text);
}

int main(int argc, char **argv) {
  if (argc != 2 || !strstr("hang flood long", argv[1])) {
    fprintf(stderr, "usage: rogue hang|flood|long\n");
    return 64;
  }
  // No SA_RESTART: a write that waits is to end.
  const struct sigaction action = {.sa_handler = strike};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  for (;;) {
    if (is_struck) {
      if (strcmp(argv[1], "flood") == 0) flood();
      if (strcmp(argv[1], "long") == 0) write_long();
      if (is_struck) poll(NULL, 0, 100);
      continue;
    }
    answer[0] = 0;
    if (!take_lines(take)) return 0;
    put_all(answer, strlen(answer));
  }
}
