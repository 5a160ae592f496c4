public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of small text files in which a kernel shows a device: `/sys/class/power_supply/BAT0`.
///
/// Nothing is kept open: each reading is a new one, and each writing goes to the file itself and not beside it, as
/// `/sys` wants it. A call waits for as long as the device's driver takes, so it belongs on a `DeviceWorker`.
public struct AttributeFolder: Hashable, Sendable {
  /// The longest text that is read.
  private static let limit = 65_536

  public let path: String

  /// Names a folder, which need not be there.
  public init(_ path: String) { self.path = path }

  /// A folder in this one.
  public func folder(_ name: String) -> AttributeFolder { AttributeFolder(path + "/" + name) }

  /// Whether there is a file or a folder with this name.
  public func has(_ name: String) -> Bool {
    DeviceWorker.note("looking for", path + "/" + name)
    return access(path + "/" + name, F_OK) == 0
  }

  /// The names of everything in it, sorted; none when it is not there.
  public var names: [String] {
    DeviceWorker.note("listing", path)
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // A record is only as long as its name, so the name is read where it lies and not copied as a whole.
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What a file says, without white space around it.
  public func text(_ name: String) throws(Problem) -> String {
    let file = path + "/" + name
    let descriptor: Int32
    switch DescriptorCalls.open(reading: file) {
    case .success(let opened): descriptor = opened
    case .failure(let error): throw Self.failure(error.number, file)
    }
    defer { DescriptorCalls.close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= Self.limit {
      switch DescriptorCalls.read(descriptor, into: &buffer) {
      case .some(0): throw Problem(.refused, place: file, cause: "it has nothing to read now")
      case .some(let count): bytes += buffer[..<count]
      case .ended: return Self.trimmed(bytes)
      case .failed(let number): throw Self.failure(number, file)
      }
    }
    throw Problem(.content, place: file, cause: "it is longer than \(Self.limit) bytes")
  }

  /// Writes a text into a file that is there.
  public func write(_ text: String, to name: String) throws(Problem) {
    let file = path + "/" + name
    DeviceWorker.note("writing", file)
    // What is no attribute but a plain file is cut, so that nothing of a longer text stays behind the new one.
    #if canImport(Glibc)
      let descriptor = Glibc.open(file, O_WRONLY | O_NONBLOCK | O_TRUNC | O_CLOEXEC)
    #elseif canImport(Musl)
      let descriptor = Musl.open(file, O_WRONLY | O_NONBLOCK | O_TRUNC | O_CLOEXEC)
    #else
      let descriptor = Darwin.open(file, O_WRONLY | O_NONBLOCK | O_TRUNC | O_CLOEXEC)
    #endif
    guard descriptor >= 0 else { throw Self.failure(errno, file) }
    let bytes = Array((text + "\n").utf8)
    #if canImport(Glibc)
      let count = Glibc.write(descriptor, bytes, bytes.count)
    #elseif canImport(Musl)
      let count = Musl.write(descriptor, bytes, bytes.count)
    #else
      let count = Darwin.write(descriptor, bytes, bytes.count)
    #endif
    let number = errno
    DescriptorCalls.close(descriptor)
    guard count == bytes.count else { throw Self.failure(number, file) }
  }

  /// A number that a file says: finite, in decimal digits.
  public func number(_ name: String) throws(Problem) -> Double {
    let text = try text(name)
    guard let number = Self.number(text) else {
      throw Problem(.content, place: path + "/" + name, cause: "“\(Self.excerpt(text))” is no number")
    }
    return number
  }

  /// A finite number in decimal digits, with a sign, a point or an exponent.
  public static func number(_ text: some StringProtocol) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isPlain, text.utf8.count <= 64, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The beginning of what a file said, fit to be shown.
  public static func excerpt(_ text: String) -> String {
    let plain = text.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }
    let start = String(String.UnicodeScalarView(plain.prefix(40)))
    return plain.count > 40 ? start + "…" : start
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  private static func failure(_ number: Int32, _ file: String) -> Problem {
    let isGone = [ENOENT, ENODEV, ENXIO, ENOTDIR].contains(number)
    return Problem(isGone ? .absent : .refused, place: file, cause: DescriptorCalls.reason(number))
  }
}
