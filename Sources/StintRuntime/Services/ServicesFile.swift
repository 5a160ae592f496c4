import StintFormats
public import StintJournal
public import StintServices
public import StintUnits

/// The file that saves services for the next process: one JSON object, replaced atomically at each change.
///
/// Its format is `{"stint_services": 1, "services": …}`. A reader sees either the old or the new content.
public struct ServicesFile: ServicesKeeper {
  static let version: Int64 = 1

  /// The path of the file.
  public let path: String

  private let room: SimulatedDisk?

  /// Creates a reference to a file without access to it. `room` simulates a full disk in tests.
  public init(_ path: String, room: SimulatedDisk? = nil) {
    self.path = path
    self.room = room
  }

  /// Replaces the saved state. When this call returns, the state is on the disk.
  public func keep(_ memory: MemoryValue) throws(Problem) {
    try FileText.write(Self.bytes(of: memory), to: path, room: room)
  }

  /// Returns the content of a file for a state.
  public static func bytes(of memory: MemoryValue) -> [UInt8] {
    let value = JSONValue(
      .object([
        JSONMember("stint_services", JSONValue(.integer(version))),
        JSONMember("services", memory.json),
      ]))
    return Array((JSONWriter.text(of: value) + "\n").utf8)
  }

  /// Reads the saved state. Returns nil when the file does not exist.
  ///
  /// - Throws: `Problem` when the file cannot be read or is not a services file.
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

  /// Decodes the content of a services file.
  ///
  /// - Throws: `Problem` with the path of this file when the content is invalid.
  public func memory(of bytes: [UInt8]) throws(Problem) -> MemoryValue {
    let value: JSONValue
    do throws(Problem) {
      value = try JSONReader.value(of: bytes, source: path)
    } catch {
      throw refusal(error.cause)
    }
    guard let version = value["stint_services"]?.integer else { throw refusal("it is not a services file") }
    guard version == Self.version else {
      throw refusal("it is of version \(version), and this program reads \(Self.version)")
    }
    guard let memory = value["services"].flatMap({ MemoryValue($0) }) else {
      throw refusal("its services cannot be decoded")
    }
    return memory
  }

  private func refusal(_ cause: String) -> Problem {
    Problem(.file, place: path, cause: cause, remedy: "move it away to start without services")
  }
}
