// Listens to a sound card: ear PCM. Prints a line for every 5 ms: when they ended (nanoseconds of
// CLOCK_MONOTONIC), the level (hundredths of a decibel of full scale), the pitch (hundredths of a hertz,
// 0 where nothing swings). A card that goes away is waited for: "gone", then "open" again.
#include <alsa/asoundlib.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { rate = 48000, channels = 2, window = rate / 200, floor_level = -12000 };

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void quiet(const char *file, int line, const char *function, int error, const char *text, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)text;
}

// The level of the left channel.
static int level(const short *samples) {
  double power = 0;
  for (int i = 0; i < window; i++) {
    double value = samples[i * channels] / 32768.0;
    power += value * value;
  }
  power /= window;
  return power < 1e-12 ? floor_level : (int)lround(1000 * log10(2 * power));
}

// The pitch of a pure tone: whole swings between the first and the last rise through zero.
static int pitch(const short *samples) {
  double first = 0, last = 0;
  int rises = 0;
  for (int i = 1; i < window; i++) {
    double before = samples[(i - 1) * channels], after = samples[i * channels];
    if (before >= 0 || after < 0) continue;
    last = i - after / (after - before);
    if (rises++ == 0) first = last;
  }
  return rises < 2 ? 0 : (int)lround(100.0 * rate * (rises - 1) / (last - first));
}

// Woken for every window, with room for half a second: a busy machine loses nothing.
static int prepare(snd_pcm_t *pcm) {
  snd_pcm_hw_params_t *wanted;
  snd_pcm_uframes_t period = window, room = rate / 2;
  snd_pcm_hw_params_alloca(&wanted);
  return snd_pcm_hw_params_any(pcm, wanted) < 0 ||
         snd_pcm_hw_params_set_access(pcm, wanted, SND_PCM_ACCESS_RW_INTERLEAVED) < 0 ||
         snd_pcm_hw_params_set_format(pcm, wanted, SND_PCM_FORMAT_S16_LE) < 0 ||
         snd_pcm_hw_params_set_channels(pcm, wanted, channels) < 0 ||
         snd_pcm_hw_params_set_rate(pcm, wanted, rate, 0) < 0 ||
         snd_pcm_hw_params_set_period_size_near(pcm, wanted, &period, NULL) < 0 ||
         snd_pcm_hw_params_set_buffer_size_near(pcm, wanted, &room) < 0 ||
         snd_pcm_hw_params(pcm, wanted) < 0 || snd_pcm_start(pcm) < 0;
}

static void listen_to(snd_pcm_t *pcm) {
  short samples[window * channels];
  for (;;) {
    long got = snd_pcm_readi(pcm, samples, window);
    if (got == -EPIPE) {
      printf("overrun\n");
      if (snd_pcm_prepare(pcm) < 0 || snd_pcm_start(pcm) < 0) return;
    } else if (got < 0) {
      return;
    } else if (got == window) {
      printf("%lld %d %d\n", now(), level(samples), pitch(samples));
    }
  }
}

int main(int count, char **words) {
  if (count != 2) return 64;
  setvbuf(stdout, NULL, _IOLBF, 0);
  snd_lib_error_set_handler(quiet);
  for (;;) {
    snd_pcm_t *pcm;
    if (snd_pcm_open(&pcm, words[1], SND_PCM_STREAM_CAPTURE, 0) < 0) {
      usleep(20000);
      continue;
    }
    if (prepare(pcm) == 0) {
      printf("open\n");
      listen_to(pcm);
      printf("gone\n");
    }
    snd_pcm_close(pcm);
    usleep(20000);
  }
}
