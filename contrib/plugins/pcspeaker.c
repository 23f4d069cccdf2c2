/* A sink that beeps with the PC speaker, or any other input device that makes tones (evdev, SND_TONE).
   To make it: cc -O2 -Wall -Wextra -o pcspeaker pcspeaker.c
     [plugin speaker]
     run = /path/to/pcspeaker
     device = /dev/input/by-path/platform-pcspkr-event-spkr
   `modprobe pcspkr` makes the device; who writes to it needs the group `input`. While it is away each
   alert is answered with failed, and confirmed once the device has come and sounds. */
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { LINE = 65536, RINGS = 64, UNTOLD = 0, PRESENTED, FAILED, HERTZ = 880, BEAT = 400 };
static struct { char occurrence[96]; unsigned long long seq; int told; } rings[RINGS];
static int count, device = -1, is_on;
static char path[256] = "/dev/input/by-path/platform-pcspkr-event-spkr";
/* JSON: behind the value at p, and never behind the line's end. Nothing here recurses. */
static const char *blank(const char *p) { return p + strspn(p, " \t\r"); }
static const char *skip(const char *p) {
  int depth = 0;
  do {
    if (*p == '"')
      while (*++p && *p != '"') p += *p == '\\' && p[1];
    else if (*p == '{' || *p == '[') depth++;
    else if (*p == '}' || *p == ']') depth--;
    else if (!depth) return p + strcspn(p, ",]} \t\r");
    if (*p) p++;
  } while (depth > 0 && *p);
  return p;
}
/* The value of a key of the object at p; an empty text if it has no such key. */
static const char *member(const char *p, const char *key) {
  size_t size = strlen(key);
  for (p = blank(p); *p == '{' || *p == ','; p = blank(skip(p))) {
    const char *name = blank(p + 1), *end = skip(name);
    if (*name != '"' || *(p = blank(end)) != ':') break;
    p = blank(p + 1);
    if ((size_t)(end - name) == size + 2 && !memcmp(name + 1, key, size)) return p;
  }
  return "";
}
/* Copies the text at p as it is written; 0 if it is none or finds no room. */
static int text(const char *p, char *into, size_t room) {
  size_t size = (size_t)(skip(p) - p);
  if (*p != '"' || size < 2 || size - 2 >= room) return 0;
  memcpy(into, p + 1, size - 2);
  return into[size - 2] = 0, 1;
}
static int tone(int hertz) {
  struct input_event events[2] = {{.type = EV_SND, .code = SND_TONE, .value = hertz}, {.type = EV_SYN}};
  if (device < 0) device = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (device >= 0 && write(device, events, sizeof events) == sizeof events) return 1;
  return close(device), device = -1, 0;
}
/* The next beep or the pause after it, and what is to be told of it. */
static void beat(void) {
  if (!count && !is_on) return;
  is_on = count && !is_on;
  int is_heard = tone(is_on ? HERTZ : 0);
  for (int i = 0, news = is_heard ? PRESENTED : FAILED; i < count; i++) {
    if (rings[i].told != news && (is_on || !is_heard))
      printf("{\"type\":\"%s\",\"seq\":%llu,\"retry\":true,\"reason\":\"no speaker there: modprobe pcspkr,"
             " group input\"}\n", is_heard ? "presented" : "failed", rings[i].seq), rings[i].told = news;
  }
}
/* One event, by itself or in a sync. */
static void take(const char *event) {
  char type[16], sound[8] = "", occurrence[96];
  unsigned long long seq = strtoull(member(event, "seq"), NULL, 10);
  if (!text(member(event, "type"), type, sizeof type)) return;
  int is_alert = !strcmp(type, "alert");
  if (!is_alert && strcmp(type, "countdown") && strcmp(type, "paused") && strcmp(type, "cleared")) return;
  if (!text(member(event, "occurrence"), occurrence, sizeof occurrence)) return;
  for (int i = 0; i < count; i++)
    if (!strcmp(rings[i].occurrence, occurrence)) rings[i--] = rings[--count];
  text(member(event, "sound"), sound, sizeof sound);
  if (is_alert && strcmp(sound, "none") && count < RINGS) {
    strcpy(rings[count].occurrence, occurrence);
    rings[count].seq = seq, rings[count++].told = UNTOLD, is_on = 0; /* it beeps at once */
  } else printf("{\"type\":\"presented\",\"seq\":%llu}\n", seq);
  if (is_alert || !count) beat();
}
static void leave(int number) { (void)number, tone(0), _exit(0); } /* a tone outlives its process */
static void line(const char *l) {
  char type[16] = "";
  text(member(l, "type"), type, sizeof type);
  if (!strcmp(type, "hello")) {
    text(member(member(l, "settings"), "device"), path, sizeof path);
    puts("{\"type\":\"ready\",\"name\":\"pcspeaker\",\"version\":\"1\",\"capabilities\":[\"sound\"],"
         "\"audible\":true}");
  } else if (!strcmp(type, "sync")) {
    const char *p = member(l, "presentations");
    for (count = 0; *p == '[' || *p == ','; p = blank(skip(p))) take(p = blank(p + 1));
    if (!count) beat();
  } else if (!strcmp(type, "ping")) puts("{\"type\":\"pong\"}");
  else if (!strcmp(type, "bye")) leave(0);
  else take(l);
}
int main(void) {
  static char buffer[LINE];
  setvbuf(stdout, NULL, _IOLBF, 0), signal(SIGTERM, leave);
  for (size_t size = 0, is_overlong = 0;;) {
    int ready = poll(&(struct pollfd){.events = POLLIN}, 1, count || is_on ? BEAT : -1);
    if (!ready) beat();
    if (ready <= 0) continue;
    ssize_t got = read(0, buffer + size, LINE - size);
    if (got <= 0) leave(0);
    size += (size_t)got;
    for (char *end; (end = memchr(buffer, '\n', size)); memmove(buffer, end, size)) {
      *end++ = 0;
      if (!is_overlong) line(buffer);
      is_overlong = 0, size -= (size_t)(end - buffer);
    }
    if (size == LINE) size = 0, is_overlong = 1;
  }
}
