import StintModel
import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file of an upload. Each attempt sends the whole file.
final class Upload {
  private var descriptor: Int32
  /// The number of bytes of the file.
  let size: Int64
  /// The number of bytes that were sent.
  private(set) var count: Int64 = 0

  /// Opens a file in the folder of uploads.
  ///
  /// Each part of the path is opened without following links. Otherwise a client could send a file to which
  /// only this plugin has access, such as the file of credentials.
  init(_ path: String, under folder: String) throws(CarrierFault) {
    // The system splits a path at each byte “/”. A Swift character may consist of “/” and further scalars.
    let start = (folder + "/").utf8
    let names = path.utf8.dropFirst(start.count)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard path.utf8.starts(with: start), !names.isEmpty,
      !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !path.utf8.contains(0)
    else { throw .body("the file is not in the folder \(folder)") }
    var place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard place >= 0 else { throw Self.fault(errno, folder) }
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      let next = openat(place, name, flags)
      let number = errno
      DescriptorCalls.close(place)
      guard next >= 0 else { throw Self.fault(number, path) }
      place = next
    }
    var status = stat()
    guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      DescriptorCalls.close(place)
      throw .body("\(path) is not a file")
    }
    descriptor = place
    size = Int64(status.st_size)
  }

  private static func fault(_ number: Int32, _ path: String) -> CarrierFault {
    switch number {
    case ENOENT, ENOTDIR: .body("\(path) does not exist")
    case ELOOP: .body("\(path) contains a link")
    default: .body("\(path) cannot be read: \(DescriptorCalls.reason(number))")
    }
  }

  /// Reads the next bytes of the file.
  ///
  /// - Returns: the number of bytes; 0 at the announced end of the file.
  /// - Throws: a permanent fault when the file has become shorter or cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CarrierFault) -> Int {
    let wanted = Int(min(Int64(buffer.count), size - count))
    guard wanted > 0 else { return 0 }
    var result = pread(descriptor, buffer.baseAddress, wanted, off_t(count))
    while result < 0, errno == EINTR { result = pread(descriptor, buffer.baseAddress, wanted, off_t(count)) }
    guard result > 0 else {
      throw .body(
        result == 0 ? "the file became shorter during the upload" : DescriptorCalls.reason(errno))
    }
    count += Int64(result)
    return result
  }

  /// Moves to a byte of the file, because the server needs bytes again. Returns false for an offset
  /// outside of the file.
  func seek(to offset: Int64) -> Bool {
    guard (0...size).contains(offset) else { return false }
    count = offset
    return true
  }

  func close() {
    guard descriptor >= 0 else { return }
    DescriptorCalls.close(descriptor)
    descriptor = -1
  }
}
