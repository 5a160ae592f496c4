import StintSystem
public import StintUnits

/// A folder of small text files through which a kernel exposes a device, such
/// as `/sys/class/power_supply/BAT0`.
///
/// Nothing is cached: each read opens the file again. Each write changes the file in place, as `/sys`
/// requires. A call blocks until the device's driver answers, so run it on a `DeviceWorker`.
public struct AttributeFolder: Hashable, Sendable {
  /// The size of the largest file that is read, in bytes.
  private static let limit = 65_536

  /// The path of the folder, without a trailing slash.
  public let path: String

  /// Refers to a folder, which need not exist.
  public init(_ path: String) { self.path = path }

  /// Returns the subfolder with this name, which need not exist.
  public func folder(_ name: String) -> AttributeFolder { AttributeFolder(path + "/" + name) }

  /// True when the folder contains a file or a folder with this name.
  public func has(_ name: String) -> Bool {
    DeviceWorker.note("looking for", path + "/" + name)
    return access(path + "/" + name, F_OK) == 0
  }

  /// The names of all entries, sorted; empty when the folder does not exist or cannot be read.
  public var names: [String] {
    DeviceWorker.note("listing", path)
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // A directory record is only as long as its name. So copying a whole `dirent` would read past the end
      // of the record.
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the contents of a file, without white space around them.
  ///
  /// - Throws: `absent` when the file or its device does not exist, `refused` when it cannot be read,
  ///   `content` when it is longer than 64 KiB.
  public func text(_ name: String) throws(Problem) -> String {
    let file = path + "/" + name
    let descriptor = try DescriptorCalls.open(reading: file)
    defer { DescriptorCalls.close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= Self.limit {
      switch DescriptorCalls.read(descriptor, into: &buffer) {
      case .some(0): throw Problem(.refused, place: file, cause: "no data is available now")
      case .some(let count): bytes += buffer[..<count]
      case .ended: return Self.trimmed(bytes)
      case .failed(let number): throw DescriptorCalls.problem(number, file)
      }
    }
    throw Problem(.content, place: file, cause: "it is longer than \(Self.limit) bytes")
  }

  /// Writes a line into an existing file.
  ///
  /// - Throws: `absent` when the file or its device does not exist, `refused` when it cannot be written.
  public func write(_ text: String, to name: String) throws(Problem) {
    let file = path + "/" + name
    DeviceWorker.note("writing", file)
    // In a regular file, O_TRUNC removes the old text, which may be longer than the new text. `/sys` ignores
    // this flag.
    let descriptor = StintSystem.open(file, O_WRONLY | O_NONBLOCK | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw DescriptorCalls.problem(errno, file) }
    let bytes = Array((text + "\n").utf8)
    let count = StintSystem.write(descriptor, bytes, bytes.count)
    let number = errno
    DescriptorCalls.close(descriptor)
    guard count == bytes.count else { throw DescriptorCalls.problem(number, file) }
  }

  /// Returns the finite decimal number that a file contains.
  ///
  /// - Throws: `content` when the contents are not such a number, and the errors of `text(_:)`.
  public func number(_ name: String) throws(Problem) -> Double {
    let text = try text(name)
    guard let number = Self.number(text) else {
      throw Problem(
        .content, place: path + "/" + name, cause: "expected a number, found “\(Self.excerpt(text))”")
    }
    return number
  }

  /// Parses a finite decimal number with an optional sign, point and exponent.
  ///
  /// - Returns: nil when the text is not such a number or is longer than 64 bytes.
  public static func number(_ text: some StringProtocol) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isPlain, text.utf8.count <= 64, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns the first 40 characters of a file's contents, with `?` for characters that are not printable
  /// ASCII. “…” follows a shortened text.
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
}
