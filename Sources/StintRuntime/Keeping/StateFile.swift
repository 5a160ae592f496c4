import StintSystem
public import StintUnits

/// Operations on state files other than reading and writing.
public enum StateFile {
  /// Throws when the path leads to an entry that is not a regular file, such as a device. Such an entry could
  /// be neither read nor replaced.
  public static func requireFile(_ path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw Problem(
      .file, place: path, cause: "it is not a regular file",
      remedy: "give the path of a file that exists or can be created")
  }

  /// The largest number of refused files that stay beside a path.
  private static let maxRefused = 100

  /// Moves an invalid file away at a start, so that no later save overwrites its content. The new name is
  /// `PATH.refused`, or `PATH.refused-2` and so on when that exists.
  ///
  /// - Parameters:
  ///   - content: the content of the file.
  ///   - beginning: the bytes with which every file of the expected format begins.
  ///   - problem: the problem of the content.
  /// - Returns: the new path; nil when the file cannot be renamed, or when `maxRefused` refused files exist.
  /// - Throws: `problem` when the content begins differently. Then Stint has not written the file, so the
  ///   file keeps its name, and the start must fail.
  public static func reject(
    _ path: String, _ content: [UInt8], beginning: [UInt8], because problem: Problem
  ) throws(Problem) -> String? {
    // An interrupted write can leave only a part of the beginning.
    guard content.starts(with: beginning) || beginning.starts(with: content) else { throw problem }
    let names = (1...maxRefused).lazy.map { $0 == 1 ? "\(path).refused" : "\(path).refused-\($0)" }
    guard let name = names.first(where: { Folder.entry(at: $0) == .nothing }), rename(path, name) == 0 else {
      return nil
    }
    return name
  }

  /// Removes temporary files `PATH.new-NUMBER` of writers that were killed. Returns the number of removed
  /// files. Only the process that holds the file's lock may call this function.
  public static func removeDrafts(of path: String) -> Int {
    let prefix = FilePath.name(of: path) + ".new-"
    let folder = FilePath.parent(of: path)
    var count = 0
    do throws(Problem) {
      for name in try Folder.names(in: folder) where name.hasPrefix(prefix) {
        guard name.dropFirst(prefix.count).utf8.allSatisfy({ (48...57).contains($0) }) else { continue }
        if unlink(FilePath.join(folder, name)) == 0 { count += 1 }
      }
    } catch {
      return count
    }
    return count
  }
}
