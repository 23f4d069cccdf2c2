// A sink that takes very many alerts: what it took, and when the daemon had taken its last answer.
//
//   sink FILE COUNT PLACE
//
// Keeps the title, the number and the arrival of each alert, and answers each; all answers to one read(2)
// go out with one write(2). After COUNT alerts it stops the one at PLACE, counted from 0: the daemon reads
// its lines in order, so that the end of that alert comes only after it has taken all answers. Then FILE is
// written, a line "TITLE NUMBER NANOSECONDS" for each alert, and the last "done SYNCS NANOSECONDS". An alert
// that comes again under its number is wrong, unless a `sync` said all anew; then it is answered anew.
#define _GNU_SOURCE
#include "sink.h"

#include <stdio.h>

enum { most = 200000, title_length = 24, occurrence_length = 100 };
static struct { char title[title_length]; long long number, at; } taken[most];
static char answers[1 << 20], name[64], stopped[occurrence_length];
static size_t answers_length;
static int taken_count, count, place, syncs;
static const char *path;

static void say(const char *line) {
  answers_length += (size_t)snprintf(
    answers + answers_length, sizeof answers - answers_length, "%s\n", line);
}

// The text of a key, which holds nothing that JSON escapes.
static void text_of(const char *line, const char *key, char *text, size_t room) {
  const char *value = strstr(line, key);
  if (!value) exit(2);
  value += strlen(key);
  snprintf(text, room, "%.*s", (int)strcspn(value, "\""), value);
}

static void finish(long long at) {
  char temporary[4096];
  snprintf(temporary, sizeof temporary, "%s.new", path);
  FILE *out = fopen(temporary, "w");
  if (!out) exit(1);
  for (int i = 0; i < taken_count; i++)
    fprintf(out, "%s %lld %lld\n", taken[i].title, taken[i].number, taken[i].at);
  fprintf(out, "done %d %lld\n", syncs, at);
  if (fclose(out) != 0 || rename(temporary, path) != 0) exit(1);
}

static void take_alert(const char *line, long long at) {
  char text[200];
  const char *value = strstr(line, "\"seq\":");
  if (!value || taken_count == most) exit(2);
  const long long number = atoll(value + strlen("\"seq\":"));
  snprintf(text, sizeof text, "{\"type\":\"presented\",\"seq\":%lld}", number);
  say(text);
  if (taken_count > 0 && number <= taken[taken_count - 1].number) {
    if (syncs == 0) exit(3);
    return;
  }
  taken[taken_count].number = number;
  taken[taken_count].at = at;
  text_of(line, "\"title\":\"", taken[taken_count].title, title_length);
  if (taken_count == place) text_of(line, "\"occurrence\":\"", stopped, sizeof stopped);
  if (++taken_count != count) return;
  snprintf(text, sizeof text,
    "{\"type\":\"intent\",\"action\":\"stop\",\"occurrence\":\"%s\"}", stopped);
  say(text);
}

static void take(const char *line, long long at) {
  char source[100];
  if (strstr(line, "\"type\":\"hello\"")) {
    text_of(line, "\"sink\":\"", name, sizeof name);
    say("{\"type\":\"ready\",\"name\":\"sink\",\"version\":\"1\",\"capabilities\":[\"visual\"]}");
  } else if (strstr(line, "\"type\":\"ping\"")) {
    say("{\"type\":\"pong\"}");
  } else if (strstr(line, "\"type\":\"bye\"")) {
    exit(0);
  } else if (strstr(line, "\"type\":\"sync\"")) {
    static const char alert[] = "{\"type\":\"alert\"";
    if (strstr(line, alert)) syncs++;
    while ((line = strstr(line, alert))) take_alert(line++, at);
  } else if (strstr(line, "\"type\":\"alert\"")) {
    take_alert(line, at);
  } else if (strstr(line, "\"type\":\"cleared\"") && stopped[0] && strstr(line, stopped)) {
    text_of(line, "\"source\":\"", source, sizeof source);
    if (strcmp(source, name) == 0) finish(at);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: sink FILE COUNT PLACE\n");
    return 64;
  }
  path = argv[1];
  count = atoi(argv[2]);
  place = atoi(argv[3]);
  while (take_lines(take)) {
    put_all(answers, answers_length);
    answers_length = 0;
  }
  return 0;
}
