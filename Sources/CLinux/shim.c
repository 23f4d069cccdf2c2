#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

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

void tocsin_close_to_others(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

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
