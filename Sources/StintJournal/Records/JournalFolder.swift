import StintSystem
public import StintUnits

/// The journal folder of a daemon. Each start of the daemon writes its own journal, named by a number of six
/// or more digits.
///
/// The daemon never writes to the journals of earlier starts, so an incomplete last record of an interrupted
/// process does not affect later records. A journal can have archived files. A size limit applies to the
/// whole folder.
public enum JournalFolder {
  /// The name of the file that the running daemon locks.
  public static let lockName = "lock"

  /// Returns true when the path is an existing folder.
  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the journals at a path, the oldest first. For a file, returns the path itself.
  ///
  /// - Throws: `Problem` when the folder cannot be listed or contains no journal with a record.
  public static func journals(at path: String) throws(Problem) -> [String] {
    guard isFolder(path) else { return [path] }
    let starts = try entries(of: path).filter { $0.archiveNumber == nil }.map(\.path).filter { hasRecord($0) }
    guard !starts.isEmpty else {
      throw Problem(
        .notFound, place: path, cause: "the folder contains no journal",
        remedy: "give a journal file, or the folder of stint run --journal")
    }
    return starts
  }

  /// Returns whether a journal has a record. A process that is killed at its start leaves an empty journal. A
  /// damaged journal counts as a journal with a record, because the reader reports the damage later.
  private static func hasRecord(_ path: String) -> Bool {
    do throws(Problem) {
      var reader = try JournalReader(path: path)
      return try reader.next() != nil
    } catch {
      return error.code != .empty
    }
  }

  /// Creates a folder for journals. A journal file at this path becomes the first journal of the folder.
  public static func make(_ path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard mkdir(path, 0o750) == 0 || errno == EEXIST else {
        throw JournalFile.failure(errno, path, offset: nil, doing: "made")
      }
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR { return }
    // Read the header first, so that only a journal is moved.
    var reader = try JournalReader(path: path)
    _ = try reader.next()
    // Throw while another process writes the journal, because that process would continue to write the moved
    // file.
    _ = try JournalFile.appending(path, creating: false)
    let archivedFiles = JournalSegments.archived(of: path)
    let former = path + ".former"
    guard rename(path, former) == 0, mkdir(path, 0o750) == 0 else {
      throw JournalFile.failure(errno, path, offset: nil, doing: "replaced by a folder")
    }
    let first = "\(path)/\(name(of: 1))"
    for file in archivedFiles { _ = rename(file.path, "\(first).\(file.number)") }
    guard rename(former, first) == 0 else {
      throw JournalFile.failure(errno, former, offset: nil, doing: "moved")
    }
  }

  /// Creates the next journal of a folder. Removes the oldest files when the limit requires it. On a full
  /// disk, the returned writer retries until there is space; its `failure` contains the reason.
  public static func begin(
    in folder: String, limit: JournalLimit? = nil, room: DiskFullSwitch? = nil
  ) throws(Problem) -> JournalWriter {
    let last = try entries(of: folder).last?.start ?? 0
    let path = "\(folder)/\(name(of: last + 1))"
    if let limit { trim(folder, to: limit.bytes - limit.fileBytes, sparing: path) }
    return try JournalWriter(creating: path, limit: limit, keepsFailure: true, room: room)
  }

  /// Removes the oldest files of a folder until the total size is at most `bytes`. Never removes `path`.
  static func trim(_ folder: String, to bytes: Int64, sparing path: String) {
    let found: [Entry]
    do throws(Problem) { found = try entries(of: folder) } catch { return }
    var sum = found.reduce(0) { $0 + $1.bytes }
    for entry in found where sum > bytes && entry.path != path {
      _ = unlink(entry.path)
      sum -= entry.bytes
    }
  }

  struct Entry: Hashable {
    /// The number of the daemon's start.
    var start: Int64
    /// The index of an archived file; nil for the current file of the journal.
    var archiveNumber: Int64?
    var path: String
    /// The size of the file in bytes.
    var bytes: Int64
  }

  /// Returns the journal files of all starts of the daemon, the oldest first.
  static func entries(of folder: String) throws(Problem) -> [Entry] {
    guard let stream = opendir(folder) else {
      throw JournalFile.failure(errno, folder, offset: nil, doing: "listed")
    }
    defer { closedir(stream) }
    var found: [Entry] = []
    while let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { part in
        part.utf8.allSatisfy { (48...57).contains($0) } ? Int64(part) : nil
      }
      guard let start = numbers.first, numbers.count == parts.count, parts.count <= 2, parts[0].count >= 6
      else { continue }
      let path = folder + "/" + name
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      found.append(
        Entry(
          start: start, archiveNumber: numbers.count == 2 ? numbers[1] : nil, path: path,
          bytes: Int64(status.st_size)))
    }
    return found.sorted { ($0.start, $0.archiveNumber ?? .max) < ($1.start, $1.archiveNumber ?? .max) }
  }

  private static func name(of start: Int64) -> String {
    let digits = "\(start)"
    return String(repeating: "0", count: max(6 - digits.count, 0)) + digits
  }
}
