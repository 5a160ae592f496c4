import StintSystem
package import StintUnits

extension Problem {
  /// Converts the error number of a file operation. Journals, streams and watches of files convert their own
  /// errors.
  package static func from(_ number: Int32, path: String) -> Problem {
    switch number {
    case ENOENT:
      Problem(.notFound, place: path, cause: "there is no such file or folder", remedy: "check the spelling")
    case EISDIR:
      Problem(.folder, place: path, cause: "it is a folder", remedy: "give the path of a file")
    case ENOTDIR:
      Problem(.notFolder, place: path, cause: "it is not a folder", remedy: "give the path of a folder")
    case EACCES, EPERM: notPermitted(path)
    case EROFS:
      Problem(
        .notPermitted, place: path, cause: "its file system is read-only",
        remedy: "choose a path on another file system")
    case ENOSPC, EDQUOT:
      Problem(.full, place: path, cause: "the disk is full", remedy: "free some space")
    case EFBIG:
      Problem(
        .full, place: path, cause: "the file would exceed a size limit of the process or of the disk",
        remedy: "raise the limit (ulimit -f), or use another disk")
    case ENAMETOOLONG, ELOOP:
      Problem(
        .notFound, place: path, cause: "its name is too long or its links form a cycle",
        remedy: "check the spelling")
    default:
      Problem(
        .file, place: path, cause: strerror(number).map { String(cString: $0) } ?? "error \(number)",
        remedy: "check the disk and try again")
    }
  }

  /// Returns the problem of a path without permission. The cause may be a parent folder that the user may not
  /// enter.
  private static func notPermitted(_ path: String) -> Problem {
    let folder = FilePath.parent(of: path)
    guard access(folder, X_OK) != 0, errno == EACCES else {
      return Problem(
        .notPermitted, place: path, cause: "the system does not permit it",
        remedy: "change its permissions or run as its owner")
    }
    return Problem(
      .notPermitted, place: path, cause: "you may not enter its folder \(folder)",
      remedy: "change the permissions of the folder (chmod u+x), or run as its owner")
  }

  /// The end of a remedy to which a command adds the option of the path.
  package static let otherPath = "choose another path"

  /// Converts the error number of a failed creation. Here `ENOENT` means that the parent folder is missing,
  /// and `EACCES` that the parent folder is not writable.
  static func fromMaking(_ number: Int32, path: String) -> Problem {
    let folder = FilePath.parent(of: path)
    switch number {
    case ENOENT where !path.isEmpty && Folder.entry(at: folder) != .folder:
      return Problem(
        .notFound, place: path, cause: "its folder \(folder) does not exist",
        remedy: "create the folder, or \(otherPath)")
    case EACCES where access(folder, X_OK) == 0 && access(folder, W_OK) != 0:
      return Problem(
        .notPermitted, place: path, cause: "you may not write to its folder \(folder)",
        remedy: "change the permissions of the folder, or \(otherPath)")
    default: return from(number, path: path)
    }
  }

  static func silentPipe(_ path: String) -> Problem {
    Problem(
      .timedOut, place: path, cause: "it is a pipe or a device and has sent nothing for 3 s",
      remedy: "give the path of a regular file")
  }

  static func tooLarge(path: String, limit: Int) -> Problem {
    Problem(
      .tooLarge, place: path, cause: "it is larger than \(limit / (1 << 20)) MiB",
      remedy: "name a smaller file; policies, manifests and scenarios are small")
  }
}
