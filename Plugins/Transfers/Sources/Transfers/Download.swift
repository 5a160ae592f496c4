import StintModel
import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The part of a download on the disk, and the decision whether an answer continues it.
final class Download {
  /// The consequence of an answer.
  enum Acceptance: Hashable {
    /// Append the body of the answer to the part.
    case body
    /// The part cannot be continued: request the whole file.
    case restart
  }

  private let spool: Spool
  /// The size above which the download fails, in bytes.
  private let largest: Int64
  private var descriptor: Int32
  private var record: PartRecord
  /// The number of bytes of the part, which is also the index of the first byte to request.
  private(set) var count: Int64 = 0

  /// Opens the part of a task. Without a usable part, the download begins with the first byte.
  init(_ key: String, from address: String, in spool: Spool, largest: Int64) throws(CarrierFault) {
    self.spool = spool
    self.largest = largest
    let size: Int64
    (descriptor, size) = try spool.openPart(of: key)
    record = PartRecord(key: key, address: address)
    if let former = spool.record(of: key), former.address == address, former.validator != nil {
      record = former
      count = former.usableCount(ofPart: size)
      record.boot = BootTime.current
      record.file = nil
      record.synced = min(record.synced, count)
    }
    guard ftruncate(descriptor, off_t(count)) == 0 else {
      let number = errno
      close()
      throw spool.fault(number)
    }
  }

  /// The range to request, with the condition under which the server may send it; nil for the whole file.
  var range: (bytes: String, condition: String)? {
    guard count > 0, let validator = record.validator else { return nil }
    return ("\(count)-", validator)
  }

  /// Checks the head of an answer with a status from 200 to 299, or with 416.
  func accept(_ head: ResponseHead) throws(CarrierFault) -> Acceptance {
    switch head.status {
    case 416:
      guard count > 0 else { throw .rejected("the server refuses the range of a whole file (416)") }
      return .restart
    case 206:
      guard count > 0 else { throw .rejected("the server sends a part that was not requested (206)") }
      // A server that ignores `If-Range` may send a part of another file.
      let isChanged =
        head.entityTag.map { $0 != record.validator && record.validator?.first == "\"" } ?? false
      guard let range = head.range, range.first == count, !isChanged,
        range.total == nil || record.length == nil || range.total == record.length
      else { return .restart }
      record.length = range.total ?? record.length
    default:
      // The server sends the whole file, because it has changed or the server does not support ranges.
      try restart()
      record.validator = head.validator
      record.length = head.contentLength
    }
    if let length = record.length {
      guard length <= largest else { throw tooLarge(length) }
      try spool.reserve(length - count, for: descriptor)
    }
    try spool.save(record)
    return .body
  }

  /// Empties the part, so that the next request is for the whole file.
  func restart() throws(CarrierFault) {
    count = 0
    guard ftruncate(descriptor, 0) == 0 else { throw spool.fault(errno) }
    record = PartRecord(key: record.key, address: record.address)
  }

  /// Appends bytes of the body to the part.
  func write(_ bytes: UnsafeRawBufferPointer) throws(CarrierFault) {
    let (sum, isOver) = count.addingReportingOverflow(Int64(bytes.count))
    guard !isOver, sum <= largest else { throw tooLarge(sum) }
    try spool.write(bytes, to: descriptor, at: count)
    count = sum
  }

  private func tooLarge(_ size: Int64) -> CarrierFault {
    .rejected("the file is larger than \(largest) bytes, the setting “largest”")
  }

  /// Turns the complete part into a file.
  ///
  /// - Parameter attempt: the number of the attempt.
  /// - Returns: the path of the file.
  /// - Throws: a transient fault when the part does not have the announced length, or a fault of the spool.
  ///   The part is then kept.
  func finish(_ attempt: Int) throws(CarrierFault) -> String {
    if let length = record.length, count != length {
      throw .connection("the server sent \(count) of \(length) bytes")
    }
    record.attempt = attempt
    let file = try spool.publish(record, descriptor)
    close()
    return file
  }

  /// Writes the bytes of the part to the disk, and then saves a record with their number.
  func keepOnDisk() throws(CarrierFault) {
    guard record.validator != nil, record.synced != count else { return }
    guard fdatasync(descriptor) == 0 else { throw spool.fault(errno) }
    record.synced = count
    try spool.save(record)
  }

  /// Closes the part. It is kept for a later attempt, unless its bytes cannot be written to the disk.
  func suspend() {
    guard descriptor >= 0 else { return }
    if record.validator != nil {
      if fdatasync(descriptor) == 0 {
        record.synced = count
        do throws(CarrierFault) { try spool.save(record) } catch {
          // The former record remains valid: it counts fewer bytes of the same file.
        }
      } else {
        // The system has dropped bytes that it could not write, so the part may have gaps.
        spool.removePart(of: record.key)
      }
    }
    close()
  }

  private func close() {
    DescriptorCalls.close(descriptor)
    descriptor = -1
  }
}
