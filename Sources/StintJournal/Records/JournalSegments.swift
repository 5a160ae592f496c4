import StintSystem
import StintUnits

/// The files of one journal. `NAME` is the current file; `NAME.0`, `NAME.1`, … are archived files. Only the
/// newest archived files are kept.
public enum JournalSegments {
  /// The kind of the first record of each file except the first file. The payload of this record is the index
  /// of the file, in eight bytes. Writers must not use this kind for other records.
  public static let kind: UInt8 = 0xFE

  struct Archived: Hashable {
    var number: Int64
    var path: String
  }

  /// Returns the file index in a record whose kind is `JournalSegments.kind`. Returns nil for other records.
  public static func number(in record: JournalRecord) -> Int64? {
    guard record.kind == kind, record.payload.count == 8 else { return nil }
    return record.payload.withUnsafeBytes {
      Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 0, as: Int64.self))
    }
  }

  /// Returns the archived files of a journal, the oldest first, and then the current file, whether or not it
  /// exists.
  public static func paths(of path: String) -> [String] {
    archived(of: path).map(\.path) + [path]
  }

  /// Returns the archived files in ascending order.
  static func archived(of path: String) -> [Archived] {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = cut.map { String(path[...$0]) } ?? "./"
    let prefix = (cut.map { String(path[path.index(after: $0)...]) } ?? path) + "."
    // When the folder cannot be listed, only the current file is used.
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

  /// Checks that no archived files of an earlier journal with this name exist. If such a file exists, removes
  /// the new file at `path` and throws.
  static func requireNone(beside path: String) throws(Problem) {
    guard let first = archived(of: path).first else { return }
    _ = unlink(path)
    throw Problem(
      .exists, place: first.path, cause: "the file belongs to an earlier journal of this name",
      remedy: "choose another name, or remove the file")
  }

  /// Archives the current file under its index and creates a new current file.
  static func archive(
    _ path: String, as number: Int64, room: DiskFullSwitch? = nil
  ) throws(Problem) -> JournalFile {
    let archive = "\(path).\(number)"
    guard rename(path, archive) == 0 else {
      throw JournalFile.failure(errno, path, offset: nil, doing: "archived")
    }
    do throws(Problem) {
      return try JournalFile.appending(path, creating: true, room: room)
    } catch {
      _ = rename(archive, path)
      throw error
    }
  }

  /// Removes the oldest archived files until at most `count` of them remain, with at most `bytes` together.
  static func removeOldest(of path: String, keeping count: Int, within bytes: Int64) {
    var total: Int64 = 0
    for (index, file) in archived(of: path).reversed().enumerated() {
      var status = stat()
      if lstat(file.path, &status) == 0 { total += Int64(status.st_size) }
      if index >= count || total > bytes { _ = unlink(file.path) }
    }
  }
}
