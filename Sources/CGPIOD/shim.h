#ifndef CGPIOD_SHIM_H
#define CGPIOD_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <linux/input.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

// libgpiod 1.6 and 2.x share a header's name and almost no function; these few stand for both. A
// header of 1.x is known by a macro that 2.0 took away. All give -1 or NULL with errno on failure.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define TOCSIN_GPIOD_1 1
#else
#define TOCSIN_GPIOD_1 0
#endif

struct tocsin_chip_facts {
  char name[64];
  char label[64];
  unsigned lines;
};

enum tocsin_bias { TOCSIN_BIAS_AS_IS, TOCSIN_BIAS_DISABLED, TOCSIN_BIAS_PULL_UP, TOCSIN_BIAS_PULL_DOWN };

struct tocsin_line_settings {
  int output;      // 0: an input with both edges, 1: an output that begins inactive
  int active_low;
  enum tocsin_bias bias;  // of an input
};

struct tocsin_edge {
  int64_t stamp;  // ns of CLOCK_MONOTONIC, which the kernel uses since 5.7
  uint64_t number;  // grows by one with each edge of the line, also with lost ones; 0 in 1.6
  int active;
};

// One requested line with all it needs; release ends it.
struct tocsin_line {
#if TOCSIN_GPIOD_1
  struct gpiod_chip *chip;  // owns the line
  struct gpiod_line *line;
#else
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer;
  unsigned offset;
#endif
  int fd;  // readable when there are edges; -1 if the library gives none for outputs
};

static inline const char *tocsin_gpiod_version(void) {
#if TOCSIN_GPIOD_1
  return gpiod_version_string();
#else
  return gpiod_api_version();
#endif
}

static inline int tocsin_chip_facts(struct gpiod_chip *chip, struct tocsin_chip_facts *facts) {
#if TOCSIN_GPIOD_1
  snprintf(facts->name, sizeof facts->name, "%s", gpiod_chip_name(chip));
  snprintf(facts->label, sizeof facts->label, "%s", gpiod_chip_label(chip));
  facts->lines = gpiod_chip_num_lines(chip);
#else
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return -1;
  snprintf(facts->name, sizeof facts->name, "%s", gpiod_chip_info_get_name(info));
  snprintf(facts->label, sizeof facts->label, "%s", gpiod_chip_info_get_label(info));
  facts->lines = (unsigned)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
#endif
  return 0;
}

// The offset of the line with that name, or -1.
static inline int tocsin_line_offset(struct gpiod_chip *chip, const char *name) {
#if TOCSIN_GPIOD_1
  struct gpiod_line *line = gpiod_chip_find_line(chip, name);
  return line ? (int)gpiod_line_offset(line) : -1;
#else
  return gpiod_chip_get_line_offset_from_name(chip, name);
#endif
}

// 1 and who holds the line, which may be empty; 0 if nobody does.
static inline int tocsin_line_consumer(struct gpiod_chip *chip, unsigned offset, char *name, size_t size) {
  const char *consumer = NULL;
  int used = 0;
#if TOCSIN_GPIOD_1
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  if (!line) return -1;
  used = gpiod_line_is_used(line);
  consumer = gpiod_line_consumer(line);
  snprintf(name, size, "%s", used && consumer ? consumer : "");
#else
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
  if (!info) return -1;
  used = gpiod_line_info_is_used(info);
  consumer = gpiod_line_info_get_consumer(info);
  snprintf(name, size, "%s", used && consumer ? consumer : "");
  gpiod_line_info_free(info);
#endif
  return used;
}

static inline void tocsin_line_release(struct tocsin_line *line) {
  int saved = errno;
#if TOCSIN_GPIOD_1
  if (line->line) gpiod_line_release(line->line);
  if (line->chip) gpiod_chip_close(line->chip);
#else
  if (line->buffer) gpiod_edge_event_buffer_free(line->buffer);
  if (line->request) gpiod_line_request_release(line->request);
#endif
  free(line);
  errno = saved;
}

#if TOCSIN_GPIOD_1
static inline int tocsin_line_request_(
    struct tocsin_line *line, unsigned offset, const struct tocsin_line_settings *settings,
    const char *consumer) {
  int flags = settings->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  struct gpiod_line *found = gpiod_chip_get_line(line->chip, offset);
  if (!found) return -1;
  if (settings->output) {
    if (gpiod_line_request_output_flags(found, consumer, flags, 0) != 0) return -1;
    line->line = found;
    return 0;
  }
  switch (settings->bias) {
    case TOCSIN_BIAS_AS_IS: break;
    case TOCSIN_BIAS_DISABLED: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case TOCSIN_BIAS_PULL_UP: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case TOCSIN_BIAS_PULL_DOWN: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
  }
  if (gpiod_line_request_both_edges_events_flags(found, consumer, flags) != 0) return -1;
  line->line = found;
  line->fd = gpiod_line_event_get_fd(found);
  return line->fd < 0 ? -1 : 0;
}
#else
static inline int tocsin_line_request_(
    struct tocsin_line *line, struct gpiod_chip *chip, unsigned offset,
    const struct tocsin_line_settings *settings, const char *consumer) {
  struct gpiod_line_settings *wanted = gpiod_line_settings_new();
  struct gpiod_line_config *config = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  int good = wanted && config && request;
  if (good) {
    gpiod_line_settings_set_active_low(wanted, settings->active_low);
    gpiod_request_config_set_consumer(request, consumer);
    if (settings->output) {
      good = gpiod_line_settings_set_direction(wanted, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
             gpiod_line_settings_set_output_value(wanted, GPIOD_LINE_VALUE_INACTIVE) == 0;
    } else {
      enum gpiod_line_bias bias = GPIOD_LINE_BIAS_AS_IS;
      switch (settings->bias) {
        case TOCSIN_BIAS_AS_IS: break;
        case TOCSIN_BIAS_DISABLED: bias = GPIOD_LINE_BIAS_DISABLED; break;
        case TOCSIN_BIAS_PULL_UP: bias = GPIOD_LINE_BIAS_PULL_UP; break;
        case TOCSIN_BIAS_PULL_DOWN: bias = GPIOD_LINE_BIAS_PULL_DOWN; break;
      }
      good = gpiod_line_settings_set_direction(wanted, GPIOD_LINE_DIRECTION_INPUT) == 0 &&
             gpiod_line_settings_set_edge_detection(wanted, GPIOD_LINE_EDGE_BOTH) == 0 &&
             gpiod_line_settings_set_bias(wanted, bias) == 0;
      line->buffer = gpiod_edge_event_buffer_new(16);
      good = good && line->buffer;
    }
    good = good && gpiod_line_config_add_line_settings(config, &offset, 1, wanted) == 0;
  }
  if (good) {
    line->request = gpiod_chip_request_lines(chip, request, config);
    line->offset = offset;
    if (line->request) line->fd = gpiod_line_request_get_fd(line->request);
    good = line->request != NULL;
  }
  int saved = errno;
  if (wanted) gpiod_line_settings_free(wanted);
  if (config) gpiod_line_config_free(config);
  if (request) gpiod_request_config_free(request);
  errno = saved;
  return good ? 0 : -1;
}
#endif

// Takes a line of the chip at that path; reading its edges never blocks.
static inline struct tocsin_line *tocsin_line_request(
    const char *path, unsigned offset, const struct tocsin_line_settings *settings,
    const char *consumer) {
  struct tocsin_line *line = (struct tocsin_line *)calloc(1, sizeof *line);
  if (!line) return NULL;
  line->fd = -1;
  struct gpiod_chip *chip = gpiod_chip_open(path);
  int result = -1;
#if TOCSIN_GPIOD_1
  line->chip = chip;
  if (chip) result = tocsin_line_request_(line, offset, settings, consumer);
#else
  if (chip) {
    result = tocsin_line_request_(line, chip, offset, settings, consumer);
    int saved = errno;
    gpiod_chip_close(chip);
    errno = saved;
  }
#endif
  if (result == 0 && line->fd >= 0) {
    int flags = fcntl(line->fd, F_GETFL);
    result = fcntl(line->fd, F_SETFL, flags | O_NONBLOCK);
  }
  if (result == 0) return line;
  tocsin_line_release(line);
  return NULL;
}

static inline int tocsin_line_get(struct tocsin_line *line) {
#if TOCSIN_GPIOD_1
  return gpiod_line_get_value(line->line);
#else
  return gpiod_line_request_get_value(line->request, line->offset);
#endif
}

static inline int tocsin_line_set(struct tocsin_line *line, int active) {
#if TOCSIN_GPIOD_1
  return gpiod_line_set_value(line->line, active);
#else
  return gpiod_line_request_set_value(
      line->request, line->offset, active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
#endif
}

// How many edges were read, at most 16; EAGAIN if there are none.
static inline int tocsin_line_read(struct tocsin_line *line, struct tocsin_edge *edges, int count) {
  if (count > 16) count = 16;
#if TOCSIN_GPIOD_1
  struct gpiod_line_event events[16];
  int got = gpiod_line_event_read_fd_multiple(line->fd, events, (unsigned)count);
  for (int index = 0; index < got; index++) {
    edges[index].stamp = (int64_t)events[index].ts.tv_sec * 1000000000 + events[index].ts.tv_nsec;
    edges[index].number = 0;
    edges[index].active = events[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  }
#else
  int got = gpiod_line_request_read_edge_events(line->request, line->buffer, (size_t)count);
  for (int index = 0; index < got; index++) {
    struct gpiod_edge_event *event =
        gpiod_edge_event_buffer_get_event(line->buffer, (unsigned long)index);
    edges[index].stamp = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    edges[index].number = gpiod_edge_event_get_line_seqno(event);
    edges[index].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  }
#endif
  return got;
}

// evdev: ioctl(2) is variadic and its requests are macros, so Swift can use neither.

static inline int tocsin_input_name(int fd, char *name, size_t size) {
  return ioctl(fd, EVIOCGNAME(size), name);
}

// The keys that a device has, as bits.
static inline int tocsin_input_keys(int fd, uint8_t *bits, size_t size) {
  return ioctl(fd, EVIOCGBIT(EV_KEY, size), bits);
}

// The keys that are down now, as bits.
static inline int tocsin_input_pressed(int fd, uint8_t *bits, size_t size) {
  return ioctl(fd, EVIOCGKEY(size), bits);
}

static inline int tocsin_input_set_clock(int fd, int clock) {
  return ioctl(fd, EVIOCSCLOCKID, &clock);
}

static inline int tocsin_input_grab(int fd) { return ioctl(fd, EVIOCGRAB, (void *)1); }

#endif
