// What Linux offers and Swift's Glibc module does not: headers outside its map, variadic calls,
// and a fork whose child may only do what is async-signal-safe.
#ifndef CLINUX_H
#define CLINUX_H

#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/types.h>

/// What a child process is to be. Descriptors are the caller's and stay open in the parent.
struct tocsin_spawn {
  /// The program's file; no search is made.
  const char *path;
  /// Argument vector and environment, both ended by NULL.
  char *const *argv;
  char *const *envp;
  /// What becomes the child's descriptors 0, 1 and 2.
  int input;
  int output;
  int error;
  /// What becomes descriptor 3, or -1. Everything above is closed.
  int extra;
  /// The signal the child gets when the thread that spawned it ends; 0 for none.
  int death_signal;
  /// RLIMIT_NOFILE and RLIMIT_AS of the child; 0 leaves the parent's.
  uint64_t file_limit;
  uint64_t memory_limit;
};

/// Which step of making a child failed.
enum tocsin_spawn_step {
  TOCSIN_SPAWN_NOTHING = 0,
  TOCSIN_SPAWN_PIPE,
  TOCSIN_SPAWN_FORK,
  TOCSIN_SPAWN_GROUP,
  TOCSIN_SPAWN_DEATH_SIGNAL,
  TOCSIN_SPAWN_PRIVILEGES,
  TOCSIN_SPAWN_LIMITS,
  TOCSIN_SPAWN_DESCRIPTORS,
  TOCSIN_SPAWN_EXEC,
  TOCSIN_SPAWN_PARENT_GONE,
};

/// Starts a child in a process group of its own, without new privileges, core files, inherited
/// descriptors, blocked or ignored signals. Returns once it has executed its program.
///
/// Returns 0 and sets `pid` and `pidfd` (-1 where the kernel has none), or returns an errno and sets
/// `step`. See fork(2), prctl(2) PR_SET_PDEATHSIG, close_range(2), pidfd_open(2).
int tocsin_spawn(const struct tocsin_spawn *request, pid_t *pid, int *pidfd, int *step);

/// Who is at the other end of a connected Unix socket: 0, or an errno. See unix(7), SO_PEERCRED.
int tocsin_peer(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/// A pipe whose ends, reading first, do not block and are closed on exec: 0, or an errno.
int tocsin_pipe(int ends[2]);

/// Accepts a connection that does not block and is closed on exec: a descriptor, or -1 and errno.
int tocsin_accept(int socket);

/// The environment as it is now; read it before there are threads that change it.
char **tocsin_environment(void);

/// Names the calling thread, at most 15 bytes. See prctl(2), PR_SET_NAME.
void tocsin_name_thread(const char *name);

/// The signal the calling process gets when its parent's thread ends: 0, or an errno.
int tocsin_set_death_signal(int signal);

/// Makes the heap give memory back: large blocks straight to the kernel, one arena for all threads.
/// To be called before there are threads. See mallopt(3).
void tocsin_keep_heap_small(void);

/// Gives back what is free in the heap, and the code pages that only what is over needed: they stay in
/// the page cache, and the next use maps them again. See malloc_trim(3), madvise(2) MADV_DONTNEED.
void tocsin_give_memory_back(void);

#endif
