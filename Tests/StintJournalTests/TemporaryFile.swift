#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A unique file path for one test. The file is removed when this object is released.
final class TemporaryFile {
  let path: String

  /// Creates a path, and a file when bytes are given.
  init(_ bytes: [UInt8]? = nil) {
    var template = Array("/tmp/stint-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    precondition(descriptor >= 0, "cannot create a temporary file")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    if let bytes {
      precondition(write(descriptor, bytes, bytes.count) == bytes.count, "cannot write a temporary file")
    }
    close(descriptor)
    if bytes == nil { unlink(path) }
  }

  deinit { unlink(path) }

  /// Returns the current content of the file.
  func bytes() -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count <= 0 { return result }
      result += piece[..<count]
    }
  }

  /// Replaces the content of the file.
  func replace(with bytes: [UInt8]) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count, "cannot write a temporary file")
    close(descriptor)
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) { unlink(path) }

  /// Removes bytes at the end of a file.
  static func shorten(_ path: String, by count: Int64) {
    var status = stat()
    precondition(
      stat(path, &status) == 0 && truncate(path, status.st_size - off_t(count)) == 0, "cannot truncate")
  }
}
