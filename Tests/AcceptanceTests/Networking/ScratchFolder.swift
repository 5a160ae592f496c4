import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An empty folder for the files of one test; `deinit` removes it with its files.
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
