// The least a due instant can take to reach another process: an absolute timerfd, then a pipe.
//
//   hop <INSTANTS >STAMPS
//
// Reads due instants (nanoseconds of the wall clock, one a line, ascending) and prints
// "INDEX NANOSECONDS": the wall clock as the child that reads the pipe sees it.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 100000 };
static long long due[most], seen[most];

// As long as an alert's line, so that the pipe carries as much.
static char line[400];

static int listen_to(int input, int count) {
  char piece[sizeof line];
  for (int i = 0; i < count; i++) {
    struct timespec now;
    if (read(input, piece, sizeof piece) <= 0) return 1;
    clock_gettime(CLOCK_REALTIME, &now);
    seen[i] = now.tv_sec * 1000000000LL + now.tv_nsec;
  }
  for (int i = 0; i < count; i++) printf("%d %lld\n", i, seen[i]);
  return fflush(stdout) == 0 ? 0 : 1;
}

int main(void) {
  int ends[2], status = 1, count = 0;
  while (count < most && scanf("%lld", &due[count]) == 1) count++;
  if (pipe(ends) != 0) return 1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    _exit(listen_to(ends[0], count));
  }
  close(ends[0]);
  memset(line, '.', sizeof line);
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
  for (int i = 0; i < count; i++) {
    struct itimerspec at = {.it_value = {due[i] / 1000000000LL, due[i] % 1000000000LL}};
    unsigned long long expirations;
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
    if (read(timer, &expirations, sizeof expirations) < 0) return 1;
    if (write(ends[1], line, sizeof line) != sizeof line) return 1;
  }
  waitpid(child, &status, 0);
  return status;
}
