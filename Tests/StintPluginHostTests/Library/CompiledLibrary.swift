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

/// A plugin in C, compiled to a library in a temporary folder.
struct CompiledLibrary {
  /// True when a C compiler is installed; prints a line when there is no compiler.
  static let hasCompiler: Bool = {
    let isThere = access("/usr/bin/cc", X_OK) == 0
    let line = "skipped: no C compiler is installed, so plugins in libraries are not tested\n"
    if !isThere { _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
    return isThere
  }()

  struct Failure: Error {}

  let folder: ScratchFolder
  var path: String { folder.path + "/plugin.so" }

  static func manifest() throws -> Manifest {
    try ManifestReader.manifest(path: ChildBench.repository + "/Plugins/Thermometer/manifest.json")
  }

  /// The path of the thermometer, the example of a plugin in C.
  static let thermometer = ChildBench.repository + "/Plugins/Thermometer/thermometer.c"
  /// The path of a sensor that holds its samples until it is drained.
  static let holder = ChildBench.repository + "/Tests/StintPluginHostTests/Held/holder.c"

  /// Compiles a source file in which `other` replaces the first occurrence of `part`.
  init(_ file: String = thermometer, replacing part: String = "", by other: String = "") throws {
    folder = try ScratchFolder()
    var source = String(decoding: try FileText.read(file), as: UTF8.self)
    if !part.isEmpty {
      guard let place = source.firstRange(of: part) else { throw Failure() }
      source.replaceSubrange(place, with: other)
    }
    try folder.write(source, as: "plugin.c")
    try folder.write("21500\n", as: "temperature")
    let words = [
      "cc", "-shared", "-fPIC", "-O1", "-I", ChildBench.repository + "/Sources/CStintPlugin/include",
      folder.path + "/plugin.c", "-o", path, "-lpthread",
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
