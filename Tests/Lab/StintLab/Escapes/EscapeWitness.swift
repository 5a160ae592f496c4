import StintRuntime
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A temporary folder with files that only this process may change; `deinit` removes the folder.
final class EscapeFolder: Sendable {
  static let files = ["secret", "journal", "program"]

  let path: String

  init() throws(Problem) {
    var template = Array("/tmp/stint-escape-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Problem(
        .file, place: "/tmp", cause: "cannot create a folder: \(String(cString: strerror(errno)))",
        remedy: "free disk space, or check the permissions")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in Self.files {
      try FileText.write(Array("this is the \(name)\n".utf8), to: path + "/" + name)
    }
  }

  deinit {
    for name in Self.files + ["other", "stint-escape"] { unlink(path + "/" + name) }
    rmdir(path)
  }
}

/// A snapshot of the properties of this process and of its files that the escape attempts try to change.
struct EscapeWitness {
  private var properties: [(name: String, value: String)] = []

  /// Reads the properties of this process and of the files in the folder.
  init(_ folder: String) throws(Problem) {
    for name in EscapeFolder.files {
      let path = folder + "/" + name
      var status = stat()
      let found = stat(path, &status)
      properties.append(("the mode of \(name)", found == 0 ? "\(status.st_mode)" : "gone"))
      properties.append(("the owner of \(name)", "\(status.st_uid):\(status.st_gid)"))
      properties.append(("the size of \(name)", "\(status.st_size)"))
      #if os(Linux)
        properties.append(("the last write to \(name)", "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"))
        properties.append(
          ("the last status change of \(name)", "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"))
      #endif
    }
    properties.append(("the limits of the daemon", Self.file("/proc/self/limits")))
    properties.append(("the priority of the daemon", "\(getpriority(Self.ofProcess, 0))"))
    let status = Self.file("/proc/self/status").split(separator: "\n")
    for line in status where line.hasPrefix("Cpus_allowed:") || line.hasPrefix("TracerPid:") {
      properties.append(("the daemon's \(line.prefix { $0 != ":" })", String(line)))
    }
  }

  #if canImport(Glibc)
    private static let ofProcess = __priority_which_t(0)
  #else
    private static let ofProcess: Int32 = 0
  #endif

  private static func file(_ path: String) -> String {
    do throws(Problem) { return String(decoding: try FileText.read(path), as: UTF8.self) } catch {
      return ""
    }
  }

  /// Returns one text for each property that differs from `other`, with its old and its new value.
  func changes(to other: EscapeWitness) -> [String] {
    zip(properties, other.properties).filter { $0.value != $1.value }.map {
      "\($0.name): \($0.value), then \($1.value)"
    }
  }
}
