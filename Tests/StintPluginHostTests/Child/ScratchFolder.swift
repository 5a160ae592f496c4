#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A temporary folder that `deinit` deletes with its files.
final class ScratchFolder: Sendable {
  struct Refused: Error {
    let path: String
  }

  let path: String

  init() throws {
    var template = Array("/tmp/stint-plugin-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Refused(path: "/tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          _ = unlink(path + "/" + String(cString: name))
        }
      }
    }
    closedir(folder)
    rmdir(path)
  }

  /// Writes an executable file.
  func write(_ text: String, as name: String) throws {
    guard let file = fopen(path + "/" + name, "w") else { throw Refused(path: name) }
    fputs(text, file)
    fclose(file)
    chmod(path + "/" + name, 0o755)
  }

  /// Returns the contents of a file; empty when it cannot be read.
  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return Array(buffer[..<fread(&buffer, 1, buffer.count, file)])
  }

  func copy(_ source: String, as name: String) throws {
    guard let file = fopen(source, "r") else { throw Refused(path: source) }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, file)
    try write(String(decoding: buffer[..<count], as: UTF8.self), as: name)
  }
}
