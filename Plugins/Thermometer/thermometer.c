/// The thermometer as a shared library: the same device as thermometer.py, in C, loaded into the daemon.
///
///     cc -shared -fPIC -O2 -I Sources/CStintPlugin/include Plugins/Thermometer/thermometer.c -o thermometer.so -lpthread
///
/// A separate thread reads the file and publishes its value; the host's calls only change the state of that
/// thread.

#define _GNU_SOURCE
#include "stint_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct device {
  const struct stint_host *host;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  char path[STINT_LONGEST_TEXT + 1];
  uint64_t sequence;
  uint64_t samples;
  int64_t offset;
  /// Nanoseconds between two samples; 0 while off.
  int64_t period;
  int is_ending;
};

static int64_t now(const struct device *device) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec + device->offset;
}

/// A frame body under construction.
struct body {
  uint64_t count;
  char bytes[512];
};

static void put(struct body *body, const void *bytes, uint64_t count) {
  memcpy(body->bytes + body->count, bytes, count);
  body->count += count;
}

static void put_16(struct body *body, uint16_t value) { put(body, &value, 2); }
static void put_32(struct body *body, uint32_t value) { put(body, &value, 4); }
static void put_64(struct body *body, int64_t value) { put(body, &value, 8); }

static void put_text(struct body *body, const char *text) {
  put_16(body, (uint16_t)strlen(text));
  put(body, text, strlen(text));
}

/// Sends a frame. The lock must be held, so that frames are sent in the order of their numbers.
static void say(struct device *device, uint16_t kind, const struct body *body) {
  char frame[sizeof(struct stint_frame_header) + sizeof body->bytes];
  struct stint_frame_header header = {(uint32_t)(sizeof header + body->count), kind, 0, device->sequence++};
  memcpy(frame, &header, sizeof header);
  memcpy(frame + sizeof header, body->bytes, body->count);
  device->host->say(device->host->context, frame, header.length);
}

static void say_at(struct device *device, uint16_t kind) {
  struct body body = {0};
  put_64(&body, now(device));
  say(device, kind, &body);
}

static void measure(struct device *device) {
  double degrees = 0;
  long thousandths = 0;
  FILE *file = fopen(device->path, "r");
  int is_read = file != NULL && fscanf(file, "%ld", &thousandths) == 1;
  if (file != NULL) fclose(file);
  struct body body = {0};
  put_64(&body, now(device));
  if (!is_read) {
    put_text(&body, "its file cannot be read");
    say(device, STINT_FAULT, &body);
    return;
  }
  degrees = (double)thousandths / 1000;
  put_32(&body, 0);
  put_32(&body, STINT_NUMBER);
  put(&body, &degrees, 8);
  say(device, STINT_FACT, &body);
  struct stint_sample sample = {now(device), device->samples++, {degrees, 0, 0, 0}};
  struct body batch = {0};
  put_64(&batch, now(device));
  put_32(&batch, STINT_IMMEDIATE);
  put_32(&batch, 1);
  put(&batch, &sample, sizeof sample);
  say(device, STINT_BATCH, &batch);
}

static void *work(void *argument) {
  struct device *device = argument;
  pthread_mutex_lock(&device->lock);
  while (!device->is_ending) {
    if (device->period == 0) {
      pthread_cond_wait(&device->changed, &device->lock);
      continue;
    }
    measure(device);
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    int64_t next = due.tv_nsec + device->period;
    due.tv_sec += next / 1000000000;
    due.tv_nsec = next % 1000000000;
    while (!device->is_ending && device->period != 0
           && pthread_cond_timedwait(&device->changed, &device->lock, &due) == 0) {}
  }
  pthread_mutex_unlock(&device->lock);
  return NULL;
}

static void introduce(struct device *device) {
  struct body welcome = {0};
  put_16(&welcome, STINT_PROTOCOL_MAJOR);
  put_16(&welcome, STINT_PROTOCOL_MINOR);
  say(device, STINT_WELCOME, &welcome);
  struct body manifest = {0};
  put_text(&manifest, "ambient.temperature");
  put_16(&manifest, 2);
  put_text(&manifest, "off");
  put_text(&manifest, "on");
  put_16(&manifest, 0);
  for (int list = 0; list < 2; list++) {
    put_16(&manifest, 1);
    put_text(&manifest, "temperature");
    put_text(&manifest, "C");
  }
  say(device, STINT_MANIFEST, &manifest);
}

/// Reads the only setting, a string; the host has validated it.
static void read_settings(struct device *device, const char *body) {
  uint16_t count, key, text;
  memcpy(&count, body + 8, 2);
  if (count == 0) return;
  memcpy(&key, body + 10, 2);
  memcpy(&text, body + 13 + key, 2);
  memcpy(device->path, body + 15 + key, text);
  device->path[text] = 0;
}

static void apply(struct device *device, const char *body) {
  uint32_t token, flags;
  int64_t period;
  memcpy(&token, body, 4);
  memcpy(&flags, body + 4, 4);
  memcpy(&period, body + 24, 8);
  if (!(flags & STINT_HAS_PERIOD)) period = 10000000000;
  if (period < 100000000) period = 100000000;
  device->period = flags & STINT_IS_ON ? period : 0;
  struct body answer = {0};
  put_64(&answer, now(device));
  put_32(&answer, token);
  put_32(&answer, flags & STINT_IS_ON ? 1 : 0);
  put_64(&answer, device->period);
  say(device, STINT_APPLIED, &answer);
  pthread_cond_signal(&device->changed);
}

static void take(void *argument, const void *bytes, uint64_t count) {
  struct device *device = argument;
  struct stint_frame_header header;
  if (count < sizeof header) return;
  memcpy(&header, bytes, sizeof header);
  const char *body = (const char *)bytes + sizeof header;
  pthread_mutex_lock(&device->lock);
  int64_t times[2];
  struct body drained = {0};
  switch (header.kind) {
  case STINT_HELLO:
    memcpy(times, body + 8, 16);
    device->offset = times[0] - times[1];
    introduce(device);
    break;
  case STINT_OPEN:
    read_settings(device, body);
    say_at(device, STINT_OPENED);
    break;
  case STINT_APPLY:
    apply(device, body);
    break;
  case STINT_DRAIN:
    // This device holds no samples.
    put_64(&drained, now(device));
    put(&drained, body, 4);
    say(device, STINT_DRAINED, &drained);
    break;
  case STINT_CLOSE:
    device->period = 0;
    say_at(device, STINT_CLOSED);
    break;
  }
  pthread_mutex_unlock(&device->lock);
}

static void *create(const struct stint_host *host) {
  struct device *device = calloc(1, sizeof *device);
  if (device == NULL) return NULL;
  device->host = host;
  strcpy(device->path, "/sys/class/thermal/thermal_zone0/temp");
  pthread_mutex_init(&device->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&device->changed, &attributes);
  if (pthread_create(&device->thread, NULL, work, device) == 0) return device;
  free(device);
  return NULL;
}

static void destroy(void *argument) {
  struct device *device = argument;
  pthread_mutex_lock(&device->lock);
  device->is_ending = 1;
  pthread_cond_signal(&device->changed);
  pthread_mutex_unlock(&device->lock);
  pthread_join(device->thread, NULL);
  free(device);
}

static const struct stint_frames frames = {sizeof frames, 0, create, take, destroy};

static const void *extension(const char *name) { return strcmp(name, STINT_FRAMES) == 0 ? &frames : NULL; }

STINT_EXPORT const struct stint_plugin_library stint_plugin = {
  sizeof stint_plugin, STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, "thermometer", extension,
};
