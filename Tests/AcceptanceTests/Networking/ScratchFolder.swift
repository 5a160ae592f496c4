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

  init() throws {
    var template = Array("/tmp/stint-networking-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    unlink(path + "/services.json")
    rmdir(path)
  }
}
