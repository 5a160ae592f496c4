/// A library with two devices, `test.left` and `test.right`. Each setting that turns a device on is answered
/// with one fact and one sample, whose value is the number of the device plus 1. Each request to read is
/// answered with one fact, whose value is the number of the reading.
///
/// With `SOURCE`, the devices are sources without power states and channels.

#define _GNU_SOURCE
#include "stint_plugin.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef SOURCE
enum { STATES = 0, CHANNELS = 0 };
#else
enum { STATES = 2, CHANNELS = 1 };
#endif

struct pair {
  const struct stint_host *host;
  uint64_t sequence;
  uint64_t samples[2];
  int readings;
  int64_t offset;
};

struct body {
  uint64_t count;
  char bytes[512];
};

static int64_t now(const struct pair *pair) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec + pair->offset;
}

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

static void say(struct pair *pair, uint16_t kind, const struct body *body) {
  char frame[sizeof(struct stint_frame_header) + sizeof body->bytes];
  struct stint_frame_header header = {(uint32_t)(sizeof header + body->count), kind, 0, pair->sequence++};
  memcpy(frame, &header, sizeof header);
  memcpy(frame + sizeof header, body->bytes, body->count);
  pair->host->say(pair->host->context, frame, header.length);
}

/// Begins a message about a device.
static struct body about(uint16_t device, uint16_t kind) {
  struct body body = {0};
  struct stint_address address = {device, kind, 0};
  put(&body, &address, sizeof address);
  return body;
}

static void say_at(struct pair *pair, uint16_t kind) {
  struct body body = {0};
  put_64(&body, now(pair));
  say(pair, kind, &body);
}

static void introduce(struct pair *pair) {
  struct body welcome = {0};
  put_16(&welcome, STINT_PROTOCOL_MAJOR);
  put_16(&welcome, STINT_PROTOCOL_MINOR);
  say(pair, STINT_WELCOME, &welcome);
  for (uint16_t device = 0; device < 2; device++) {
    struct body manifest = about(device, STINT_MANIFEST);
    put_text(&manifest, device == 0 ? "test.left" : "test.right");
    put_16(&manifest, STATES);
    if (STATES > 0) {
      put_text(&manifest, "off");
      put_text(&manifest, "on");
    }
    put_16(&manifest, 0);
    put_16(&manifest, CHANNELS);
    if (CHANNELS > 0) {
      put_text(&manifest, "value");
      put_text(&manifest, "items");
    }
    put_16(&manifest, 1);
    put_text(&manifest, "value");
    put_text(&manifest, "");
    say(pair, STINT_OF_DEVICE, &manifest);
  }
}

static void publish(struct pair *pair, uint16_t device, double value) {
  struct body fact = about(device, STINT_FACT);
  put_64(&fact, now(pair));
  put_32(&fact, 0);
  put_32(&fact, STINT_NUMBER);
  put(&fact, &value, sizeof value);
  say(pair, STINT_OF_DEVICE, &fact);
}

static void read_source(struct pair *pair, uint16_t device, const char *token) {
  publish(pair, device, ++pair->readings);
  struct body answer = about(device, STINT_PUBLISHED);
  put_64(&answer, now(pair));
  put(&answer, token, 4);
  say(pair, STINT_OF_DEVICE, &answer);
}

static void apply(struct pair *pair, uint16_t device, const char *body) {
  uint32_t token, flags;
  memcpy(&token, body, 4);
  memcpy(&flags, body + 4, 4);
  uint32_t is_on = flags & STINT_IS_ON ? 1 : 0;
  struct body answer = about(device, STINT_APPLIED);
  put_64(&answer, now(pair));
  put_32(&answer, token);
  put_32(&answer, is_on);
  put_64(&answer, 0);
  say(pair, STINT_OF_DEVICE, &answer);
  if (!is_on) return;
  double value = device + 1;
  publish(pair, device, value);
  struct stint_sample sample = {now(pair), pair->samples[device]++, {value, 0, 0, 0}};
  struct body batch = about(device, STINT_BATCH);
  put_64(&batch, now(pair));
  put_32(&batch, STINT_IMMEDIATE);
  put_32(&batch, 1);
  put(&batch, &sample, sizeof sample);
  say(pair, STINT_OF_DEVICE, &batch);
}

static void take(void *argument, const void *bytes, uint64_t count) {
  struct pair *pair = argument;
  struct stint_frame_header header;
  if (count < sizeof header) return;
  memcpy(&header, bytes, sizeof header);
  const char *body = (const char *)bytes + sizeof header;
  struct stint_address address = {0};
  if (header.kind == STINT_FOR_DEVICE) {
    memcpy(&address, body, sizeof address);
    body += sizeof address;
    header.kind = address.kind;
  }
  int64_t times[2];
  struct body drained;
  switch (header.kind) {
  case STINT_HELLO:
    memcpy(times, body + 8, 16);
    pair->offset = times[0] - times[1];
    introduce(pair);
    break;
  case STINT_OPEN: say_at(pair, STINT_OPENED); break;
  case STINT_APPLY: apply(pair, address.device, body); break;
  case STINT_DRAIN:
    drained = about(address.device, STINT_DRAINED);
    put_64(&drained, now(pair));
    put(&drained, body, 4);
    say(pair, STINT_OF_DEVICE, &drained);
    break;
  case STINT_READ: read_source(pair, address.device, body); break;
  case STINT_CLOSE: say_at(pair, STINT_CLOSED); break;
  }
}

static void *create(const struct stint_host *host) {
  struct pair *pair = calloc(1, sizeof *pair);
  if (pair != NULL) pair->host = host;
  return pair;
}

static void destroy(void *argument) { free(argument); }

static const struct stint_frames frames = {sizeof frames, 0, create, take, destroy};

static const void *extension(const char *name) { return strcmp(name, STINT_FRAMES) == 0 ? &frames : NULL; }

STINT_EXPORT const struct stint_plugin_library stint_plugin = {
  sizeof stint_plugin, STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, "pair", extension,
};
