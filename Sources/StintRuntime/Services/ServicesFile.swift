import StintFormats
public import StintJournal
public import StintServices
public import StintUnits

/// The file in which services outlive their process: one JSON object, replaced as a whole at each change.
///
/// `{"stint_services": 1, "services": …}`. A reader sees the last state or the one before, never a part.
public struct ServicesFile: ServicesKeeper {
  static let version: Int64 = 1

  public let path: String

  private let room: DiskSpace?

  /// Names a file; nothing is read or written yet. `room` stands for the disk's own.
  public init(_ path: String, room: DiskSpace? = nil) {
    self.path = path
    self.room = room
  }

  /// Replaces what was kept; it is on the disk when this returns.
  public func keep(_ memory: MemoryValue) throws(Problem) {
    try FileText.write(Self.bytes(of: memory), to: path, room: room)
  }

  /// What such a file holds.
  public static func bytes(of memory: MemoryValue) -> [UInt8] {
    let value = JSONValue(
      .object([
        JSONMember("stint_services", JSONValue(.integer(version))),
        JSONMember("services", memory.json),
      ]))
    return Array((JSONWriter.text(of: value) + "\n").utf8)
  }

  /// What was kept last; nil when there is no such file.
  ///
  /// - Throws: when the file cannot be read, or holds something else.
  public func load() throws(Problem) -> MemoryValue? {
    let bytes: [UInt8]
    do throws(Problem) {
      bytes = try FileText.read(path)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
    return try memory(of: bytes)
  }

  /// What the bytes of such a file say.
  ///
  /// - Throws: when they say something else; the file is named.
  public func memory(of bytes: [UInt8]) throws(Problem) -> MemoryValue {
    let value: JSONValue
    do throws(Problem) {
      value = try JSONReader.value(of: bytes, source: path)
    } catch {
      throw refusal(error.cause)
    }
    guard let version = value["stint_services"]?.integer else { throw refusal("it keeps no services") }
    guard version == Self.version else {
      throw refusal("it is of version \(version), and this program reads \(Self.version)")
    }
    guard let memory = value["services"].flatMap({ MemoryValue($0) }) else {
      throw refusal("what it keeps cannot be understood")
    }
    return memory
  }

  private func refusal(_ cause: String) -> Problem {
    Problem(.file, place: path, cause: cause, remedy: "move it away to start without services")
  }
}
