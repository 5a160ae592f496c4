import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of one journal: `NAME` is being written, `NAME.0`, `NAME.1`, … were before, the oldest of them removed.
public enum JournalSegments {
  /// The kind of the record with which each file but the first begins: the number of the file, eight bytes.
  /// Writers use other kinds for what they mean themselves.
  public static let kind: UInt8 = 0xFE

  /// A file that has been put aside.
  struct Archived: Hashable {
    var number: Int64
    var path: String
  }

  /// The number of the file that a record begins; nil when it is another record.
  public static func number(in record: JournalRecord) -> Int64? {
    guard record.kind == kind, record.payload.count == 8 else { return nil }
    return record.payload.withUnsafeBytes {
      Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 0, as: Int64.self))
    }
  }

  /// All files of a journal that are still there, the oldest first and the one being written last.
  public static func paths(of path: String) -> [String] {
    archived(of: path).map(\.path) + [path]
  }

  /// The files that have been put aside, in their order.
  static func archived(of path: String) -> [Archived] {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = cut.map { String(path[...$0]) } ?? "./"
    let prefix = (cut.map { String(path[path.index(after: $0)...]) } ?? path) + "."
    // A journal that comes through a pipe or a device has no files beside it.
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [Archived] = []
    while let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      guard name.hasPrefix(prefix) else { continue }
      let digits = name.dropFirst(prefix.count)
      guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits) else { continue }
      found.append(Archived(number: number, path: path + "." + digits))
    }
    return found.sorted { $0.number < $1.number }
  }

  /// Refuses a name beside which files of another journal lie.
  static func requireNone(beside path: String) throws(Problem) {
    guard let first = archived(of: path).first else { return }
    _ = unlink(path)
    throw Problem(
      .exists, place: first.path, cause: "it belongs to an earlier journal of this name",
      remedy: "name another, or remove it first")
  }

  /// Renames a journal's file to its number and opens a new one of its name.
  static func archive(
    _ path: String, as number: Int64, room: DiskSpace? = nil
  ) throws(Problem) -> JournalFile {
    let aside = "\(path).\(number)"
    guard rename(path, aside) == 0 else {
      throw JournalFile.failure(errno, path, offset: nil, doing: "put aside")
    }
    do throws(Problem) {
      return try JournalFile.appending(path, creating: true, room: room)
    } catch {
      _ = rename(aside, path)
      throw error
    }
  }

  /// Removes the oldest files until only `count` are left beside the one being written.
  static func removeOldest(of path: String, keeping count: Int) {
    for file in archived(of: path).dropLast(count) { _ = unlink(file.path) }
  }
}
