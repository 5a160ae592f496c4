import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder for one test's files, with nothing in it; the files are removed with it.
final class ScratchFolder {
  let path: String
  private var written: [String] = []

  init() throws {
    var template = Array("/tmp/stint-networking-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file and returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    let file = try #require(fopen("\(path)/\(name)", "w"))
    defer { fclose(file) }
    try #require(fputs(text, file) >= 0)
    written.append(name)
    return "\(path)/\(name)"
  }

  deinit {
    for name in written { unlink("\(path)/\(name)") }
    unlink(path + "/services.json")
    rmdir(path)
  }
}
