// `schedule` requests to their ok, in turns with what one durable write costs without any daemon.
//
//   durable SOCKET DIRECTORY ROUNDS BATCH CLIENTS
//
// Each round is BATCH appended writes of 4 KiB with fdatasync in DIRECTORY, as many over an existing
// file, then BATCH requests from each client, one after the other. Prints "WHAT NANOSECONDS", where
// WHAT is append, inplace, ours (one request each), or wall (all requests of a round).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { most_clients = 16, most_batch = 1000 };

struct client {
  pthread_t thread;
  int descriptor, number, batch;
  unsigned sent;
  long long taken[most_batch];
};

static struct client clients[most_clients];
static long long taken[most_batch];

static long long clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void give_up(const char *what) {
  fprintf(stderr, "durable: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void sync_batch(int file, int batch, off_t from, const char *what) {
  static char page[4096];
  for (int i = 0; i < batch; i++) {
    long long start = clock_ns();
    if (pwrite(file, page, sizeof page, from + i * (off_t)sizeof page) != sizeof page)
      give_up("pwrite");
    if (fdatasync(file) != 0) give_up("fdatasync");
    taken[i] = clock_ns() - start;
  }
  for (int i = 0; i < batch; i++) printf("%s %lld\n", what, taken[i]);
}

// Waits for the line that ends the answer.
static void answer(struct client *client) {
  static __thread char text[1 << 16];
  size_t held = 0;
  for (;;) {
    ssize_t count = read(client->descriptor, text + held, sizeof text - held - 1);
    if (count <= 0) give_up("the daemon hung up");
    held += (size_t)count;
    text[held] = 0;
    if (text[held - 1] != '\n') continue;
    if (strstr(text, "\"type\":\"error\"")) {
      fprintf(stderr, "durable: %s", text);
      exit(1);
    }
    if (strstr(text, "\"type\":\"ok\"")) return;
  }
}

static void *ask(void *argument) {
  struct client *client = argument;
  char text[400];
  for (int i = 0; i < client->batch; i++) {
    int length = snprintf(text, sizeof text,
      "{\"type\":\"schedule\",\"id\":\"1\",\"alarm\":{\"id\":\"%08x-0000-4000-8000-%012x\","
      "\"title\":\"Wake up\",\"schedule\":{\"time\":\"07:30\",\"repeats\":[\"mon\",\"tue\"]}}}\n",
      client->number, client->sent++);
    long long start = clock_ns();
    if (write(client->descriptor, text, (size_t)length) != length) give_up("write");
    answer(client);
    client->taken[i] = clock_ns() - start;
  }
  return NULL;
}

static void connect_to(const char *path, struct client *client, int number, int batch) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  client->descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  client->number = number;
  client->batch = batch;
  if (connect(client->descriptor, (struct sockaddr *)&address, sizeof address) != 0)
    give_up(path);
}

int main(int argc, char **argv) {
  char path[4096];
  if (argc != 6) {
    fprintf(stderr, "usage: durable SOCKET DIRECTORY ROUNDS BATCH CLIENTS\n");
    return 64;
  }
  int rounds = atoi(argv[3]), batch = atoi(argv[4]), count = atoi(argv[5]);
  if (batch > most_batch || count > most_clients) return 64;
  for (int i = 0; i < count; i++) connect_to(argv[1], &clients[i], (int)getpid() * 100 + i, batch);
  snprintf(path, sizeof path, "%s/durable.%d", argv[2], (int)getpid());
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) give_up(path);
  for (int round = 0; round < rounds; round++) {
    off_t from = round * (off_t)batch * 4096;
    sync_batch(file, batch, from, "append");
    sync_batch(file, batch, from, "inplace");
    long long start = clock_ns();
    for (int i = 0; i < count; i++) pthread_create(&clients[i].thread, NULL, ask, &clients[i]);
    for (int i = 0; i < count; i++) pthread_join(clients[i].thread, NULL);
    printf("wall %lld\n", clock_ns() - start);
    for (int i = 0; i < count; i++)
      for (int j = 0; j < batch; j++) printf("ours %lld\n", clients[i].taken[j]);
  }
  unlink(path);
  return fflush(stdout) == 0 ? 0 : 1;
}
