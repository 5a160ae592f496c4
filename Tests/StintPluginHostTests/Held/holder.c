/// A sensor in a shared library that measures once per second while it is on. It holds its samples until
/// `drain` or `close`. It reads no clock: every request of the host contains the time.

#include "stint_plugin.h"

#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000

struct device {
  const struct stint_host *host;
  uint64_t frames;
  uint64_t samples;
  int is_on;
  /// The instant of the last measurement; before the first measurement, the instant at which the device
  /// turned on.
  int64_t measured;
  uint32_t held;
  struct stint_sample samples_held[100];
};

struct body {
  uint64_t count;
  char bytes[8192];
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

static void say(struct device *device, uint16_t kind, const struct body *body) {
  struct {
    struct stint_frame_header header;
    char bytes[8192];
  } frame;
  frame.header = (struct stint_frame_header){(uint32_t)(16 + body->count), kind, 0, device->frames++};
  memcpy(frame.bytes, body->bytes, body->count);
  device->host->say(device->host->context, &frame, frame.header.length);
}

static void introduce(struct device *device) {
  struct body welcome = {0}, manifest = {0};
  put_16(&welcome, STINT_PROTOCOL_MAJOR);
  put_16(&welcome, STINT_PROTOCOL_MINOR);
  say(device, STINT_WELCOME, &welcome);
  put_text(&manifest, "test.held");
  put_16(&manifest, 2);
  put_text(&manifest, "off");
  put_text(&manifest, "on");
  put_16(&manifest, 0);
  put_16(&manifest, 1);
  put_text(&manifest, "value");
  put_text(&manifest, "");
  put_16(&manifest, 0);
  say(device, STINT_MANIFEST, &manifest);
}

static void measure(struct device *device, int64_t now) {
  while (device->is_on && device->measured + SECOND <= now && device->held < 100) {
    device->measured += SECOND;
    device->samples_held[device->held++] =
        (struct stint_sample){device->measured, device->samples++, {1, 0, 0, 0}};
  }
}

static void deliver(struct device *device, int64_t now) {
  if (device->held == 0) return;
  struct body batch = {0};
  put_64(&batch, now);
  put_32(&batch, STINT_ENDED);
  put_32(&batch, device->held);
  put(&batch, device->samples_held, device->held * sizeof(struct stint_sample));
  device->held = 0;
  say(device, STINT_BATCH, &batch);
}

static void take(void *argument, const void *bytes, uint64_t count) {
  struct device *device = argument;
  struct stint_frame_header header;
  memcpy(&header, bytes, sizeof header);
  const char *request = (const char *)bytes + sizeof header;
  struct body answer = {0};
  int64_t now;
  uint32_t flags;
  memcpy(&now, request + (header.kind == STINT_APPLY || header.kind == STINT_DRAIN ? 8 : 0), 8);
  switch (header.kind) {
  case STINT_HELLO: introduce(device); break;
  case STINT_OPEN:
    put_64(&answer, now);
    say(device, STINT_OPENED, &answer);
    break;
  case STINT_APPLY:
    measure(device, now);
    memcpy(&flags, request + 4, 4);
    if ((flags & STINT_IS_ON) && !device->is_on) device->measured = now;
    device->is_on = (flags & STINT_IS_ON) != 0;
    put_64(&answer, now);
    put(&answer, request, 4);
    put_32(&answer, device->is_on);
    put_64(&answer, device->is_on ? SECOND : 0);
    say(device, STINT_APPLIED, &answer);
    break;
  case STINT_DRAIN:
    measure(device, now);
    deliver(device, now);
    put_64(&answer, now);
    put(&answer, request, 4);
    say(device, STINT_DRAINED, &answer);
    break;
  case STINT_CLOSE:
    measure(device, now);
    deliver(device, now);
    put_64(&answer, now);
    say(device, STINT_CLOSED, &answer);
    break;
  }
}

static void *create(const struct stint_host *host) {
  struct device *device = calloc(1, sizeof *device);
  if (device != NULL) device->host = host;
  return device;
}

static void destroy(void *device) { free(device); }

static const struct stint_frames frames = {sizeof frames, 0, create, take, destroy};

static const void *extension(const char *name) { return strcmp(name, STINT_FRAMES) == 0 ? &frames : NULL; }

STINT_EXPORT const struct stint_plugin_library stint_plugin = {
  sizeof stint_plugin, STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, "holder", extension,
};
