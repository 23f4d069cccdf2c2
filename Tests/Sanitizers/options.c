// Linked into every program by contrib/sanitize: what a sanitizer is told, and what it does not see itself.
//
// Compiled in, because tests start programs, and the daemon its plugins, with an environment of their own.
// OPTIONS is a string of the sanitizer's options; SANITIZER_IS_THREAD, _ADDRESS or _UNDEFINED says which it is.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return OPTIONS; }

const char *__asan_default_options(void);
const char *__asan_default_options(void) { return OPTIONS; }

#ifdef SANITIZER_IS_UNDEFINED
// The address sanitizer has it within, which would not know what that one's suppressions are.
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return OPTIONS; }
#endif

#ifdef SANITIZER_IS_THREAD

// The standard library's Mutex takes and gives a free lock by instructions in the program itself, which the
// sanitizer sees. Where threads meet, it calls the library, which was not built for the sanitizer: what is
// ordered by that is told here. The program's symbols come before the library's.

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef void SWIFT lock_function(uint32_t thread, SELF);
typedef bool SWIFT try_function(SELF);
typedef void SWIFT unlock_function(SELF);

static void *library(const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (symbol == NULL) abort();
  return symbol;
}

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void SWIFT lock_slow(uint32_t thread, SELF) __asm__(LOCK);
bool SWIFT try_lock_slow(SELF) __asm__(TRY);
void SWIFT unlock_slow(SELF) __asm__(UNLOCK);

void SWIFT lock_slow(uint32_t thread, SELF) {
  static lock_function *_Atomic next;
  if (next == NULL) next = (lock_function *)library(LOCK);
  next(thread, self);
  __tsan_acquire(self);
}

bool SWIFT try_lock_slow(SELF) {
  static try_function *_Atomic next;
  if (next == NULL) next = (try_function *)library(TRY);
  bool is_locked = next(self);
  if (is_locked) __tsan_acquire(self);
  return is_locked;
}

void SWIFT unlock_slow(SELF) {
  static unlock_function *_Atomic next;
  if (next == NULL) next = (unlock_function *)library(UNLOCK);
  __tsan_release(self);
  next(self);
}

// GLib has locks of its own, too. Who gives its loop something to do is ordered before what the loop then
// does; for the program's own calls alone, by the linker's --wrap.

struct handed {
  int (*run)(void *);
  void *data;
  void (*end)(void *);
};

static int run_handed(void *pointer) {
  struct handed *handed = pointer;
  __tsan_acquire(handed);
  return handed->run(handed->data);
}

static void end_handed(void *pointer) {
  struct handed *handed = pointer;
  __tsan_acquire(handed);
  if (handed->end != NULL) handed->end(handed->data);
  free(handed);
}

typedef void callback_setter(void *source, int (*)(void *), void *, void (*)(void *));

// Programs without GLib have none.
callback_setter __real_g_source_set_callback __attribute__((weak));
callback_setter __wrap_g_source_set_callback;

void __wrap_g_source_set_callback(void *source, int (*run)(void *), void *data, void (*end)(void *)) {
  struct handed *handed = malloc(sizeof *handed);
  if (handed == NULL) abort();
  *handed = (struct handed){run, data, end};
  __tsan_release(handed);
  __real_g_source_set_callback(source, run_handed, handed, end_handed);
}

#endif
