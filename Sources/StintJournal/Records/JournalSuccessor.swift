import StintSystem
import StintUnits

/// The new, empty file in which a journal continues. The creation of the file blocks the calling thread, so a
/// daemon creates the file on a thread other than the thread of its writer.
public struct JournalSuccessor: Sendable {
  let file: JournalFile

  /// Archives the file at `path` under its index and creates the next file. Keeps at most three archived
  /// files, with at most `bytes` together. Then removes the oldest journals of the folder until all files
  /// together have at most `bytes`. A nil `bytes` means no limit.
  ///
  /// - Throws: `Problem` when a file cannot be renamed or created; the journal is then unchanged.
  init(
    archiving path: String, as number: Int64, keeping bytes: Int64?, room: DiskFullSwitch?
  ) throws(Problem) {
    file = try JournalSegments.archive(path, as: number, room: room)
    JournalSegments.removeOldest(of: path, keeping: JournalLimit.files - 1, within: bytes ?? .max)
    if let bytes, let cut = path.lastIndex(of: "/") {
      JournalFolder.trim(String(path[..<cut]), to: bytes, sparing: path)
    }
  }

  /// Creates a new file, and its folder if it is missing, after the file at `path` was removed or renamed.
  init(replacing path: String, room: DiskFullSwitch?) throws(Problem) {
    if let cut = path.lastIndex(of: "/") { _ = mkdir(String(path[..<cut]), 0o755) }
    file = try JournalFile.appending(path, creating: true, room: room)
  }
}
