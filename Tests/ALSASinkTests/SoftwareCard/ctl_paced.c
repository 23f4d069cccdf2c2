/* The mixer of the software card, for tests: one control, Master, with a volume and a switch.
 *
 * A plug-in of libasound (external control plug-in SDK). In its configuration:
 *
 *   ctl.card { type paced file "/tmp/mixer" }
 *
 * The file holds two numbers: the volume, 0 to 100, and the switch, 0 or 1.
 */
#define PIC 1
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <stdio.h>

enum element { VOLUME, SWITCH };
static const char *const names[] = {"Master Playback Volume", "Master Playback Switch"};

struct mixer {
  snd_ctl_ext_t ext;
  char *file;
};

static void load(struct mixer *mixer, long values[2]) {
  values[VOLUME] = values[SWITCH] = 0;
  FILE *file = fopen(mixer->file, "r");
  if (!file) return;
  if (fscanf(file, "%ld %ld", &values[VOLUME], &values[SWITCH]) < 2) values[SWITCH] = 0;
  fclose(file);
}

static int save(struct mixer *mixer, const long values[2]) {
  FILE *file = fopen(mixer->file, "w");
  if (!file) return -errno;
  fprintf(file, "%ld %ld\n", values[VOLUME], values[SWITCH]);
  return fclose(file) == 0 ? 0 : -errno;
}

static int mixer_count(snd_ctl_ext_t *ext) {
  (void)ext;
  return 2;
}

static int mixer_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
  (void)ext;
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, names[offset]);
  return 0;
}

static snd_ctl_ext_key_t mixer_find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  (void)ext;
  const char *name = snd_ctl_elem_id_get_name(id);
  for (int element = VOLUME; element <= SWITCH; element++) {
    if (!strcmp(name, names[element])) return element;
  }
  return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int mixer_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access,
                           unsigned *count) {
  (void)ext;
  *type = key == SWITCH ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
  *access = SND_CTL_EXT_ACCESS_READWRITE;
  *count = 1;
  return 0;
}

static int mixer_range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most,
                       long *step) {
  (void)ext;
  (void)key;
  *least = 0;
  *most = 100;
  *step = 1;
  return 0;
}

static int mixer_read(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  long values[2];
  load(ext->private_data, values);
  *value = values[key];
  return 0;
}

static int mixer_write(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  long values[2];
  load(ext->private_data, values);
  if (values[key] == *value) return 0;
  values[key] = *value;
  int code = save(ext->private_data, values);
  return code < 0 ? code : 1;
}

static int mixer_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
  (void)ext;
  (void)id;
  (void)mask;
  return -EAGAIN;
}

static void mixer_close(snd_ctl_ext_t *ext) {
  struct mixer *mixer = ext->private_data;
  free(mixer->file);
  free(mixer);
}

static const snd_ctl_ext_callback_t callbacks = {
  .close = mixer_close,
  .elem_count = mixer_count,
  .elem_list = mixer_list,
  .find_elem = mixer_find,
  .get_attribute = mixer_attribute,
  .get_integer_info = mixer_range,
  .read_integer = mixer_read,
  .write_integer = mixer_write,
  .read_event = mixer_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(paced) {
  (void)root;
  const char *file = NULL;
  snd_config_iterator_t position, next;
  snd_config_for_each(position, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(position);
    const char *key;
    if (snd_config_get_id(entry, &key) == 0 && !strcmp(key, "file")) {
      snd_config_get_string(entry, &file);
    }
  }
  if (!file) return -EINVAL;
  struct mixer *mixer = calloc(1, sizeof *mixer);
  if (!mixer) return -ENOMEM;
  mixer->file = strdup(file);
  mixer->ext = (snd_ctl_ext_t){
    .version = SND_CTL_EXT_VERSION,
    .id = "paced",
    .driver = "paced",
    .name = "paced software card",
    .longname = "paced software card",
    .mixername = "paced software card",
    .poll_fd = -1,
    .callback = &callbacks,
    .private_data = mixer,
  };
  int code = snd_ctl_ext_create(&mixer->ext, name, mode);
  if (code < 0) {
    free(mixer->file);
    free(mixer);
    return code;
  }
  *handlep = mixer->ext.handle;
  return 0;
}

SND_CTL_PLUGIN_SYMBOL(paced);
