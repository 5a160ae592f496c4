import StintFormats
import StintModel
import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The thermometer in C, compiled to a library in a temporary folder.
struct CompiledLibrary {
  /// True when a C compiler is installed; prints a line otherwise.
  static let hasCompiler: Bool = {
    let isThere = access("/usr/bin/cc", X_OK) == 0
    let line = "skipped: there is no C compiler here, so no plugin in a library is tested\n"
    if !isThere { _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
    return isThere
  }()

  struct Failure: Error {}

  let folder: ScratchFolder
  var path: String { folder.path + "/thermometer.so" }

  static func manifest() throws -> Manifest {
    try ManifestReader.manifest(path: ChildBench.repository + "/Plugins/Thermometer/manifest.json")
  }

  /// Compiles the source with one part replaced.
  init(replacing part: String = "", by other: String = "") throws {
    folder = try ScratchFolder()
    var source = String(
      decoding: try FileText.read(ChildBench.repository + "/Plugins/Thermometer/thermometer.c"), as: UTF8.self
    )
    if !part.isEmpty {
      guard let place = source.firstRange(of: part) else { throw Failure() }
      source.replaceSubrange(place, with: other)
    }
    try folder.write(source, as: "thermometer.c")
    try folder.write("21500\n", as: "temperature")
    let words = [
      "cc", "-shared", "-fPIC", "-O1", "-I", ChildBench.repository + "/Sources/CStintPlugin/include",
      folder.path + "/thermometer.c", "-o", path, "-lpthread",
    ]
    guard Self.run("/usr/bin/cc", words) == 0 else { throw Failure() }
  }

  private static func run(_ program: String, _ words: [String]) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var process: pid_t = 0
    guard posix_spawn(&process, program, nil, nil, pointers, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status
  }
}
