import StintSystem
import StintUnits

extension Problem {
  /// Converts the error number of a failed watch of a folder.
  static func watching(_ path: String, _ number: Int32) -> Problem {
    switch number {
    case ENOENT:
      Problem(
        .notFound, place: path, cause: "cannot be watched: there is no such folder",
        remedy: "create it or choose another")
    case ENOTDIR:
      Problem(
        .notFolder, place: path, cause: "cannot be watched: it is not a folder",
        remedy: "give the path of a folder")
    case EACCES, EPERM:
      Problem(
        .notPermitted, place: path, cause: "cannot be watched: you may not read it",
        remedy: "change its permissions (chmod u+rx)")
    case ENOSPC:
      Problem(
        .tooMany, place: path,
        cause: "cannot be watched: this user watches as many folders as the system allows",
        remedy: "raise fs.inotify.max_user_watches")
    case EMFILE, ENFILE:
      Problem(
        .tooMany, place: path, cause: "cannot be watched: too many watchers or files are open",
        remedy: "raise fs.inotify.max_user_instances or the limit of open files (ulimit -n)")
    default:
      Problem(
        .file, place: path,
        cause: "cannot be watched: \(strerror(number).map { String(cString: $0) } ?? "error \(number)")",
        remedy: "run without watching and restart after every edit")
    }
  }
}
