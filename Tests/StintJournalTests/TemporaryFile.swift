#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file name of its own for one test; the file is removed when the test lets go of it.
final class TemporaryFile {
  let path: String

  /// Makes a name, and a file where there are bytes for it.
  init(_ bytes: [UInt8]? = nil) {
    var template = Array("/tmp/stint-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    precondition(descriptor >= 0, "a temporary file can be made")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    if let bytes {
      precondition(write(descriptor, bytes, bytes.count) == bytes.count, "a temporary file can be written")
    }
    close(descriptor)
    if bytes == nil { unlink(path) }
  }

  deinit { unlink(path) }

  /// What stands in the file now.
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

  /// Replaces what stands in the file.
  func replace(with bytes: [UInt8]) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count, "a temporary file can be written")
    close(descriptor)
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) { unlink(path) }

  /// Cuts bytes off the end of a file.
  static func shorten(_ path: String, by count: Int64) {
    var status = stat()
    precondition(
      stat(path, &status) == 0 && truncate(path, status.st_size - off_t(count)) == 0, "it is there")
  }
}
