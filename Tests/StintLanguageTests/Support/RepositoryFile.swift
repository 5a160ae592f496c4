#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files of the repository that are used in tests.
enum RepositoryFile {
  /// The names of five shipped policies. The tests of formatting and of damaged texts use these policies.
  static let policies = ["fleet", "hiking", "mail", "warehouse", "wearable"]

  static func policy(_ name: String) -> [UInt8] { bytes("policies/\(name).stint") }

  /// Returns the bytes of a file, by its path from the root of the repository. The file must exist.
  static func bytes(_ path: String) -> [UInt8] {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let descriptor = open("/\(root)/\(path)", O_RDONLY)
    precondition(descriptor >= 0, "\(path) cannot be read")
    defer { close(descriptor) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return result }
      result += buffer[..<count]
    }
  }
}
