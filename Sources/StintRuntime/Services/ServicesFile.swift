import StintFormats
public import StintJournal
public import StintServices
public import StintUnits

/// The file that saves services for the next process: one JSON object, replaced atomically at each change.
///
/// Its format is `{"stint_services": 3, "services": …}`, with `SavedServices` as content. Files of the
/// versions 1 and 2 are read as well. A reader sees either the old or the new content.
public struct ServicesFile: ServicesKeeper {
  static let version: Int64 = 3

  /// The path of the file.
  public let path: String

  private let types: PersistentTypes
  private let room: DiskFullSwitch?

  /// The content of a file.
  private struct Content: Codable {
    var version: Int64
    var services: SavedServices

    enum CodingKeys: String, CodingKey {
      case version = "stint_services"
      case services
    }
  }

  /// Creates a reference to a file without access to it.
  ///
  /// - Parameters:
  ///   - types: the types of services and notices that the file may contain.
  ///   - room: simulates a full disk in tests.
  public init(_ path: String, types: PersistentTypes = .all, room: DiskFullSwitch? = nil) {
    self.path = path
    self.types = types
    self.room = room
  }

  /// Replaces the content of the file. When this call returns, the content is on the disk.
  public func keep(_ content: [UInt8]) throws(Problem) {
    try FileText.replace(content, at: path, room: room)
  }

  /// Replaces the content of the file on the calling thread. This is the keeper for virtual time, in which no
  /// instant depends on the speed of the disk. `ServicesWriter` is the keeper for real time.
  public func keep(_ content: [UInt8], report: @escaping @Sendable (Problem?) -> Void) {
    do throws(Problem) {
      try keep(content)
    } catch {
      return report(error)
    }
    report(nil)
  }

  /// Returns the content of a file for a state.
  ///
  /// - Throws: a problem with the path of a number that JSON cannot express.
  public static func content(for services: SavedServices) throws(Problem) -> [UInt8] {
    let content = Content(version: version, services: services)
    return Array((try JSONCoding.line(of: content) + "\n").utf8)
  }

  /// Reads the saved state. Returns nil when the file does not exist.
  ///
  /// - Throws: `Problem` when the file cannot be read or is not a services file.
  public func load() throws(Problem) -> SavedServices? {
    guard let bytes = try read() else { return nil }
    return try services(in: bytes)
  }

  /// Reads the saved state for a start. A file with invalid content is renamed, so that the start succeeds
  /// and no later save overwrites the content. A file that this type has not written is never renamed.
  ///
  /// - Returns: `saved` is the state; nil when the file does not exist or was renamed. `refusal` is the
  ///   problem of the renamed file; nil when no file was renamed.
  /// - Throws: `Problem` when the file cannot be read, or is invalid and cannot be renamed, or is not a
  ///   services file.
  public func loadOrReject() throws(Problem) -> (saved: SavedServices?, refusal: Problem?) {
    guard let bytes = try read() else { return (nil, nil) }
    do throws(Problem) {
      return (try services(in: bytes), nil)
    } catch {
      let name = try StateFile.reject(path, bytes, beginning: Self.beginning, because: error)
      guard let name else { throw error }
      var refusal = error
      refusal.remedy = "its content is now in \(name); repair it there, or request the services again"
      return (nil, refusal)
    }
  }

  /// The bytes with which every services file begins.
  private static let beginning = Array(#"{"stint_services""#.utf8)

  /// Returns the content of the file; nil when the file does not exist.
  private func read() throws(Problem) -> [UInt8]? {
    try StateFile.requireFile(path)
    do throws(Problem) {
      return try FileText.read(path)
    } catch {
      guard error.code != .notFound else { return nil }
      throw error
    }
  }

  /// Decodes the content of a services file.
  ///
  /// - Throws: `Problem` with the path of this file when the content is invalid.
  public func services(in bytes: [UInt8]) throws(Problem) -> SavedServices {
    do throws(Problem) {
      return try services(JSONReader.value(of: bytes, source: path))
    } catch {
      var problem = error
      problem.place.name = path
      problem.remedy = "move it away to start without services"
      throw problem
    }
  }

  private func services(_ value: JSONValue) throws(Problem) -> SavedServices {
    guard let number = value["stint_services"]?.integer else {
      throw Problem(.file, place: path, cause: "it is not a services file")
    }
    // A later version may add keys.
    var decoder = JSONValueDecoder(file: path, ignoresUnknownKeys: true)
    types.select(in: &decoder.userInfo)
    switch number {
    // Version 2 contained only one permission, the location; `SavedServices` reads both forms.
    case 2, Self.version: return try decoder.decode(Content.self, from: value).services
    case 1:
      decoder.unitForm = .integer
      return try decoder.decode(Content.self, from: ServicesVersion1.converted(value)).services
    default:
      throw Problem(
        .file, place: path, cause: "it is of version \(number), and this program reads 1 to \(Self.version)")
    }
  }
}
