/// The record beside a part: the file that the part belongs to, and the bytes that the disk certainly has.
struct PartRecord: Codable, Hashable, Sendable {
  /// The key of the task.
  var key: String
  /// The address of the task.
  var address: String
  /// The value for `If-Range`; nil when the part cannot be continued.
  var validator: String?
  /// The length of the whole file in bytes; nil when the server does not announce it.
  var length: Int64?
  /// The number of bytes that were written to the disk before the record.
  var synced: Int64 = 0
  /// The complete file that the part has become. The value remains until the host has received the report.
  /// Nil while there is a part.
  var file: String?
  /// The number of the attempt that completed the file.
  var attempt: Int?
  /// The boot in which the part was written.
  var boot = BootTime.current

  /// Returns the number of bytes of a part that can be used.
  ///
  /// After a crash of the machine, the end of a file may contain zeros or old data. So after another boot,
  /// only the bytes that were written to the disk count. The kernel keeps all bytes of a killed process.
  func usableCount(ofPart size: Int64, now: BootTime? = .current) -> Int64 {
    let isSameBoot = boot.flatMap { boot in now.map { boot.isSameBoot(as: $0) } } ?? false
    let count = isSameBoot ? size : min(size, max(synced, 0))
    // At least one byte is requested, so that the server confirms the validator.
    return max(min(count, max(length ?? .max, 1) - 1), 0)
  }
}
