import CCurl
import StintModel
import StintPluginKit
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Attempt {
  /// Sets all options for the next request. libcurl keeps the options of a transfer, so they are reset first.
  func configure(_ easy: OpaquePointer) throws(CarrierFault) {
    ccurl_easy_reset(easy)
    set(easy, ccurl_option_url, address.text)
    set(easy, ccurl_option_protocols, Int64(ccurl_http_and_https))
    set(easy, ccurl_option_follow, 0)
    set(easy, ccurl_option_no_signal, 1)
    // The end of a request does not wait for the thread that resolves its name.
    set(easy, ccurl_option_quick_exit, 1)
    set(easy, ccurl_option_http_version, Int64(ccurl_http2_over_tls))
    set(easy, ccurl_option_user_agent, "Stint")
    set(easy, ccurl_option_connect_timeout, max(settings.connectTime.nanoseconds / 1_000_000, 1))
    _ = ccurl_set_pointer(easy, ccurl_option_error_text.number, errorText)
    if settings.rate > 0 {
      // libcurl checks a rate after at most 100 buffers, so a buffer contains the bytes of about a hundredth
      // of a second.
      let share = settings.rate / Int64(settings.connections) / 100
      set(easy, ccurl_option_buffer_size, min(max(share, 1024), 16_384))
    }
    if let interface { try need(easy, ccurl_option_interface, "if!" + interface) }
    try setSecurity(easy)
    try setProxy(easy)
    try setBody(easy)
    setCalls(easy)
  }

  private func setSecurity(_ easy: OpaquePointer) throws(CarrierFault) {
    set(easy, ccurl_option_verify_peer, 1)
    set(easy, ccurl_option_verify_host, 2)
    set(easy, ccurl_option_tls_version, Int64(ccurl_tls_1_2))
    // The certificates of the system stay valid: libcurl also reads the folder that contains them.
    if let file = settings.caFile {
      try need(easy, ccurl_option_ca_file, file)
      set(easy, ccurl_option_proxy_ca_file, file)
    }
    // Without encryption, a password would be readable on the way.
    if let file = settings.credentials, address.isSecure {
      try need(easy, ccurl_option_netrc, Int64(ccurl_netrc_optional))
      try need(easy, ccurl_option_netrc_file, file)
    }
  }

  private func setProxy(_ easy: OpaquePointer) throws(CarrierFault) {
    // With an empty string, libcurl also ignores the proxies in environment variables.
    try need(easy, ccurl_option_proxy, settings.proxy ?? "")
    guard settings.proxy != nil, let file = settings.proxyCredentials else { return }
    try need(easy, ccurl_option_proxy_user, try Self.firstLine(of: file))
  }

  /// Returns the first line of the file with the credentials of the proxy.
  private static func firstLine(of path: String) throws(CarrierFault) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .setup("the file of “proxy_credentials” cannot be read: \(DescriptorCalls.reason(errno))")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    let line = bytes[..<max(count, 0)].prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.contains(UInt8(ascii: ":")) else {
      throw .setup("the file of “proxy_credentials” has no line with user:password")
    }
    return String(decoding: line, as: UTF8.self)
  }

  private func setBody(_ easy: OpaquePointer) throws(CarrierFault) {
    var lines: [String] = []
    switch body {
    case .download(let download):
      set(easy, ccurl_option_get, 1)
      if let range = download.range {
        try need(easy, ccurl_option_range, range.bytes)
        lines.append("If-Range: \(range.condition)")
      }
    case .upload(let upload):
      if settings.usesPost {
        set(easy, ccurl_option_post, 1)
        set(easy, ccurl_option_post_size, upload.size)
      } else {
        set(easy, ccurl_option_upload, 1)
        set(easy, ccurl_option_upload_size, upload.size)
      }
      lines = [
        "Content-Type: application/octet-stream", "Idempotency-Key: \"\(Self.escaped(exchange.key))\"",
      ]
    case nil: break
    }
    if let headerLines { ccurl_list_free(headerLines) }
    headerLines = nil
    for line in lines {
      headerLines = ccurl_list_append(headerLines, line)
      guard headerLines != nil else { throw .setup("no memory is left", isTransient: true) }
    }
    _ = ccurl_set_headers(easy, headerLines)
  }

  /// Returns a key with only the letters, digits and signs that a header may contain; all other bytes become
  /// `%` and two digits.
  static func escaped(_ key: String) -> String {
    var result = ""
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  /// Sets the largest rate of this attempt in bytes per second; 0 for no limit. The new rate also applies to
  /// a running transfer.
  func limitRate(to rate: Int64) {
    guard let easy else { return }
    set(easy, ccurl_option_receive_rate, rate)
    set(easy, ccurl_option_send_rate, rate)
  }

  // MARK: Setting options

  /// Sets an option that older libraries may not have, and that is not needed for safety.
  private func set(_ easy: OpaquePointer, _ option: Int, _ number: Int64) {
    _ = ccurl_set_number(easy, option.number, number)
  }

  private func set(_ easy: OpaquePointer, _ option: Int, _ text: String) {
    _ = ccurl_set_text(easy, option.number, text)
  }

  /// Sets an option without which the request must not be sent.
  private func need(_ easy: OpaquePointer, _ option: Int, _ number: Int64) throws(CarrierFault) {
    guard ccurl_set_number(easy, option.number, number) == 0 else { throw Self.missing(option) }
  }

  private func need(_ easy: OpaquePointer, _ option: Int, _ text: String) throws(CarrierFault) {
    guard ccurl_set_text(easy, option.number, text) == 0 else { throw Self.missing(option) }
  }

  private static func missing(_ option: Int) -> CarrierFault {
    .setup("the installed libcurl refuses its option \(option)")
  }
}
