@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A unique folder for one test. `deinit` removes the folder with its content.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/stint-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("cannot create a temporary folder") }
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { erase(path) }

  func at(_ name: String) -> String { path + "/" + name }

  func write(_ name: String, _ text: String = "x") {
    let descriptor = open(at(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    precondition(descriptor >= 0, "cannot write a file of a test")
    _ = writeSome(Array(text.utf8)[...], to: descriptor)
    close(descriptor)
  }

  func makeFolder(_ name: String) { mkdir(at(name), 0o755) }

  /// Removes a file, or a folder with its content. Links are removed, not followed.
  private func erase(_ path: String) {
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
