import StintSystem
import StintUnits

extension Problem {
  /// Converts the error number of a file operation.
  static func from(_ number: Int32, path: String) -> Problem {
    switch number {
    case ENOENT:
      Problem(.notFound, place: path, cause: "there is no such file or folder", remedy: "check the spelling")
    case EISDIR:
      Problem(.folder, place: path, cause: "it is a folder", remedy: "give the path of a file")
    case ENOTDIR:
      Problem(.notFolder, place: path, cause: "it is not a folder", remedy: "give the path of a folder")
    case EACCES, EPERM, EROFS:
      Problem(
        .notPermitted, place: path, cause: "the system does not permit it",
        remedy: "change its permissions or run as its owner")
    case ENOSPC, EDQUOT:
      Problem(.full, place: path, cause: "the disk is full", remedy: "free some space")
    case EFBIG:
      Problem(
        .full, place: path, cause: "the file has reached the size limit of the process or of the disk",
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

  /// Converts the error number of a failed creation, where `ENOENT` means that the parent folder is missing.
  static func fromMaking(_ number: Int32, path: String) -> Problem {
    let folder = FilePath.parent(of: path)
    guard number == ENOENT, !path.isEmpty, Folder.entry(at: folder) != .folder else {
      return from(number, path: path)
    }
    return Problem(
      .notFound, place: path, cause: "its folder \(folder) does not exist",
      remedy: "create the folder, or choose another")
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
