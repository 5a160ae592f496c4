import StintFormats
import StintModel
import StintPluginKit
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folder of parts and downloaded files. A part `KEY.part` has a record `KEY.record`; a complete file has
/// neither ending. `KEY` is the key of the task in hexadecimal.
struct Spool: Sendable {
  let folder: String

  private static let partEnding = ".part"
  private static let recordEnding = ".record"
  private static let newEnding = ".new"
  /// The longest hexadecimal name; a longer key is shortened and gets a hash.
  private static let maxName = 200

  /// Returns the path of a task's files without an ending. Different keys have different paths, except when
  /// the hashes of two shortened keys are equal. Each record contains its key, so this case is detected.
  func path(of key: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var name: [UInt8] = []
    for byte in key.utf8 { name += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    if name.count > Self.maxName {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      name = name.prefix(Self.maxName - 17) + Array(("-" + String(hash, radix: 16)).utf8)
    }
    return folder + "/" + String(decoding: name, as: UTF8.self)
  }

  // MARK: Parts

  /// Opens the part of a task for reading and writing, and creates an empty part for a task without a part.
  func openPart(of key: String) throws(CarrierFault) -> (descriptor: Int32, size: Int64) {
    let descriptor = open(
      path(of: key) + Self.partEnding, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw fault(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .spool("\(folder) contains a part that is not a file")
    }
    return (descriptor, Int64(status.st_size))
  }

  /// Returns the record of a task; nil when it is missing, damaged or belongs to another task.
  func record(of key: String) -> PartRecord? {
    record(at: path(of: key) + Self.recordEnding).flatMap { $0.key == key ? $0 : nil }
  }

  private func record(at path: String) -> PartRecord? {
    guard let bytes = Self.bytes(of: path) else { return nil }
    do throws(Problem) {
      return try JSONCoding.decode(PartRecord.self, from: bytes, file: "record", ignoresUnknownKeys: true)
    } catch {
      // Without a record, the part is downloaded again from its beginning.
      return nil
    }
  }

  /// Replaces the record of a task on the disk.
  func save(_ record: PartRecord) throws(CarrierFault) {
    let path = path(of: record.key) + Self.recordEnding
    let text: String
    do throws(Problem) { text = try JSONCoding.line(of: record) } catch { throw .spool(error.statement) }
    let descriptor = open(path + Self.newEnding, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw fault(errno) }
    defer { close(descriptor) }
    try write(Array(text.utf8), to: descriptor, at: 0)
    guard fsync(descriptor) == 0, rename(path + Self.newEnding, path) == 0 else { throw fault(errno) }
    try syncFolder()
  }

  /// Removes the part and the record of a task, and a complete file that the host does not know.
  func removePart(of key: String) {
    if let file = record(of: key)?.file { discard(file) }
    for ending in [Self.partEnding, Self.recordEnding, Self.recordEnding + Self.newEnding] {
      unlink(path(of: key) + ending)
    }
  }

  /// Writes all bytes of a buffer to a file of the spool, or fails.
  func write(
    _ bytes: some Collection<UInt8>, to descriptor: Int32, at offset: Int64
  ) throws(CarrierFault) {
    let written = bytes.withContiguousStorageIfAvailable { Self.write($0, to: descriptor, at: offset) }
    let number =
      written ?? Array(bytes).withUnsafeBufferPointer { Self.write($0, to: descriptor, at: offset) }
    guard number == 0 else { throw fault(number) }
  }

  /// Returns 0, or the `errno` of the first write that failed.
  private static func write(
    _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32, at offset: Int64
  ) -> Int32 {
    var place = 0
    while place < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[place...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(place))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? ENOSPC : errno }
      place += count
    }
    return 0
  }

  // MARK: Complete files

  /// Turns the complete part of a task into a file. The file gets its name only when it has all its bytes.
  ///
  /// The record then contains the path, until `forgetRecord(of:)`. When the process ends before its report
  /// reaches the host, `unreportedFile(of:from:)` finds the file.
  ///
  /// - Parameters:
  ///   - record: the record of the part.
  ///   - descriptor: the open part.
  /// - Returns: the path of the file. An earlier file of the task that was not read keeps its name.
  func publish(_ record: PartRecord, _ descriptor: Int32) throws(CarrierFault) -> String {
    guard fsync(descriptor) == 0 else { throw fault(errno) }
    let path = path(of: record.key)
    var file = path
    var number = 1
    while access(file, F_OK) == 0, number < 10_000 {
      file = "\(path).\(number)"
      number += 1
    }
    guard access(file, F_OK) != 0 else { throw .spool("\(folder) has 10,000 files of one task") }
    var record = record
    record.file = file
    try save(record)
    guard rename(path + Self.partEnding, file) == 0 else { throw fault(errno) }
    try syncFolder()
    return file
  }

  /// Removes the record of a task whose complete file was reported.
  func forgetRecord(of key: String) { unlink(path(of: key) + Self.recordEnding) }

  /// Returns the complete file that an earlier attempt of the same task did not report; nil without such a
  /// file.
  ///
  /// The first attempt of a task removes the record of a former task with the same key; the file then belongs
  /// to the client of that task.
  func unreportedFile(of exchange: TransferExchange, from address: String) -> String? {
    guard let record = record(of: exchange.key), let file = record.file else { return nil }
    // When the file is missing, the process ended before it renamed the part, and the download continues the
    // part.
    guard access(file, F_OK) == 0 else { return nil }
    if let attempt = record.attempt, attempt < exchange.attempt, record.address == address { return file }
    forgetRecord(of: exchange.key)
    return nil
  }

  /// Removes a complete file. Ignores a path outside of the folder and a path of a part.
  func discard(_ file: String) {
    let start = (folder + "/").utf8
    let name = String(decoding: file.utf8.dropFirst(start.count), as: UTF8.self)
    guard file.utf8.starts(with: start), Self.isComplete(name) else { return }
    unlink(file)
    // The process may have ended between the report of the file and the removal of its record.
    let recordPath = folder + "/" + name.prefix { $0 != "." } + Self.recordEnding
    if record(at: recordPath)?.file == file { unlink(recordPath) }
  }

  /// Returns whether a name is that of a complete file: hexadecimal digits, and perhaps a hash and a number.
  private static func isComplete(_ name: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isName = parts.first?.allSatisfy { byte in
      digits ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte || byte == UInt8(ascii: "-")
    }
    guard isName == true, parts.first?.isEmpty == false, parts.count <= 2 else { return false }
    return parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy { digits ~= $0 }
  }

  /// Removes parts and records that have not changed for a time, and the complete files that these records
  /// name. Their tasks have ended while the plugin did not run.
  func removeParts(olderThan age: TimeSpan) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      names.append(
        String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)))
    }
    let now = Int64(time(nil))
    for name in names {
      guard [Self.partEnding, Self.recordEnding, Self.newEnding].contains(where: { name.hasSuffix($0) })
      else { continue }
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0 else { continue }
      guard now - Int64(status.st_mtim.tv_sec) > age.nanoseconds / 1_000_000_000 else { continue }
      if name.hasSuffix(Self.recordEnding), let file = record(at: folder + "/" + name)?.file { discard(file) }
      unlink(folder + "/" + name)
    }
  }

  // MARK: The folder

  /// The fault of a folder that cannot be used now; nil when a file can be created.
  var obstacle: CarrierFault? { access(folder, W_OK | X_OK) == 0 ? nil : fault(errno) }

  /// Checks that the disk has space for more bytes of an open part. A file that cannot become complete
  /// would otherwise fill the disk, and the other transfers would fail too.
  func reserve(_ count: Int64, for descriptor: Int32) throws(CarrierFault) {
    var status = statvfs()
    // When the system does not report the free space, a later write fails instead.
    guard fstatvfs(descriptor, &status) == 0 else { return }
    let (free, isOver) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    guard isOver || free >= UInt64(max(count, 0)) else {
      throw .disk("\(folder) has no space left for \(count) bytes")
    }
  }

  private func syncFolder() throws(CarrierFault) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw fault(errno) }
  }

  /// Returns the fault of a failed call on a file of the folder.
  func fault(_ number: Int32) -> CarrierFault {
    switch number {
    case ENOSPC, EDQUOT: .disk("\(folder) has no space left")
    case EFBIG: .disk("\(folder) cannot store a file of this size")
    case ENOENT: .spool("the folder \(folder) does not exist")
    default: .spool("\(folder) cannot be written: \(DescriptorCalls.reason(number))")
    }
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // A record has at most some kilobytes; a longer file is not a record.
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 && count < bytes.count ? Array(bytes[..<count]) : nil
  }
}
