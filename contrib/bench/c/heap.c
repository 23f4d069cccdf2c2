// The least a table of deadlines can cost: a binary heap of numbers that knows where each entry is.
//
//   heap COUNT
//
// Prints "insert NANOSECONDS", "cancel NANOSECONDS" and "bytes BYTES", each for one of COUNT entries,
// which are set and cancelled in orders that have nothing to do with each other.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct entry {
  int64_t deadline;
  uint32_t number;
};

static struct entry *heap;
// Where in the heap each entry is, by its number.
static uint32_t *places;
static uint32_t held;

static uint64_t state = 88172645463325252;

static uint64_t random_number(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static int64_t clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void put(uint32_t place, struct entry entry) {
  heap[place] = entry;
  places[entry.number] = place;
}

static void rise(uint32_t place, struct entry entry) {
  while (place > 0) {
    const uint32_t parent = (place - 1) / 2;
    if (heap[parent].deadline <= entry.deadline) break;
    put(place, heap[parent]);
    place = parent;
  }
  put(place, entry);
}

static void sink(uint32_t place, struct entry entry) {
  for (uint32_t child; (child = 2 * place + 1) < held; place = child) {
    if (child + 1 < held && heap[child + 1].deadline < heap[child].deadline) child++;
    if (heap[child].deadline >= entry.deadline) break;
    put(place, heap[child]);
  }
  put(place, entry);
}

static void insert(struct entry entry) { rise(held++, entry); }

static void cancel(uint32_t number) {
  const uint32_t place = places[number];
  const struct entry last = heap[--held];
  if (place == held) return;
  if (place > 0 && last.deadline < heap[(place - 1) / 2].deadline) {
    rise(place, last);
  } else {
    sink(place, last);
  }
}

// Whether no entry is due before its parent.
static int is_in_order(void) {
  for (uint32_t place = 1; place < held; place++) {
    if (heap[place].deadline < heap[(place - 1) / 2].deadline) return 0;
    if (places[heap[place].number] != place) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  const long count = argc == 2 ? atol(argv[1]) : 0;
  if (count < 1 || count > 100000000) {
    fprintf(stderr, "usage: heap COUNT\n");
    return 64;
  }
  const size_t bytes = (size_t)count * (sizeof *heap + sizeof *places);
  int64_t *deadlines = malloc((size_t)count * sizeof *deadlines);
  uint32_t *order = malloc((size_t)count * sizeof *order);
  heap = calloc((size_t)count, sizeof *heap);
  places = calloc((size_t)count, sizeof *places);
  if (!deadlines || !order || !heap || !places) return 71;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t other = (uint32_t)(random_number() % (i + 1));
    deadlines[i] = (int64_t)(random_number() >> 1);
    order[i] = order[other];
    order[other] = i;
  }
  const int64_t start = clock_ns();
  for (uint32_t i = 0; i < count; i++) insert((struct entry){deadlines[i], i});
  const int64_t inserted = clock_ns();
  if (!is_in_order()) return 1;
  const int64_t began = clock_ns();
  for (uint32_t i = 0; i < count / 2; i++) cancel(order[i]);
  const int64_t half = clock_ns();
  if (!is_in_order()) return 1;
  const int64_t again = clock_ns();
  for (uint32_t i = (uint32_t)(count / 2); i < count; i++) cancel(order[i]);
  const int64_t cancelled = clock_ns();
  if (held != 0) return 1;
  printf("insert %.0f\n", (double)(inserted - start) / (double)count);
  printf("cancel %.0f\n", (double)(half - began + cancelled - again) / (double)count);
  printf("bytes %.0f\n", (double)bytes / (double)count);
  return 0;
}
