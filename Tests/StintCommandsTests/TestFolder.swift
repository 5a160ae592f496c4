import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A unique folder for one test. `deinit` removes the folder with its content.
final class TestFolder {
  let path: String

  init() {
    var template = Array("/tmp/stint-command-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("cannot create a temporary folder") }
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.erase(path) }

  func at(_ name: String) -> String { path + "/" + name }

  func write(_ name: String, _ text: String) throws {
    try FileText.write(Array(text.utf8), to: at(name))
  }

  func text(_ name: String) throws -> String { String(decoding: try FileText.read(at(name)), as: UTF8.self) }

  /// Removes a file, or a folder with its content.
  private static func erase(_ path: String) {
    guard unlink(path) != 0, let stream = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(stream), let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) {
      names.append(String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)))
    }
    closedir(stream)
    for name in names where name != "." && name != ".." { erase(path + "/" + name) }
    rmdir(path)
  }
}
