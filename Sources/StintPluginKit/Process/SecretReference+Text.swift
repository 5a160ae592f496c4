import StintFormats
package import StintModel
import StintSystem
package import StintUnits

extension SecretReference {
  /// Returns the secret, without the line end at the end of a credential's file.
  ///
  /// - Throws: `Problem` when the variable or the credential does not exist. The function also throws when
  ///   the content is not a text that a plugin can get: at most 1,024 bytes of UTF-8 without control
  ///   characters. The problem does not contain the secret.
  package func text() throws(Problem) -> String {
    let bytes: [UInt8]
    switch self {
    case .environment(let name):
      guard let found = Self.variable(name) else {
        throw Problem(
          .notFound, place: name, cause: "this environment variable is not set",
          remedy: "set it for the program that starts the plugin")
      }
      bytes = found
    case .credential(let name):
      guard let folder = Self.variable("CREDENTIALS_DIRECTORY") else {
        throw Problem(
          .notFound, place: name, cause: "there is no folder of credentials",
          remedy: "add LoadCredential=\(name):PATH to the service, or set CREDENTIALS_DIRECTORY")
      }
      var content = try WholeFile.bytes(of: String(decoding: folder, as: UTF8.self) + "/" + name)
      if content.last == 0x0A { content.removeLast() }
      if content.last == 0x0D { content.removeLast() }
      bytes = content
    }
    guard bytes.count <= FrameLayout.longestText, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw Problem(
        .value, place: name,
        cause:
          "the secret is not a text of at most \(FrameLayout.longestText) bytes without control characters",
        remedy: "for a longer secret, give the plugin the path of its file")
    }
    return text
  }

  /// The name of the variable or of the credential.
  private var name: String {
    switch self {
    case .environment(let name), .credential(let name): name
    }
  }

  private static func variable(_ name: String) -> [UInt8]? {
    name.withCString { name in
      getenv(name).map { text in
        (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) }
      }
    }
  }
}
