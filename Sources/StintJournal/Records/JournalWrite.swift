import StintUnits

/// One write of bytes to a journal file. Contains all data for the write, so that any thread can perform it.
public struct JournalWrite: Sendable {
  /// The result of a write.
  public struct Result: Sendable {
    /// The reason why the bytes are not in the file; nil when they are in the file.
    let problem: Problem?
    /// True when incomplete data may follow the file's last complete record.
    let mustCut: Bool
  }

  let storage: any JournalStorage
  /// The length of the file up to its last complete record.
  let offset: Int64
  /// True when the file must be truncated to `offset` before the write.
  var mustCut: Bool
  let bytes: [UInt8]
  /// The number of records in the first `kept` bytes of `bytes`. A gap record may follow these records.
  let records: Int64
  let kept: Int
  /// The gap that the last record describes; nil without a gap record.
  let gap: JournalGap?

  /// Appends the bytes to the file. Blocks the calling thread. Call it once, from any thread, and pass the
  /// result to `JournalWriter.endWrite(_:)`.
  public func perform() -> Result {
    guard let problem = append() else { return Result(problem: nil, mustCut: false) }
    // Report the first problem. When the file cannot be truncated now, the next attempt truncates it first.
    do throws(Problem) { try storage.truncate(to: offset) } catch _ {
      return Result(problem: problem, mustCut: true)
    }
    return Result(problem: problem, mustCut: false)
  }

  /// Appends the bytes. Returns the problem; nil for success. After a problem, a part of the bytes may be in
  /// the file.
  private func append() -> Problem? {
    bytes.withUnsafeBytes { bytes in
      do throws(Problem) {
        if mustCut { try storage.truncate(to: offset) }
        try storage.append(bytes, at: offset)
        return nil
      } catch {
        return error
      }
    }
  }
}
