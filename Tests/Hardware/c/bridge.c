// Connects a Unix socket with a port of the machine: bridge SOCKET PORT. Waits for the socket to be there.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connected(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  for (;;) {
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (end >= 0 && connect(end, (struct sockaddr *)&address, sizeof address) == 0) return end;
    close(end);
    usleep(2000);
  }
}

static void pass(int from, int to) {
  char bytes[65536];
  ssize_t count = read(from, bytes, sizeof bytes);
  if (count <= 0) exit(0);
  for (ssize_t done = 0; done < count;) {
    ssize_t more = write(to, bytes + done, (size_t)(count - done));
    if (more <= 0) exit(1);
    done += more;
  }
}

int main(int count, char **words) {
  if (count != 3) return 64;
  int port = open(words[2], O_RDWR);
  if (port < 0) return 1;
  struct pollfd ends[2] = {{connected(words[1]), POLLIN, 0}, {port, POLLIN, 0}};
  while (poll(ends, 2, -1) > 0) {
    if (ends[0].revents != 0) pass(ends[0].fd, ends[1].fd);
    if (ends[1].revents & POLLIN) pass(ends[1].fd, ends[0].fd);
    if (ends[1].revents & POLLHUP) return 0;
  }
}
