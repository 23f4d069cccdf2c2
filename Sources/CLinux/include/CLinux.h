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
  /// RLIMIT_NOFILE, RLIMIT_AS and RLIMIT_NPROC of the child; 0 leaves the parent's.
  uint64_t file_limit;
  uint64_t memory_limit;
  uint64_t process_limit;
  /// Whether exec gives the child no more rights than it has: set-user-ID and the like do not count.
  int no_new_privileges;
  /// Whether it becomes another user, with these groups and no others.
  int changes_user;
  uid_t uid;
  gid_t gid;
  const gid_t *groups;
  size_t group_count;
  /// A folder that is empty for the child, but for `door`, a folder in it; or NULL.
  const char *hidden_directory;
  const char *door;
  /// Files that are empty for the child, ended by NULL; or NULL.
  char *const *hidden_files;
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
  TOCSIN_SPAWN_HIDE,
  TOCSIN_SPAWN_USER,
};

/// Starts a child in a process group of its own, without core files, ambient capabilities, inherited
/// descriptors, blocked or ignored signals. Returns once it has executed its program.
///
/// What is hidden is hidden by a mount namespace of its own; without the right to one it gets a user
/// namespace as well, in which it is who it was. See mount_namespaces(7), user_namespaces(7).
///
/// Returns 0 and sets `pid` and `pidfd` (-1 where the kernel has none), or returns an errno and sets
/// `step`. See fork(2), prctl(2) PR_SET_PDEATHSIG, close_range(2), pidfd_open(2).
int tocsin_spawn(const struct tocsin_spawn *request, pid_t *pid, int *pidfd, int *step);

/// What the guardian is told, in one write of this size.
struct tocsin_guard_record {
  /// A process that leads a group: from now on to be ended with the caller, or no more if negative.
  int32_t pid;
};

/// Starts a small process that outlives the caller for the sake of its children: when the other end of
/// `pipe` is closed, it ends each group it still knows of with SIGKILL as soon as the group's leader has
/// ended, and after two seconds in any case. Returns 0 and sets `pipe`, or returns an errno.
///
/// It knows processes by pidfd, so it never ends one that only has the same number.
int tocsin_guard(int *pipe);

/// Keeps other processes of the same user out of this one's memory and descriptors, and it out of core
/// files. See prctl(2), PR_SET_DUMPABLE.
void tocsin_close_to_others(void);

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
