#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// The part of libcurl's interface that the carrier uses. The numbers are those of <curl/curl.h> and
// <curl/multi.h>, which never change for the library libcurl.so.4. The library is loaded at run time, so that
// the program also starts on a system without libcurl.

/// A transfer of libcurl (`CURL`), a set of transfers (`CURLM`), a list of header lines (`curl_slist`) and a
/// parsed address (`CURLU`).
typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_list ccurl_list;
typedef struct ccurl_address ccurl_address;

/// Receives or provides bytes: count times size bytes at `bytes`. Returns the number of handled bytes.
typedef size_t (*ccurl_transfer)(char *bytes, size_t size, size_t count, void *context);
/// Moves the position in the body of an upload. Returns 0 on success.
typedef int (*ccurl_seek)(void *context, int64_t offset, int origin);
/// Receives the events for which a socket must be watched.
typedef int (*ccurl_socket_change)(ccurl_easy *easy, int socket, int events, void *context, void *socket_context);
/// Receives the milliseconds until the next call with `ccurl_socket_timeout`; -1 for no call.
typedef int (*ccurl_timer_change)(ccurl_multi *multi, long milliseconds, void *context);

/// Options of a transfer (`CURLOPT_…`). The number of an option determines the type of its value. The value
/// of an option below 10,000 is a `long`. From 10,000, it is a string or a pointer. From 20,000, it is a
/// function. From 30,000, it is a 64-bit number.
enum {
  ccurl_option_write_data = 10001,
  ccurl_option_url = 10002,
  ccurl_option_proxy = 10004,
  ccurl_option_proxy_user = 10006,
  ccurl_option_range = 10007,
  ccurl_option_read_data = 10009,
  ccurl_option_error_text = 10010,
  ccurl_option_write_function = 20011,
  ccurl_option_read_function = 20012,
  ccurl_option_user_agent = 10018,
  ccurl_option_headers = 10023,
  ccurl_option_header_data = 10029,
  ccurl_option_tls_version = 32,
  ccurl_option_upload = 46,
  ccurl_option_post = 47,
  ccurl_option_netrc = 51,
  ccurl_option_follow = 52,
  ccurl_option_interface = 10062,
  ccurl_option_verify_peer = 64,
  ccurl_option_ca_file = 10065,
  ccurl_option_header_function = 20079,
  ccurl_option_get = 80,
  ccurl_option_verify_host = 81,
  ccurl_option_http_version = 84,
  ccurl_option_buffer_size = 98,
  ccurl_option_no_signal = 99,
  ccurl_option_netrc_file = 10118,
  ccurl_option_upload_size = 30115,
  ccurl_option_post_size = 30120,
  ccurl_option_send_rate = 30145,
  ccurl_option_receive_rate = 30146,
  ccurl_option_connect_timeout = 156,
  ccurl_option_seek_function = 20167,
  ccurl_option_seek_data = 10168,
  ccurl_option_protocols = 181,
  ccurl_option_proxy_ca_file = 10246,
  ccurl_option_hide_proxy_headers = 265,
  ccurl_option_quick_exit = 322,
};

/// Values of options.
enum {
  ccurl_http_and_https = 3,
  ccurl_http2_over_tls = 4,
  ccurl_tls_1_2 = 6,
  ccurl_netrc_optional = 1,
};

/// Options of a set of transfers (`CURLMOPT_…`).
enum {
  ccurl_option_socket_function = 20001,
  ccurl_option_socket_data = 10002,
  ccurl_option_timer_function = 20004,
  ccurl_option_timer_data = 10005,
  ccurl_option_kept_connections = 6,
};

/// Events of a socket, and the socket number of an expired timer.
enum {
  ccurl_event_in = 1,
  ccurl_event_out = 2,
  ccurl_event_remove = 4,
  ccurl_socket_timeout = -1,
};

/// Queries of a transfer (`CURLINFO_…`).
enum {
  ccurl_info_status = 0x200002,
  ccurl_info_http_version = 0x20002e,
  ccurl_info_system_error = 0x200019,
  ccurl_info_redirect = 0x10001f,
};

/// Parts of an address (`CURLUPART_…`).
enum {
  ccurl_part_url = 0,
  ccurl_part_scheme = 1,
  ccurl_part_user = 2,
  ccurl_part_password = 3,
  ccurl_part_host = 5,
};

/// Results of a transfer (`CURLE_…`) to which the carrier reacts.
enum {
  ccurl_unsupported_protocol = 1,
  ccurl_malformed_address = 3,
  ccurl_unknown_proxy = 5,
  ccurl_unknown_host = 6,
  ccurl_no_connection = 7,
  ccurl_partial_file = 18,
  ccurl_write_error = 23,
  ccurl_out_of_memory = 27,
  ccurl_timeout = 28,
  ccurl_tls_failed = 35,
  ccurl_aborted = 42,
  ccurl_no_interface = 45,
  ccurl_untrusted_server = 60,
  ccurl_bad_ca_file = 77,
};

/// The feature bit of a library with HTTP/2.
enum { ccurl_feature_http2 = 1 << 16 };

/// The value of CURL_READFUNC_ABORT, which ends an upload.
enum { ccurl_abort_upload = 0x10000000 };

/// Loads the library libcurl with this name. Returns 1 when all functions below can be called. The functions
/// are always those of the library that was loaded first.
///
/// Returns 0 when the library or one of its functions is missing; `ccurl_load_error` then gives the reason.
int32_t ccurl_load(const char *name);

/// Returns the reason of the last failed `ccurl_load`, valid until the next call.
const char *ccurl_load_error(void);

/// Returns the version of the library, such as “7.88.1”.
const char *ccurl_version(void);

/// Returns the feature bits of the library.
int32_t ccurl_features(void);

/// Returns the library's sentence about a result of a transfer.
const char *ccurl_error_text(int32_t result);

ccurl_easy *ccurl_easy_make(void);
void ccurl_easy_free(ccurl_easy *easy);
void ccurl_easy_reset(ccurl_easy *easy);
int32_t ccurl_set_number(ccurl_easy *easy, int32_t option, int64_t number);
int32_t ccurl_set_text(ccurl_easy *easy, int32_t option, const char *text);
int32_t ccurl_set_pointer(ccurl_easy *easy, int32_t option, void *pointer);
int32_t ccurl_set_headers(ccurl_easy *easy, ccurl_list *list);
int32_t ccurl_set_transfer(ccurl_easy *easy, int32_t option, ccurl_transfer function);
int32_t ccurl_set_seek(ccurl_easy *easy, ccurl_seek function);

/// Returns the number or text of a query; 0 or null when the library does not know the value.
int64_t ccurl_info_number(ccurl_easy *easy, int32_t query);
const char *ccurl_info_text(ccurl_easy *easy, int32_t query);

/// Appends a header line to a list, which is null at first. Returns the list; null when memory is used up.
ccurl_list *ccurl_list_append(ccurl_list *list, const char *line);
void ccurl_list_free(ccurl_list *list);

ccurl_multi *ccurl_multi_make(void);
void ccurl_multi_free(ccurl_multi *multi);
int32_t ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy);
int32_t ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy);
int32_t ccurl_multi_set_number(ccurl_multi *multi, int32_t option, long number);
int32_t ccurl_multi_set_callbacks(ccurl_multi *multi, ccurl_socket_change socket, ccurl_timer_change timer,
                                  void *context);

/// Handles the events of a socket, or an expired timer.
int32_t ccurl_multi_act(ccurl_multi *multi, int32_t socket, int32_t events);

/// Returns the next transfer that has ended, and stores its result in `result`. Returns null when no transfer
/// has ended.
ccurl_easy *ccurl_multi_next_ended(ccurl_multi *multi, int32_t *result);

/// Parses an address. Returns null when it is malformed or has a scheme that the library does not support.
ccurl_address *ccurl_address_make(const char *text);
void ccurl_address_free(ccurl_address *address);

/// Returns a part of an address, which the caller frees with `ccurl_free`; null when the part is missing.
char *ccurl_address_part(ccurl_address *address, int32_t part);
void ccurl_free(void *pointer);

/// Returns the seconds since 1970 of a date in HTTP's format; -1 for an invalid date.
int64_t ccurl_date(const char *text);

#endif
