#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
// On some 32-bit machines the plain names are those with 16-bit numbers.
#ifdef SYS_setgroups32
#define SET_GROUPS SYS_setgroups32
#define SET_GROUP SYS_setresgid32
#define SET_USER SYS_setresuid32
#else
#define SET_GROUPS SYS_setgroups
#define SET_GROUP SYS_setresgid
#define SET_USER SYS_setresuid
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

// A limit above the highest that the parent may set is that highest.
static int set_limit(int resource, rlim_t value) {
  struct rlimit limit = {value, value}, current;
  if (getrlimit(resource, &current) == 0 && value > current.rlim_max)
    limit.rlim_cur = limit.rlim_max = current.rlim_max;
  return setrlimit(resource, &limit);
}

// What the child needs and may not put together itself.
struct surroundings {
  pid_t parent;
  char directory[PATH_MAX];
  char uid_map[64];
  char gid_map[64];
};

static int put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = (ssize_t)strlen(text);
  int is_written = write(file, text, (size_t)length) == length;
  int code = errno;
  close(file);
  errno = code;
  return is_written ? 0 : -1;
}

static int unshare_mounts(const struct tocsin_spawn *request, const struct surroundings *around) {
  if (unshare(CLONE_NEWNS) == 0) return 0;
  // In a user namespace of its own it could become nobody else any more.
  if (errno != EPERM || request->changes_user) return -1;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
  // What a process closed to others has in /proc belongs to root. Nobody is let in by this: from here
  // on only those outside of the new namespace may look at it.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  if (put("/proc/self/setgroups", "deny") != 0 && errno != ENOENT) return -1;
  if (put("/proc/self/gid_map", around->gid_map) != 0) return -1;
  return put("/proc/self/uid_map", around->uid_map);
}

static int hide(const struct tocsin_spawn *request, const struct surroundings *around) {
  if (unshare_mounts(request, around) != 0) return -1;
  if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) return -1;
  if (request->hidden_directory != NULL) {
    const char *directory = request->hidden_directory;
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    int door = request->door == NULL ? -1 : open(request->door, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (mount("tmpfs", directory, "tmpfs", flags, "mode=755,size=16k,nr_inodes=8") != 0) return -1;
    if (door >= 0) {
      if (mkdir(request->door, 0700) != 0 || fchdir(door) != 0) return -1;
      if (mount(".", request->door, NULL, MS_BIND, NULL) != 0) return -1;
    }
    if (mount(NULL, directory, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, NULL) != 0) return -1;
  }
  for (char *const *file = request->hidden_files; file != NULL && *file != NULL; file++)
    if (mount("/dev/null", *file, NULL, MS_BIND, NULL) != 0 && errno != ENOENT) return -1;
  // The folder it works in would else still be the one beneath.
  if (chdir(around->directory) != 0) return chdir("/");
  return 0;
}

static void become(
    const struct tocsin_spawn *request, const struct surroundings *around, int report) {
  reset_signals();
  if (setpgid(0, 0) != 0) fail(report, TOCSIN_SPAWN_GROUP);
  if ((request->hidden_directory != NULL || request->hidden_files != NULL) &&
      hide(request, around) != 0)
    fail(report, TOCSIN_SPAWN_HIDE);
  // Before the user changes, who may not raise what the parent may.
  if (set_limit(RLIMIT_CORE, 0) != 0) fail(report, TOCSIN_SPAWN_LIMITS);
  if (request->memory_limit != 0 && set_limit(RLIMIT_AS, request->memory_limit) != 0)
    fail(report, TOCSIN_SPAWN_LIMITS);
  if (request->process_limit != 0 && set_limit(RLIMIT_NPROC, request->process_limit) != 0)
    fail(report, TOCSIN_SPAWN_LIMITS);
  // Absent before Linux 4.3, where there are none.
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  // By system call: the C library's own would wait for threads that are not there after fork.
  if (request->changes_user &&
      (syscall(SET_GROUPS, request->group_count, request->groups) != 0 ||
       syscall(SET_GROUP, request->gid, request->gid, request->gid) != 0 ||
       syscall(SET_USER, request->uid, request->uid, request->uid) != 0))
    fail(report, TOCSIN_SPAWN_USER);
  // A change of the user takes the death signal back, so only now.
  if (request->death_signal != 0) {
    if (prctl(PR_SET_PDEATHSIG, request->death_signal, 0, 0, 0) != 0)
      fail(report, TOCSIN_SPAWN_DEATH_SIGNAL);
    // The parent may have ended before the request took effect.
    if (getppid() != around->parent) {
      errno = ESRCH;
      fail(report, TOCSIN_SPAWN_PARENT_GONE);
    }
  }
  if (request->no_new_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    fail(report, TOCSIN_SPAWN_PRIVILEGES);

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

  struct surroundings around;
  around.parent = getpid();
  if (getcwd(around.directory, sizeof around.directory) == NULL) strcpy(around.directory, "/");
  snprintf(around.uid_map, sizeof around.uid_map, "%u %u 1", geteuid(), geteuid());
  snprintf(around.gid_map, sizeof around.gid_map, "%u %u 1", getegid(), getegid());

  // No handler of the parent may run in the child before its signals are reset.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  int code = errno;
  if (child == 0) become(request, &around, report[1]);
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

