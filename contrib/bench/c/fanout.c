// The least it takes to tell processes of events and to have each acknowledged: pipes, and no daemon.
//
//   fanout PROCESSES EVENTS WINDOW
//
// Writes a line of an alert's length to each process for each event, and reads a line from each in answer.
// At most WINDOW events are without all their answers at any time: with 1 each waits for the one before.
// Prints the nanoseconds from the first line to the last answer.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 64, line_length = 400, answer_length = 64 };

struct peer {
  int to, from;
  // A line may go out in pieces, an answer may come in pieces.
  size_t line_sent;
  long long sent, answered;
  char piece[answer_length];
  size_t held;
};

static struct peer peers[most];
static struct pollfd waits[2 * most];
static int count;

static void give_up(const char *what) {
  fprintf(stderr, "fanout: %s: %s\n", what, strerror(errno));
  exit(1);
}

static long long clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void answer_all(int input, int output, long long events) {
  static char buffer[1 << 16], answers[1 << 16];
  size_t held = 0;
  for (long long number = 0; number < events;) {
    ssize_t length = read(input, buffer + held, sizeof buffer - held);
    if (length <= 0) _exit(1);
    size_t whole = (held + (size_t)length) / line_length, done = 0;
    for (size_t i = 0; i < whole; i++)
      done += (size_t)snprintf(answers + done, sizeof answers - done,
        "{\"type\":\"presented\",\"seq\":%lld}\n", number++);
    held = (held + (size_t)length) % line_length;
    for (size_t sent = 0; sent < done;) {
      ssize_t part = write(output, answers + sent, done - sent);
      if (part < 0) _exit(1);
      sent += (size_t)part;
    }
  }
}

static void start(struct peer *peer, long long events) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) give_up("pipe2");
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    answer_all(to[0], from[1], events);
    _exit(0);
  }
  close(to[0]);
  close(from[1]);
  *peer = (struct peer){.to = to[1], .from = from[0]};
  fcntl(peer->to, F_SETFL, O_NONBLOCK);
  fcntl(peer->from, F_SETFL, O_NONBLOCK);
}

// Sends all that may be sent; whether anything is left that the process does not read yet.
static int send_some(struct peer *peer, long long end) {
  char line[line_length];
  while (peer->sent < end) {
    memset(line, '.', sizeof line);
    snprintf(line, sizeof line, "{\"type\":\"alert\",\"seq\":%012lld}", peer->sent);
    ssize_t part = write(peer->to, line + peer->line_sent, line_length - peer->line_sent);
    if (part < 0 && errno != EAGAIN) give_up("write");
    if (part < 0) return 1;
    peer->line_sent = (peer->line_sent + (size_t)part) % line_length;
    if (peer->line_sent == 0) peer->sent++;
  }
  return 0;
}

static void read_some(struct peer *peer) {
  static char buffer[4096];
  char wanted[answer_length];
  ssize_t length = read(peer->from, buffer, sizeof buffer);
  if (length == 0) give_up("a process ended");
  for (ssize_t i = 0; i < length; i++) {
    if (peer->held == answer_length) give_up("a wrong answer");
    peer->piece[peer->held++] = buffer[i];
    if (buffer[i] != '\n') continue;
    int size = snprintf(
      wanted, sizeof wanted, "{\"type\":\"presented\",\"seq\":%lld}\n", peer->answered++);
    if (peer->held != (size_t)size || memcmp(peer->piece, wanted, peer->held) != 0)
      give_up("a wrong answer");
    peer->held = 0;
  }
}

int main(int argc, char **argv) {
  if (argc != 4 || atoi(argv[1]) > most) {
    fprintf(stderr, "usage: fanout PROCESSES EVENTS WINDOW\n");
    return 64;
  }
  count = atoi(argv[1]);
  const long long events = atoll(argv[2]), window = atoll(argv[3]);
  for (int i = 0; i < count; i++) start(&peers[i], events);
  usleep(100000);
  const long long begin = clock_ns();
  for (long long complete = 0; complete < events;) {
    const long long end = complete + window < events ? complete + window : events;
    for (int i = 0; i < count; i++) {
      const int is_full = send_some(&peers[i], end);
      // One that has answered all has ended.
      waits[i] = (struct pollfd){
        .fd = peers[i].answered < events ? peers[i].from : -1, .events = POLLIN};
      waits[count + i] = (struct pollfd){.fd = is_full ? peers[i].to : -1, .events = POLLOUT};
    }
    if (poll(waits, (nfds_t)(2 * count), -1) < 0) give_up("poll");
    complete = events;
    for (int i = 0; i < count; i++) {
      if (waits[i].revents) read_some(&peers[i]);
      if (peers[i].answered < complete) complete = peers[i].answered;
    }
  }
  printf("%lld\n", clock_ns() - begin);
  int status, is_right = 1;
  while (wait(&status) > 0) is_right &= status == 0;
  return is_right ? 0 : 1;
}
