// `schedule` requests to their ok, in turns with what one durable write costs without any daemon.
//
//   durable SOCKET DIRECTORY ROUNDS BATCH CLIENTS
//
// Each round is BATCH appended writes of 4 KiB with fdatasync in DIRECTORY, as many over an existing
// file, as many again by another thread that is asked through a socket, then BATCH requests from each
// client, one after the other. Prints "WHAT NANOSECONDS", where WHAT is append, inplace, asked, ours (one
// request each), or wall (all requests of a round).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
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

// What a server cannot do without: one thread takes requests from a socket, another writes for it, since
// the first must not wait for the disk.
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t wanted;
  int is_wanted, file, bell, ends[2];
  off_t at;
} server = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};

static void *write_for_others(void *nothing) {
  static char page[4096];
  for (;;) {
    unsigned long long done = 1;
    pthread_mutex_lock(&server.mutex);
    while (!server.is_wanted) pthread_cond_wait(&server.wanted, &server.mutex);
    server.is_wanted = 0;
    pthread_mutex_unlock(&server.mutex);
    if (pwrite(server.file, page, sizeof page, server.at) != sizeof page) give_up("pwrite");
    if (fdatasync(server.file) != 0) give_up("fdatasync");
    if (write(server.bell, &done, sizeof done) != sizeof done) give_up("eventfd");
  }
  return nothing;
}

static void *serve(void *nothing) {
  char request[400];
  for (;;) {
    unsigned long long done;
    if (read(server.ends[1], request, sizeof request) <= 0) return nothing;
    pthread_mutex_lock(&server.mutex);
    server.is_wanted = 1;
    pthread_mutex_unlock(&server.mutex);
    pthread_cond_signal(&server.wanted);
    if (read(server.bell, &done, sizeof done) != sizeof done) give_up("eventfd");
    if (write(server.ends[1], request, sizeof request) != sizeof request) give_up("write");
  }
}

static void ask_batch(int file, int batch, off_t from) {
  static char request[400];
  server.file = file;
  for (int i = 0; i < batch; i++) {
    server.at = from + i * (off_t)4096;
    long long start = clock_ns();
    if (write(server.ends[0], request, sizeof request) != sizeof request) give_up("write");
    if (read(server.ends[0], request, sizeof request) != sizeof request) give_up("read");
    taken[i] = clock_ns() - start;
  }
  for (int i = 0; i < batch; i++) printf("asked %lld\n", taken[i]);
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
  pthread_t threads[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, server.ends) != 0) give_up("socketpair");
  if ((server.bell = eventfd(0, EFD_CLOEXEC)) < 0) give_up("eventfd");
  pthread_create(&threads[0], NULL, serve, NULL);
  pthread_create(&threads[1], NULL, write_for_others, NULL);
  for (int round = 0; round < rounds; round++) {
    off_t from = round * 2 * (off_t)batch * 4096;
    sync_batch(file, batch, from, "append");
    sync_batch(file, batch, from, "inplace");
    ask_batch(file, batch, from + batch * (off_t)4096);
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
