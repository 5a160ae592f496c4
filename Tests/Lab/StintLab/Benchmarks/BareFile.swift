import StintJournal
import StintTools
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file without the journal format. It is the baseline of the journal benchmark.
final class BareFile {
  private let descriptor: Int32
  private let path: String
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  init(creating path: String) throws(Problem) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
    self.path = path
    memory.initializeMemory(as: UInt8.self, repeating: 0x5A)
    if descriptor < 0 { throw failure() }
  }

  init(reading path: String) throws(Problem) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    if descriptor < 0 { throw failure() }
  }

  deinit {
    memory.deallocate()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes the given number of bytes with one call.
  func write(_ count: Int) throws(Problem) {
    if rawWrite(descriptor, UnsafeRawBufferPointer(rebasing: memory[..<count])) != count { throw failure() }
  }

  func synchronize() throws(Problem) {
    #if canImport(Darwin)
      let result = fsync(descriptor)
    #else
      let result = fdatasync(descriptor)
    #endif
    if result != 0 { throw failure() }
  }

  /// Reads the whole file and computes its checksum.
  func check() throws(Problem) {
    var sum: UInt32 = 0
    while true {
      let count = rawRead(descriptor, memory)
      if count < 0 { throw failure() }
      if count == 0 { break }
      sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: memory[..<count]), continuing: sum)
    }
    withExtendedLifetime(sum) {}
  }

  private func failure() -> Problem {
    Problem(
      .file, place: path, cause: strerror(errno).map { String(cString: $0) } ?? "error \(errno)",
      remedy: "choose another folder with --in")
  }
}

private func rawWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func rawRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
