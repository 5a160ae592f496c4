#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileError {
  /// What a system error number means when a file is used.
  static func from(_ number: Int32, path: String) -> FileError {
    switch number {
    case ENOENT:
      FileError(
        .notFound, path: path, cause: "there is no such file or folder", nextStep: "check the spelling")
    case EISDIR:
      FileError(.isFolder, path: path, cause: "it is a folder", nextStep: "name a file in it")
    case ENOTDIR:
      FileError(.notFolder, path: path, cause: "it is not a folder", nextStep: "name a folder")
    case EACCES, EPERM, EROFS:
      FileError(
        .notPermitted, path: path, cause: "the system does not permit it",
        nextStep: "change its permissions or run as its owner")
    case ENOSPC, EDQUOT:
      FileError(.noSpace, path: path, cause: "the disk is full", nextStep: "free some space")
    case ENAMETOOLONG, ELOOP:
      FileError(
        .notFound, path: path, cause: "its name is too long or its links run in a circle",
        nextStep: "check the spelling")
    default:
      FileError(
        .other, path: path, cause: strerror(number).map { String(cString: $0) } ?? "error \(number)",
        nextStep: "check the disk and try again")
    }
  }

  /// What it means when a file is made: `ENOENT` is about its folder.
  static func fromMaking(_ number: Int32, path: String) -> FileError {
    guard number == ENOENT, !path.isEmpty else { return from(number, path: path) }
    return FileError(
      .notFound, path: path, cause: "its folder \(FilePath.parent(of: path)) is not there",
      nextStep: "make the folder first, or name another")
  }

  static func tooLarge(path: String, limit: Int) -> FileError {
    FileError(
      .tooLarge, path: path, cause: "it is larger than \(limit / (1 << 20)) MiB",
      nextStep: "name a smaller file; policies, manifests and scenarios are small")
  }
}
