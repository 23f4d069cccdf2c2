/* A sound card in software, for tests: it takes frames at the pace of their rate, as hardware does.
 *
 * A plug-in of libasound (PCM I/O plug-in SDK). In its configuration:
 *
 *   pcm.card {
 *     type paced
 *     file "/tmp/card.wav"  # all frames that were written, for as long as it is open
 *     log "/tmp/card.log"   # a line for each event: its time, name and the frames played by then
 *     busy "/tmp/busy"      # while this file exists, an open fails with EBUSY
 *     rate 48000            # the only rate it can do; without this line 8,000 to 192,000
 *     gone "/tmp/gone"      # while this file exists, everything fails with ENODEV: it is unplugged
 *   }
 *
 * The events are open, write (the first after prepare), start, stop, xrun, gone and close. The log
 * may be a FIFO that somebody reads.
 */
/* Without these two the library's headers would build a plug-in into a program. */
#define PIC 1
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct card {
  snd_pcm_ioplug_t ioplug;
  char *file, *log, *gone;
  int timer;         /* readable once a period */
  int wav;           /* where frames go; -1 without a file */
  unsigned frame;    /* bytes in a frame */
  size_t bytes;      /* bytes in the WAV */
  bool running;
  int64_t started;   /* CLOCK_MONOTONIC, in nanoseconds */
  snd_pcm_uframes_t written, played; /* frames since prepare */
  snd_pcm_uframes_t base;            /* frames that were played when it was started */
};

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void tell(struct card *card, const char *event) {
  if (!card->log) return;
  int log = open(card->log, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600);
  if (log < 0) return;
  dprintf(log, "%lld %s %lu\n", (long long)nanoseconds(), event, (unsigned long)card->played);
  close(log);
}

static bool is_gone(struct card *card) { return card->gone && access(card->gone, F_OK) == 0; }

/* Lets the timer run out once a period, or after so many nanoseconds and then no more. */
static void set_timer(struct card *card, int64_t first, int64_t interval) {
  struct itimerspec times = {
    .it_value = {first / 1000000000, first % 1000000000},
    .it_interval = {interval / 1000000000, interval % 1000000000},
  };
  timerfd_settime(card->timer, 0, &times, NULL);
}

static int64_t period(struct card *card) {
  return 1000000000LL * card->ioplug.period_size / card->ioplug.rate;
}

static int card_start(snd_pcm_ioplug_t *ioplug) {
  struct card *card = ioplug->private_data;
  card->started = nanoseconds();
  card->base = card->played;
  card->running = true;
  set_timer(card, period(card), period(card));
  tell(card, "start");
  return 0;
}

static int card_stop(snd_pcm_ioplug_t *ioplug) {
  struct card *card = ioplug->private_data;
  if (!card->running) return 0;
  card->running = false;
  set_timer(card, 0, 0);
  tell(card, "stop");
  return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *ioplug) {
  struct card *card = ioplug->private_data;
  if (is_gone(card)) {
    snd_pcm_ioplug_set_state(ioplug, SND_PCM_STATE_DISCONNECTED);
    return -ENODEV;
  }
  if (card->running) {
    snd_pcm_uframes_t played =
        card->base + (nanoseconds() - card->started) * ioplug->rate / 1000000000;
    if (played >= card->written) {
      card->played = card->written;
      if (ioplug->state != SND_PCM_STATE_DRAINING) {
        card->running = false;
        tell(card, "xrun");
        return -EPIPE;
      }
    } else {
      card->played = played;
    }
  }
  return card->played % ioplug->buffer_size;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *ioplug,
                                       const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct card *card = ioplug->private_data;
  if (is_gone(card)) return -ENODEV;
  char *start = (char *)areas->addr + (areas->first + areas->step * offset) / 8;
  if (card->wav >= 0) {
    ssize_t count = write(card->wav, start, size * card->frame);
    if (count > 0) card->bytes += count;
  }
  if (card->written == 0) tell(card, "write");
  card->written += size;
  return size;
}

static int card_prepare(snd_pcm_ioplug_t *ioplug) {
  struct card *card = ioplug->private_data;
  card->written = card->played = card->base = 0;
  card->running = false;
  set_timer(card, 1, 0); /* there is room at once */
  return is_gone(card) ? -ENODEV : 0;
}

static void put(unsigned char *bytes, unsigned long value, int count) {
  for (int i = 0; i < count; i++) bytes[i] = value >> 8 * i & 255;
}

static void write_header(struct card *card) {
  if (card->wav < 0) return;
  unsigned rate = card->ioplug.rate, channels = card->ioplug.channels;
  unsigned char header[44] = "RIFF....WAVEfmt ";
  put(header + 4, 36 + card->bytes, 4);
  put(header + 16, 16, 4);
  put(header + 20, 1, 2);
  put(header + 22, channels, 2);
  put(header + 24, rate, 4);
  put(header + 28, rate * card->frame, 4);
  put(header + 32, card->frame, 2);
  put(header + 34, card->frame / channels * 8, 2);
  memcpy(header + 36, "data", 4);
  put(header + 40, card->bytes, 4);
  ssize_t count = pwrite(card->wav, header, sizeof header, 0);
  (void)count;
}

static int card_hw_params(snd_pcm_ioplug_t *ioplug, snd_pcm_hw_params_t *params) {
  (void)params;
  struct card *card = ioplug->private_data;
  card->frame = snd_pcm_format_physical_width(ioplug->format) / 8 * ioplug->channels;
  if (!card->file || card->wav >= 0) return 0;
  card->wav = open(card->file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  write_header(card);
  lseek(card->wav, 44, SEEK_SET);
  return 0;
}

static int card_poll_revents(snd_pcm_ioplug_t *ioplug, struct pollfd *descriptors, unsigned count,
                             unsigned short *events) {
  (void)count;
  struct card *card = ioplug->private_data;
  uint64_t expirations;
  bool ready = descriptors->revents & POLLIN;
  if (ready && read(card->timer, &expirations, sizeof expirations) < 0) ready = false;
  *events = ready ? POLLOUT : 0;
  if (is_gone(card)) {
    tell(card, "gone");
    snd_pcm_ioplug_set_state(ioplug, SND_PCM_STATE_DISCONNECTED);
    *events = POLLERR | POLLHUP;
  }
  if (is_gone(card) || !card->running) set_timer(card, 1, 0);
  return 0;
}

static int card_close(snd_pcm_ioplug_t *ioplug) {
  struct card *card = ioplug->private_data;
  write_header(card);
  if (card->wav >= 0) close(card->wav);
  close(card->timer);
  tell(card, "close");
  free(card->file);
  free(card->log);
  free(card->gone);
  free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .start = card_start,
  .stop = card_stop,
  .pointer = card_pointer,
  .transfer = card_transfer,
  .prepare = card_prepare,
  .hw_params = card_hw_params,
  .poll_revents = card_poll_revents,
  .close = card_close,
};

static int set_limits(snd_pcm_ioplug_t *ioplug, unsigned rate) {
  /* Conversions write through mmap, which the SDK does for us. */
  static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED,
                                      SND_PCM_ACCESS_MMAP_INTERLEAVED};
  static const unsigned formats[] = {SND_PCM_FORMAT_S16};
  int code = snd_pcm_ioplug_set_param_list(ioplug, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  if (code < 0) return code;
  code = snd_pcm_ioplug_set_param_list(ioplug, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
  if (code < 0) return code;
  const struct { int parameter; unsigned least, most; } limits[] = {
    {SND_PCM_IOPLUG_HW_CHANNELS, 1, 2},
    {SND_PCM_IOPLUG_HW_RATE, rate ? rate : 8000, rate ? rate : 192000},
    {SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 65536},
    {SND_PCM_IOPLUG_HW_PERIODS, 2, 64},
    {SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 262144},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    code = snd_pcm_ioplug_set_param_minmax(ioplug, limits[i].parameter, limits[i].least,
                                           limits[i].most);
    if (code < 0) return code;
  }
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(paced) {
  (void)root;
  const char *file = NULL, *log = NULL, *busy = NULL, *gone = NULL;
  long rate = 0;
  snd_config_iterator_t position, next;
  snd_config_for_each(position, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(position);
    const char *key;
    if (snd_config_get_id(entry, &key) < 0) continue;
    if (!strcmp(key, "file")) snd_config_get_string(entry, &file);
    if (!strcmp(key, "log")) snd_config_get_string(entry, &log);
    if (!strcmp(key, "busy")) snd_config_get_string(entry, &busy);
    if (!strcmp(key, "rate")) snd_config_get_integer(entry, &rate);
    if (!strcmp(key, "gone")) snd_config_get_string(entry, &gone);
  }
  if (stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  if (gone && access(gone, F_OK) == 0) return -ENODEV;
  if (busy && access(busy, F_OK) == 0) return -EBUSY;

  struct card *card = calloc(1, sizeof *card);
  if (!card) return -ENOMEM;
  card->wav = -1;
  card->file = file ? strdup(file) : NULL;
  card->log = log ? strdup(log) : NULL;
  card->gone = gone ? strdup(gone) : NULL;
  card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  card->ioplug = (snd_pcm_ioplug_t){
    .version = SND_PCM_IOPLUG_VERSION,
    .name = "paced software card",
    .callback = &callbacks,
    .private_data = card,
    .poll_fd = card->timer,
    .poll_events = POLLIN,
  };
  int code = snd_pcm_ioplug_create(&card->ioplug, name, stream, mode);
  if (code < 0) {
    close(card->timer);
    free(card->file);
    free(card->log);
    free(card->gone);
    free(card);
    return code;
  }
  code = set_limits(&card->ioplug, rate);
  if (code < 0) {
    snd_pcm_ioplug_delete(&card->ioplug);
    return code;
  }
  tell(card, "open");
  *pcmp = card->ioplug.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(paced);
