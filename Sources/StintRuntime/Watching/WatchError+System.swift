#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension WatchError {
  /// What a system error number means when a watch is set up.
  static func from(_ number: Int32, path: String) -> WatchError {
    switch number {
    case ENOENT:
      WatchError(
        .notFound, path: path, cause: "there is no such folder", nextStep: "create it or name another")
    case ENOTDIR:
      WatchError(.notFolder, path: path, cause: "it is not a folder", nextStep: "name a folder")
    case EACCES, EPERM:
      WatchError(
        .notPermitted, path: path, cause: "you may not read it",
        nextStep: "change its permissions (chmod u+rx)")
    case ENOSPC:
      WatchError(
        .tooMany, path: path, cause: "this user watches as many folders as the system allows",
        nextStep: "raise fs.inotify.max_user_watches")
    case EMFILE, ENFILE:
      WatchError(
        .tooMany, path: path, cause: "too many watchers or files are open",
        nextStep: "raise fs.inotify.max_user_instances or the limit of open files (ulimit -n)")
    default:
      WatchError(
        .other, path: path, cause: strerror(number).map { String(cString: $0) } ?? "error \(number)",
        nextStep: "run without watching and restart after every edit")
    }
  }
}
