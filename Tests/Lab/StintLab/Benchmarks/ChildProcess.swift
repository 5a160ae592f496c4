import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs other programs for a benchmark and waits for their end.
enum ChildProcess {
  /// Runs a program found in `PATH`, and writes its standard output to the file `output`. Returns its exit
  /// code; nil when it does not start or is killed.
  static func run(_ words: [String], output: String) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    guard posix_spawnp(&process, words[0], &actions, nil, arguments, environ) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
  }

  /// Makes a folder for temporary files; nil when that fails.
  static func temporaryFolder() -> String? {
    var template = Array("/tmp/stint-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func remove(_ paths: [String]) { for path in paths { unlink(path) } }

  static func remove(_ files: [String], folder: String) {
    for file in files { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }
}
