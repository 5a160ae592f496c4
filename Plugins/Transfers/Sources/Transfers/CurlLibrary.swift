import CCurl
import StintUnits

/// libcurl, which is found when the first carrier opens. The program does not link against it.
enum CurlLibrary {
  /// The names under which systems install the library, best first. The variants use OpenSSL and GnuTLS.
  static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  /// Loads the library under the first name that works. Further calls have no effect.
  ///
  /// - Throws: `absent` when no name works; the cause is the error for the first name.
  static func load(_ names: [String] = names) throws(Problem) {
    var first: String?
    for name in names {
      if ccurl_load(name) == 1 { return }
      first = first ?? text(ccurl_load_error())
    }
    throw Problem(
      .absent, cause: "libcurl cannot be loaded: \(first ?? "it has no name")",
      remedy: "install libcurl 7.62 or later (package libcurl4)")
  }

  /// The version of the library and its HTTP versions, such as “libcurl 7.88.1 with HTTP/2”.
  static var description: String {
    let hasHTTP2 = ccurl_features() & Int32(ccurl_feature_http2) != 0
    return "libcurl \(text(ccurl_version())) \(hasHTTP2 ? "with" : "without") HTTP/2"
  }

  /// Returns the library's sentence about a result, such as “Timeout was reached”.
  static func sentence(about result: Int32) -> String { text(ccurl_error_text(result)) }

  static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  /// Returns the seconds since 1970 of a date in HTTP's format; nil for an invalid date.
  static func seconds(of date: String) -> Int64? {
    let seconds = ccurl_date(date)
    return seconds < 0 ? nil : seconds
  }
}
