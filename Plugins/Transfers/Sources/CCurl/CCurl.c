#include "CCurl.h"

#include <dlfcn.h>
#include <time.h>

/// The beginning of `curl_version_info_data`.
struct version_info {
  int age;
  const char *version;
  unsigned int number;
  const char *host;
  int features;
};

/// A message of `curl_multi_info_read`; 1 means that a transfer has ended.
struct message {
  int kind;
  ccurl_easy *easy;
  union {
    void *any;
    int result;
  } data;
};

static struct {
  int (*global_init)(long flags);
  struct version_info *(*version_info)(int age);
  const char *(*easy_strerror)(int result);
  ccurl_easy *(*easy_init)(void);
  void (*easy_cleanup)(ccurl_easy *easy);
  void (*easy_reset)(ccurl_easy *easy);
  int (*easy_setopt)(ccurl_easy *easy, int option, ...);
  int (*easy_getinfo)(ccurl_easy *easy, int query, ...);
  ccurl_list *(*slist_append)(ccurl_list *list, const char *line);
  void (*slist_free_all)(ccurl_list *list);
  ccurl_multi *(*multi_init)(void);
  int (*multi_cleanup)(ccurl_multi *multi);
  int (*multi_add_handle)(ccurl_multi *multi, ccurl_easy *easy);
  int (*multi_remove_handle)(ccurl_multi *multi, ccurl_easy *easy);
  int (*multi_setopt)(ccurl_multi *multi, int option, ...);
  int (*multi_socket_action)(ccurl_multi *multi, int socket, int events, int *running);
  struct message *(*multi_info_read)(ccurl_multi *multi, int *waiting);
  ccurl_address *(*url)(void);
  void (*url_cleanup)(ccurl_address *address);
  int (*url_set)(ccurl_address *address, int part, const char *text, unsigned int flags);
  int (*url_get)(ccurl_address *address, int part, char **text, unsigned int flags);
  void (*free)(void *pointer);
  time_t (*getdate)(const char *text, const time_t *unused);
} curl;

static const char *load_error = "";

/// Finds a function of the library. The cast from an object pointer is defined by POSIX for `dlsym`.
static int find(void *library, const char *name, void **function) {
  *function = dlsym(library, name);
  if (*function != NULL) return 1;
  load_error = dlerror();
  return 0;
}

#define FIND(name) find(library, "curl_" #name, (void **)&curl.name)

int32_t ccurl_load(const char *name) {
  static int is_loaded = 0;
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    load_error = dlerror();
    return 0;
  }
  if (is_loaded) return 1;
  if (!FIND(global_init) || !FIND(version_info) || !FIND(easy_strerror) || !FIND(easy_init)
      || !FIND(easy_cleanup) || !FIND(easy_reset) || !FIND(easy_setopt) || !FIND(easy_getinfo)
      || !FIND(slist_append) || !FIND(slist_free_all) || !FIND(multi_init) || !FIND(multi_cleanup)
      || !FIND(multi_add_handle) || !FIND(multi_remove_handle) || !FIND(multi_setopt)
      || !FIND(multi_socket_action) || !FIND(multi_info_read) || !FIND(url) || !FIND(url_cleanup)
      || !FIND(url_set) || !FIND(url_get) || !FIND(free) || !FIND(getdate))
    return 0;
  // All parts of the library (CURL_GLOBAL_ALL).
  if (curl.global_init(3) != 0) {
    load_error = "curl_global_init failed";
    return 0;
  }
  is_loaded = 1;
  return 1;
}

const char *ccurl_load_error(void) { return load_error == NULL ? "" : load_error; }
const char *ccurl_version(void) { return curl.version_info(0)->version; }
int32_t ccurl_features(void) { return curl.version_info(0)->features; }
const char *ccurl_error_text(int32_t result) { return curl.easy_strerror(result); }

ccurl_easy *ccurl_easy_make(void) { return curl.easy_init(); }
void ccurl_easy_free(ccurl_easy *easy) { curl.easy_cleanup(easy); }
void ccurl_easy_reset(ccurl_easy *easy) { curl.easy_reset(easy); }

int32_t ccurl_set_number(ccurl_easy *easy, int32_t option, int64_t number) {
  // The value of an option below 10,000 is a `long`; the other numeric values are a 64-bit `curl_off_t`.
  if (option < 10000) return curl.easy_setopt(easy, option, (long)number);
  return curl.easy_setopt(easy, option, number);
}

int32_t ccurl_set_text(ccurl_easy *easy, int32_t option, const char *text) {
  return curl.easy_setopt(easy, option, text);
}

int32_t ccurl_set_pointer(ccurl_easy *easy, int32_t option, void *pointer) {
  return curl.easy_setopt(easy, option, pointer);
}

int32_t ccurl_set_headers(ccurl_easy *easy, ccurl_list *list) {
  return curl.easy_setopt(easy, ccurl_option_headers, list);
}

int32_t ccurl_set_transfer(ccurl_easy *easy, int32_t option, ccurl_transfer function) {
  return curl.easy_setopt(easy, option, function);
}

int32_t ccurl_set_seek(ccurl_easy *easy, ccurl_seek function) {
  return curl.easy_setopt(easy, ccurl_option_seek_function, function);
}

int64_t ccurl_info_number(ccurl_easy *easy, int32_t query) {
  long number = 0;
  return curl.easy_getinfo(easy, query, &number) == 0 ? number : 0;
}

const char *ccurl_info_text(ccurl_easy *easy, int32_t query) {
  const char *text = NULL;
  return curl.easy_getinfo(easy, query, &text) == 0 ? text : NULL;
}

ccurl_list *ccurl_list_append(ccurl_list *list, const char *line) {
  ccurl_list *longer = curl.slist_append(list, line);
  if (longer == NULL) curl.slist_free_all(list);
  return longer;
}

void ccurl_list_free(ccurl_list *list) { curl.slist_free_all(list); }

ccurl_multi *ccurl_multi_make(void) { return curl.multi_init(); }
void ccurl_multi_free(ccurl_multi *multi) { curl.multi_cleanup(multi); }

int32_t ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_add_handle(multi, easy); }

int32_t ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy) {
  return curl.multi_remove_handle(multi, easy);
}

int32_t ccurl_multi_set_number(ccurl_multi *multi, int32_t option, long number) {
  return curl.multi_setopt(multi, option, number);
}

int32_t ccurl_multi_set_callbacks(ccurl_multi *multi, ccurl_socket_change socket, ccurl_timer_change timer,
                                  void *context) {
  int result = curl.multi_setopt(multi, ccurl_option_socket_function, socket);
  if (result == 0) result = curl.multi_setopt(multi, ccurl_option_socket_data, context);
  if (result == 0) result = curl.multi_setopt(multi, ccurl_option_timer_function, timer);
  if (result == 0) result = curl.multi_setopt(multi, ccurl_option_timer_data, context);
  return result;
}

int32_t ccurl_multi_act(ccurl_multi *multi, int32_t socket, int32_t events) {
  int running = 0;
  return curl.multi_socket_action(multi, socket, events, &running);
}

ccurl_easy *ccurl_multi_next_ended(ccurl_multi *multi, int32_t *result) {
  int waiting = 0;
  for (struct message *message = curl.multi_info_read(multi, &waiting); message != NULL;
       message = curl.multi_info_read(multi, &waiting)) {
    if (message->kind != 1) continue;
    *result = message->data.result;
    return message->easy;
  }
  return NULL;
}

ccurl_address *ccurl_address_make(const char *text) {
  ccurl_address *address = curl.url();
  if (address == NULL || curl.url_set(address, ccurl_part_url, text, 0) == 0) return address;
  curl.url_cleanup(address);
  return NULL;
}

void ccurl_address_free(ccurl_address *address) { curl.url_cleanup(address); }

char *ccurl_address_part(ccurl_address *address, int32_t part) {
  char *text = NULL;
  return curl.url_get(address, part, &text, 0) == 0 ? text : NULL;
}

void ccurl_free(void *pointer) { curl.free(pointer); }
int64_t ccurl_date(const char *text) { return curl.getdate(text, NULL); }
