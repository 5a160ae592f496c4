/// Encoded records that wait to be written. The buffer keeps its memory when it is emptied.
final class JournalBuffer {
  private var memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0
  private(set) var records: Int64 = 0

  init(capacity: Int) {
    memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  func append(_ bytes: [UInt8]) {
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: bytes)
    count += bytes.count
  }

  /// Adds a record with its head and its checksums.
  func append(kind: UInt8, instant: Int64, _ payload: UnsafeRawBufferPointer) {
    reserve(JournalFormat.headLength + payload.count + JournalFormat.tailLength)
    let start = count
    let destination = UnsafeMutableRawBufferPointer(rebasing: memory[start...])
    let sum = JournalFormat.writeHead(length: payload.count, kind: kind, instant: instant, to: destination)
    var end = JournalFormat.headLength
    if let from = payload.baseAddress, let to = destination.baseAddress {
      (to + end).copyMemory(from: from, byteCount: payload.count)
    }
    end += payload.count
    let rest = UnsafeRawBufferPointer(rebasing: destination[JournalFormat.checkedLength..<end])
    destination.storeBytes(
      of: Checksum.crc32c(rest, continuing: sum).littleEndian, toByteOffset: end, as: UInt32.self)
    count += end + JournalFormat.tailLength
    records += 1
  }

  /// Inserts encoded records before all other records.
  func prepend(_ bytes: ArraySlice<UInt8>, records: Int64) {
    let later = Array(self.bytes)
    count = 0
    append(Array(bytes))
    append(later)
    self.records += records
  }

  func removeAll() { (count, records) = (0, 0) }

  private func reserve(_ more: Int) {
    guard count + more > memory.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(count + more, memory.count * 2), alignment: 16)
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }
}
