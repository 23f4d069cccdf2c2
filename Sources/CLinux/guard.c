#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

// pidfd_send_signal(2): to the group that the process leads; Linux 6.9.
enum { to_group = 1 << 2 };
// More plugins and hooks at a time than that are not guarded.
enum { most = 256 };
enum { grace_milliseconds = 2000 };

// A sanitizer keeps variables of its own among the program's and needs them.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { gives_memory_back = 0 };
#else
enum { gives_memory_back = 1 };
#endif

// All of this runs in a process that was forked and executes nothing: only system calls, no heap.

static struct pollfd guarded[most];
static pid_t leaders[most];
static int count;

static void forget(int index) {
  close(guarded[index].fd);
  count--;
  guarded[index] = guarded[count];
  leaders[index] = leaders[count];
}

static void note(pid_t pid) {
  if (pid < 0) {
    for (int index = count - 1; index >= 0; index--)
      if (leaders[index] == -pid) forget(index);
    return;
  }
  if (pid <= 1 || count == most) return;
  int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
  // Gone already, or a kernel that cannot tell it from a later process of the same number.
  if (descriptor < 0) return;
  guarded[count].fd = descriptor;
  guarded[count].events = POLLIN;
  leaders[count] = pid;
  count++;
}

static void end_group(int index) {
  if (syscall(SYS_pidfd_send_signal, guarded[index].fd, SIGKILL, NULL, to_group) == 0) return;
  if (errno != EINVAL) return;
  // A number stays taken while a group has it. So the group is the same if its leader is still there,
  // be it ended, or if no process has the number; else the number was given out anew.
  if (syscall(SYS_pidfd_send_signal, guarded[index].fd, 0, NULL, 0) == 0 ||
      (kill(leaders[index], 0) != 0 && errno == ESRCH))
    kill(-leaders[index], SIGKILL);
}

static long long now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static uintptr_t hexadecimal(const char **text) {
  uintptr_t value = 0;
  for (;; (*text)++) {
    char digit = **text;
    if (digit >= '0' && digit <= '9') {
      value = value * 16 + (uintptr_t)(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value = value * 16 + (uintptr_t)(digit - 'a' + 10);
    } else {
      return value;
    }
  }
}

// Where the program's variables end; the linker's name.
extern char _end[];

static void drop(uintptr_t start, uintptr_t end) {
  if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}

// Gives back what one line of /proc/self/maps tells of, if it is memory of the caller that is of no use
// here: its heap, its frames on the stack, and the program's variables that begin as zero, among which
// are the ones above, still zero. The loader's own memory stays, as it may yet have symbols to bind; a
// thread's stack too, as the thread's variables are at its end.
static void give_back(const char *line, uintptr_t frame) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = hexadecimal(&line);
  if (*line++ != '-') return;
  uintptr_t end = hexadecimal(&line);
  if (strncmp(line, " rw-p ", 6) != 0) return;
  if (strstr(line, "[stack]") != NULL) {
    frame &= ~(page - 1);
    if (frame >= start && frame < end) {
      // What is called from here has the page below, and the callers' frames have the page above.
      drop(start, frame - page);
      start = frame + 2 * page;
    }
    drop(start, end);
    // What was here is what ps shows of a process.
    char *name = program_invocation_name;
    if ((uintptr_t)name >= start && (uintptr_t)name < end - 64) strcpy(name, "tocsin-guard");
  } else if (
      strstr(line, "[heap]") != NULL ||
      (strchr(line, '/') == NULL && (uintptr_t)_end > start && (uintptr_t)_end <= end)) {
    drop(start, end);
  }
}

// The caller goes on to change its memory, and each page of it would then be kept twice.
static void give_memory_back(void) {
  char buffer[1024];
  size_t used = 0;
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  ssize_t length;
  while ((length = read(maps, buffer + used, sizeof buffer - 1 - used)) > 0) {
    used += (size_t)length;
    buffer[used] = 0;
    char *line = buffer, *newline;
    while ((newline = strchr(line, '\n')) != NULL) {
      *newline = 0;
      give_back(line, (uintptr_t)buffer);
      line = newline + 1;
    }
    used = (size_t)(buffer + used - line);
    memmove(buffer, line, used);
    // A path of that length is none of those looked for.
    if (used == sizeof buffer - 1) used = 0;
  }
  close(maps);
}

static void guard(int pipe) {
  if (gives_memory_back) give_memory_back();
  struct tocsin_guard_record record;
  while (1) {
    ssize_t length = read(pipe, &record, sizeof record);
    if (length == (ssize_t)sizeof record) {
      note(record.pid);
    } else if (length == 0 || errno != EINTR) {
      break;
    }
  }
  // The kernel has sent each leader SIGTERM. What a leader leaves behind ends with it.
  long long end = now_milliseconds() + grace_milliseconds;
  while (count > 0) {
    long long left = end - now_milliseconds();
    if (left <= 0) break;
    if (poll(guarded, (nfds_t)count, (int)left) <= 0) continue;
    for (int index = count - 1; index >= 0; index--) {
      if (guarded[index].revents == 0) continue;
      end_group(index);
      forget(index);
    }
  }
  while (count > 0) {
    end_group(0);
    forget(0);
  }
  _exit(0);
}

int tocsin_guard(int *pipe) {
  int ends[2];
  *pipe = -1;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  // Forked twice, so that it is nobody's child to be waited for.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  int code = errno;
  if (child == 0) {
    if (fork() != 0) _exit(0);
    // Out of reach of a terminal's signals, and with those that remain blocked but SIGKILL.
    setsid();
    prctl(PR_SET_NAME, "tocsin-guard", 0, 0, 0);
    if (chdir("/") != 0 || dup2(ends[0], 0) < 0) _exit(1);
    if (syscall(SYS_close_range, 1, ~0u, 0) != 0)
      for (int descriptor = 1; descriptor < 4096; descriptor++) close(descriptor);
    guard(0);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    return code;
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  *pipe = ends[1];
  return 0;
}
