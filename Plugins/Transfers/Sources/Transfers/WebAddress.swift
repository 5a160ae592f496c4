import CCurl
import StintModel

/// An address of a task that passed the checks: HTTP or HTTPS, with a host and without credentials.
struct WebAddress: Hashable, Sendable {
  /// The text, as the task contains it.
  let text: String
  let host: String
  let isSecure: Bool

  /// The longest address in bytes.
  static let maxLength = 8192

  /// Checks an address.
  ///
  /// - Throws: a permanent fault with the reason. The reason does not repeat the address, because a rejected
  ///   address may contain a password.
  init(_ text: String) throws(CarrierFault) {
    guard text.utf8.count <= Self.maxLength else {
      throw .address("the address has \(text.utf8.count) bytes; at most \(Self.maxLength) are possible")
    }
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard text.contains("://"), scheme == "http" || scheme == "https" else {
      let isScheme = text.contains(":") && scheme.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      let named = isScheme && scheme.utf8.count <= 16 ? "“\(scheme):”" : "without a scheme"
      throw .address("an address \(named) is not supported; it must begin with http:// or https://")
    }
    // C functions ignore the characters after a NUL character.
    guard !text.utf8.contains(0), let parts = ccurl_address_make(text) else {
      throw .address("the address is malformed")
    }
    defer { ccurl_address_free(parts) }
    guard Self.part(ccurl_part_user, parts) == nil, Self.part(ccurl_part_password, parts) == nil else {
      throw .address("the address contains credentials; the setting “credentials” names a file for them")
    }
    guard let host = Self.part(ccurl_part_host, parts), !host.isEmpty else {
      throw .address("the address has no host")
    }
    self.text = text
    self.host = host
    isSecure = scheme == "https"
  }

  /// Checks the target of a redirect from this address.
  ///
  /// - Throws: a permanent fault for an address that a task may not have, and for a step from HTTPS to HTTP.
  func redirect(to text: String) throws(CarrierFault) -> WebAddress {
    let target: WebAddress
    do throws(CarrierFault) { target = try WebAddress(text) } catch {
      throw .rejected("\(host) redirects to an address that is refused: \(error.cause)")
    }
    guard target.isSecure || !isSecure else {
      throw .rejected("\(host) redirects from https to http, which would drop the encryption")
    }
    return target
  }

  private static func part(_ part: Int, _ parts: OpaquePointer) -> String? {
    guard let text = ccurl_address_part(parts, part.number) else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}
