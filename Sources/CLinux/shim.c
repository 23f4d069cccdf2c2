#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

struct failure {
  int step;
  int code;
};

// The child's report goes to descriptor 4; the program's own descriptors are 0 to 3.
enum { report_at = 4, first_closed = 5, parked_from = 10 };

// From here to `become` everything runs between fork and exec of a process that may have had other
// threads: only system calls, no allocation, no locks, no stdio.

static void fail(int report, int step) {
  struct failure failure = {step, errno};
  ssize_t ignored = write(report, &failure, sizeof failure);
  (void)ignored;
  _exit(127);
}

// One descriptor's name in /proc/self/fd, or -1.
static int number(const char *name) {
  int value = 0;
  if (*name == 0) return -1;
  for (; *name; name++) {
    if (*name < '0' || *name > '9') return -1;
    value = value * 10 + (*name - '0');
  }
  return value;
}

// For kernels before 5.9 and seccomp filters that do not know close_range. The directory is read
// from the start again after each round that closed something: closing changes it.
static void close_listed(void) {
  struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
  };
  _Alignas(struct entry) char buffer[2048];
  int directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) {
    struct rlimit limit;
    int last = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)last)
      last = (int)limit.rlim_cur;
    for (int descriptor = first_closed; descriptor < last; descriptor++) close(descriptor);
    return;
  }
  int closed = 1;
  while (closed) {
    closed = 0;
    lseek(directory, 0, SEEK_SET);
    long count;
    while ((count = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0) {
      for (long position = 0; position < count;) {
        struct entry *entry = (struct entry *)(buffer + position);
        int descriptor = number(entry->name);
        if (descriptor >= first_closed && descriptor != directory) {
          close(descriptor);
          closed = 1;
        }
        position += entry->length;
      }
    }
  }
  close(directory);
}

// By system call: the C library refuses the signals it keeps for itself, and one of those may be
// ignored from before. The kernel's structure, smaller than this on every machine, is all zero for
// the default.
static void reset_signals(void) {
  static const unsigned long standard[8] = {0};
  for (int signal = 1; signal < NSIG; signal++)
    syscall(SYS_rt_sigaction, signal, standard, NULL, NSIG / 8);
}

static int set_limit(int resource, rlim_t value) {
  struct rlimit limit = {value, value}, current;
  if (getrlimit(resource, &current) == 0 && value > current.rlim_max) return 0;
  return setrlimit(resource, &limit);
}

static void become(const struct tocsin_spawn *request, pid_t parent, int report) {
  reset_signals();
  if (setpgid(0, 0) != 0) fail(report, TOCSIN_SPAWN_GROUP);
  if (request->death_signal != 0) {
    if (prctl(PR_SET_PDEATHSIG, request->death_signal, 0, 0, 0) != 0)
      fail(report, TOCSIN_SPAWN_DEATH_SIGNAL);
    // The parent may have ended before the request took effect.
    if (getppid() != parent) {
      errno = ESRCH;
      fail(report, TOCSIN_SPAWN_PARENT_GONE);
    }
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(report, TOCSIN_SPAWN_PRIVILEGES);
  if (set_limit(RLIMIT_CORE, 0) != 0) fail(report, TOCSIN_SPAWN_LIMITS);
  if (request->memory_limit != 0 && set_limit(RLIMIT_AS, request->memory_limit) != 0)
    fail(report, TOCSIN_SPAWN_LIMITS);

  // Sources may themselves be 0 to 4: park all of them above before the first dup2.
  int sources[4] = {request->input, request->output, request->error, request->extra};
  for (int target = 0; target < 4; target++) {
    if (sources[target] < 0) continue;
    sources[target] = fcntl(sources[target], F_DUPFD_CLOEXEC, parked_from);
    if (sources[target] < 0) fail(report, TOCSIN_SPAWN_DESCRIPTORS);
  }
  int parked = fcntl(report, F_DUPFD_CLOEXEC, parked_from);
  if (parked < 0 || dup3(parked, report_at, O_CLOEXEC) < 0)
    fail(report, TOCSIN_SPAWN_DESCRIPTORS);
  report = report_at;
  for (int target = 0; target < 4; target++) {
    if (sources[target] < 0) {
      close(target);
    } else if (dup2(sources[target], target) < 0) {
      fail(report, TOCSIN_SPAWN_DESCRIPTORS);
    }
  }
  if (syscall(SYS_close_range, first_closed, ~0u, 0) != 0) close_listed();
  // Last, because a low limit would refuse the descriptors parked above.
  if (request->file_limit != 0 && set_limit(RLIMIT_NOFILE, request->file_limit) != 0)
    fail(report, TOCSIN_SPAWN_LIMITS);

  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(request->path, request->argv, request->envp);
  fail(report, TOCSIN_SPAWN_EXEC);
}

int tocsin_spawn(const struct tocsin_spawn *request, pid_t *pid, int *pidfd, int *step) {
  int report[2];
  *pid = -1;
  *pidfd = -1;
  *step = TOCSIN_SPAWN_NOTHING;
  if (pipe2(report, O_CLOEXEC) != 0) {
    *step = TOCSIN_SPAWN_PIPE;
    return errno;
  }

  // No handler of the parent may run in the child before its signals are reset.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  pid_t child = fork();
  int code = errno;
  if (child == 0) become(request, parent, report[1]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  if (child < 0) {
    close(report[0]);
    *step = TOCSIN_SPAWN_FORK;
    return code;
  }

  struct failure failure = {TOCSIN_SPAWN_NOTHING, 0};
  ssize_t count;
  do {
    count = read(report[0], &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  close(report[0]);
  if (count == (ssize_t)sizeof failure) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    *step = failure.step;
    return failure.code;
  }
  *pid = child;
  *pidfd = (int)syscall(SYS_pidfd_open, child, 0);
  return 0;
}

int tocsin_peer(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return errno;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

int tocsin_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno; }

int tocsin_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

char **tocsin_environment(void) { return environ; }

void tocsin_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int tocsin_set_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) == 0 ? 0 : errno;
}

void tocsin_keep_heap_small(void) {
  // Fixed, or the C library raises them after the first large block that is freed.
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);
  mallopt(M_TRIM_THRESHOLD, 64 * 1024);
  mallopt(M_ARENA_MAX, 1);
}

// Executable segments are never written to, so dropping their pages loses nothing.
static int drop_code(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_flags & PF_W) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    uintptr_t end = start + segment->p_memsz;
    start = (start + page - 1) & ~(page - 1);
    end &= ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void tocsin_give_memory_back(void) {
  malloc_trim(0);
  dl_iterate_phdr(drop_code, NULL);
}
