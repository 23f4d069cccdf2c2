// Stands before the C library in a daemon: counts what changes the files of one folder, strikes where it is
// told to, and keeps a record from which the folder can be made again as after a power cut.
//
// TOCSIN_TORTURE_FOLDER names the folder, TOCSIN_TORTURE_CONTROL a file with the struct below, and
// TOCSIN_TORTURE_TRACE, if it is set, the file for the record.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum action { none, kill_before, kill_after, tear, short_write, io_error, no_space, sync_error };
enum kind { create = 1, change, resize, sync_file, sync_folder, name_again, take_away };

struct control {
  _Atomic uint64_t count;  // operations so far
  _Atomic uint64_t at;     // the first to be struck; 0 for none
  _Atomic uint32_t action;
  _Atomic uint32_t last;  // how many are struck from there on
  _Atomic uint64_t struck;
};

struct record {
  uint64_t number;  // of the operation
  uint32_t kind;
  uint32_t length;  // of what follows: bytes written, or names
  uint64_t file;
  int64_t offset;  // or size
};

static struct control *control;
static const char *folder;
static size_t folder_length;
static int trace = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// What a descriptor is: 0 nothing of ours, 1 the folder, else a file's identity.
#define descriptors 1024
static uint64_t files[descriptors];
// Inode numbers are used again, so a file that was made has the number of the operation that made it.
static struct {
  ino_t inode;
  uint64_t file;
} known[256];
static size_t known_count;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("TOCSIN_TORTURE_FOLDER");
  const char *path = getenv("TOCSIN_TORTURE_CONTROL"), *record = getenv("TOCSIN_TORTURE_TRACE");
  if (folder == NULL || path == NULL) return;
  folder_length = strlen(folder);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (memory == MAP_FAILED) return;
  control = memory;
  if (record != NULL) {
    trace = (int)syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  }
}

/// The name in the folder, "" for the folder itself, or NULL for a path elsewhere.
static const char *name_of(const char *path) {
  if (control == NULL || strncmp(path, folder, folder_length) != 0) return NULL;
  const char *rest = path + folder_length;
  if (*rest == 0) return rest;
  return *rest == '/' ? rest + 1 : NULL;
}

static void keep(enum kind kind, uint64_t file, int64_t offset, const void *data, size_t length) {
  if (trace < 0) return;
  struct record record = {atomic_load(&control->count) + 1, kind, (uint32_t)length, file, offset};
  char *whole = malloc(sizeof record + length);
  if (whole == NULL) return;
  memcpy(whole, &record, sizeof record);
  if (length > 0) memcpy(whole + sizeof record, data, length);
  syscall(SYS_write, trace, whole, sizeof record + length);
  free(whole);
}

static void end(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/// Counts an operation; what is to become of it.
static enum action next(bool is_sync, bool is_write) {
  uint64_t number = atomic_load(&control->count) + 1, at = atomic_load(&control->at);
  if (at == 0 || number < at || number - at >= atomic_load(&control->last)) return none;
  enum action action = atomic_load(&control->action);
  if (action == sync_error && !is_sync) return none;
  if ((action == tear || action == short_write) && !is_write) action = action == tear ? kill_after : none;
  if (action != none) atomic_fetch_add(&control->struck, 1);
  if (action == kill_before) end();
  return action;
}

/// Whether an operation fails and nothing is done; errno has why.
static bool is_refused(enum action action) {
  if (action != io_error && action != no_space && action != sync_error) return false;
  errno = action == no_space ? ENOSPC : EIO;
  return true;
}

static void done(enum action action) {
  atomic_fetch_add(&control->count, 1);
  if (action == kill_after || action == tear) end();
}

static uint64_t file_of(int descriptor) {
  return control != NULL && descriptor >= 0 && descriptor < descriptors ? files[descriptor] : 0;
}

static uint64_t remember(ino_t inode, bool is_new) {
  size_t place = 0;
  while (place < known_count && known[place].inode != inode) place++;
  if (place < known_count && !is_new) return known[place].file;
  uint64_t file = is_new ? (atomic_load(&control->count) + 1) << 32 : inode;
  if (place == known_count && known_count < sizeof known / sizeof *known) known_count++;
  if (place < known_count) {
    known[place].inode = inode;
    known[place].file = file;
  }
  return file;
}

static int open_file(const char *path, int flags, mode_t mode) {
  const char *name = name_of(path);
  if (name == NULL) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat status;
  bool is_new = *name != 0 && (flags & O_CREAT) && syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) != 0;
  bool is_emptied = !is_new && (flags & O_TRUNC);
  enum action action = none;
  int result = -1;
  if (is_new || is_emptied) action = next(false, false);
  if (!is_refused(action)) {
    result = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  }
  if (result >= 0 && result < descriptors && fstat(result, &status) == 0) {
    files[result] = S_ISDIR(status.st_mode) ? 1 : S_ISREG(status.st_mode) ? remember(status.st_ino, is_new) : 0;
    if (is_new) keep(create, files[result], 0, name, strlen(name));
    if (is_emptied) keep(resize, files[result], 0, NULL, 0);
  }
  int code = errno;
  if (is_new || is_emptied) done(action);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

static mode_t mode_in(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return open_file(path, flags | O_LARGEFILE, mode);
}

int close(int descriptor) {
  if (file_of(descriptor) != 0) files[descriptor] = 0;
  return (int)syscall(SYS_close, descriptor);
}

static ssize_t write_file(int descriptor, const void *data, size_t length, off64_t offset, bool is_placed) {
  uint64_t file = file_of(descriptor);
  if (file <= 1) {
    return is_placed ? syscall(SYS_pwrite64, descriptor, data, length, offset)
                     : syscall(SYS_write, descriptor, data, length);
  }
  pthread_mutex_lock(&lock);
  enum action action = next(false, true);
  ssize_t result = -1;
  if (!is_refused(action)) {
    if (action == tear || action == short_write) length = (length + 1) / 2;
    if (!is_placed) offset = lseek64(descriptor, 0, SEEK_CUR);
    result = is_placed ? syscall(SYS_pwrite64, descriptor, data, length, offset)
                       : syscall(SYS_write, descriptor, data, length);
    if (result > 0) keep(change, file, offset, data, (size_t)result);
  }
  int code = errno;
  done(action);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

ssize_t write(int descriptor, const void *data, size_t length) {
  return write_file(descriptor, data, length, 0, false);
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
  return write_file(descriptor, data, length, offset, true);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
  return write_file(descriptor, data, length, offset, true);
}

static int resize_file(int descriptor, off64_t size) {
  uint64_t file = file_of(descriptor);
  if (file <= 1) return (int)syscall(SYS_ftruncate, descriptor, size);
  pthread_mutex_lock(&lock);
  enum action action = next(false, false);
  int result = -1;
  if (!is_refused(action)) {
    result = (int)syscall(SYS_ftruncate, descriptor, size);
    if (result == 0) keep(resize, file, size, NULL, 0);
  }
  int code = errno;
  done(action);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

int ftruncate(int descriptor, off_t size) { return resize_file(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return resize_file(descriptor, size); }

static int sync_any(int descriptor, long call) {
  uint64_t file = file_of(descriptor);
  if (file == 0) return (int)syscall(call, descriptor);
  pthread_mutex_lock(&lock);
  enum action action = next(true, false);
  int result = -1;
  if (!is_refused(action)) {
    // What is on the disk is decided by the record; the real one need not be waited for.
    result = trace >= 0 ? 0 : (int)syscall(call, descriptor);
    if (result == 0) keep(file == 1 ? sync_folder : sync_file, file, 0, NULL, 0);
  }
  int code = errno;
  done(action);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

int fsync(int descriptor) { return sync_any(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return sync_any(descriptor, SYS_fdatasync); }

int rename(const char *from, const char *to) {
  const char *old = name_of(from), *new = name_of(to);
  if (old == NULL || new == NULL) return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  pthread_mutex_lock(&lock);
  enum action action = next(false, false);
  int result = -1;
  if (!is_refused(action)) {
    result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0) {
      char both[512];
      size_t length = strlen(old) + 1 + strlen(new);
      if (length < sizeof both) {
        memcpy(both, old, strlen(old) + 1);
        memcpy(both + strlen(old) + 1, new, strlen(new));
        keep(name_again, 0, 0, both, length);
      }
    }
  }
  int code = errno;
  done(action);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

int unlink(const char *path) {
  const char *name = name_of(path);
  if (name == NULL) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  pthread_mutex_lock(&lock);
  enum action action = next(false, false);
  int result = -1;
  if (action == io_error) {
    errno = EIO;
  } else {
    result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0) keep(take_away, 0, 0, name, strlen(name));
  }
  int code = errno;
  done(action);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
