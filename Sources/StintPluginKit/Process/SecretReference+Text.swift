import StintFormats
package import StintModel
import StintSystem
package import StintUnits

extension SecretReference {
  /// Returns the secret, without the line feed at the end of a credential's file.
  ///
  /// - Throws: `Problem` when the place does not exist or is not a text of at most 16 KiB. The problem does
  ///   not contain the secret.
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
      let content = try WholeFile.bytes(of: String(decoding: folder, as: UTF8.self) + "/" + name)
      bytes = content.last == 0x0A ? content.dropLast() : content
    }
    guard bytes.count <= 16 << 10, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
    else {
      throw Problem(
        .value, place: "a secret", cause: "it is not a text of at most 16 KiB", remedy: "shorten it")
    }
    return text
  }

  private static func variable(_ name: String) -> [UInt8]? {
    name.withCString { name in
      getenv(name).map { text in
        (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) }
      }
    }
  }
}
