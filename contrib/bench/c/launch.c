// From exec to the first answer, or to the end.
//
//   launch SOCKET PROGRAM [ARGUMENT]...     until SOCKET answered `status`; then ends it (SIGTERM)
//   launch - PROGRAM [ARGUMENT]...          until the program has ended
//
// Prints nanoseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char question[] = "{\"type\":\"status\",\"id\":\"1\"}\n";

static long long clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// Tries until somebody listens; false if the program has ended before.
static int connect_to(const char *path, pid_t child) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const struct timespec pause = {.tv_nsec = 100000};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  for (;;) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    if (waitpid(child, NULL, WNOHANG) != 0) return -1;
    nanosleep(&pause, NULL);
  }
}

int main(int argc, char **argv) {
  char answer[1 << 16];
  int status, is_right = 1;
  if (argc < 3) return 64;
  const int until_end = strcmp(argv[1], "-") == 0;
  const long long start = clock_ns();
  pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(argv[2], argv + 2);
    _exit(127);
  }
  if (until_end) {
    waitpid(child, &status, 0);
    printf("%lld\n", clock_ns() - start);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  int descriptor = connect_to(argv[1], child);
  if (descriptor < 0) return 1;
  is_right &= write(descriptor, question, strlen(question)) > 0;
  is_right &= read(descriptor, answer, sizeof answer) > 0;
  const long long taken = clock_ns() - start;
  is_right &= strncmp(answer, "{", 1) == 0;
  kill(child, SIGTERM);
  waitpid(child, &status, 0);
  printf("%lld\n", taken);
  return is_right && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
