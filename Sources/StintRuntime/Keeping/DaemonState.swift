public import StintGovernor
import StintJournal
public import StintUnits

/// What of a daemon outlives its process: the policies in force, those before, and the state that they own.
///
/// The bytes: `STINTDMN`, the version, a SHA-256 of the rest, then the rest.
public struct DaemonState: Hashable, Sendable {
  private static let magic = Array("STINTDMN".utf8)
  /// 1: the first. 2: with the clock.
  static let version: UInt8 = 2

  /// What the daemon ran on: a hash of its devices and its scenario.
  public var world: String
  public var generations: PolicyGenerations
  /// The policies as the watched folder had them last.
  public var seen: [JournalPolicy]
  public var memory: GovernorMemory
  /// What time it was.
  public var clock: PersistedClock

  /// Makes a state.
  public init(
    world: JournalWorld, generations: PolicyGenerations, seen: [JournalPolicy], memory: GovernorMemory,
    clock: PersistedClock = .unknown
  ) {
    self.world = Self.fingerprint(of: world)
    self.generations = generations
    self.seen = seen
    self.memory = memory
    self.clock = clock
  }

  /// The hash by which a daemon knows the world that its state is about. The time zone is no part of it: a machine that
  /// moves to another goes on.
  public static func fingerprint(of world: JournalWorld) -> String {
    var world = world
    world.timeZone = .utc
    return hash(world)
  }

  private static func hash(_ world: JournalWorld) -> String {
    var hash = SHA256()
    hash.update(world.encoded())
    return hash.hexadecimal()
  }

  /// Whether the state is about this world; those of version 1 name the time zone as well.
  public func isAbout(_ world: JournalWorld) -> Bool {
    self.world == Self.fingerprint(of: world) || self.world == Self.hash(world)
  }

  /// The bytes of a state file.
  public var encoded: [UInt8] {
    var rest = ByteWriter()
    write(to: &rest)
    return Self.magic + [Self.version] + Self.checksum(of: rest.bytes) + rest.bytes
  }

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return Array(hash.hexadecimal().utf8)
  }

  /// Reads the bytes of a state file; whatever they are, they are this version's state or an error.
  public init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.starts(with: Self.magic) else {
      throw Problem(.foreign, cause: "it is no state of a daemon")
    }
    let head = Self.magic.count + 1
    guard bytes.count >= head + 64 else {
      throw Problem(.cut, cause: "it ends within its first \(head + 64) bytes")
    }
    guard (1...Self.version).contains(bytes[head - 1]) else {
      throw Problem(
        .version, cause: "it is of version \(bytes[head - 1]), and this program reads \(Self.version)")
    }
    let rest = Array(bytes[(head + 64)...])
    guard Array(bytes[head..<(head + 64)]) == Self.checksum(of: rest) else {
      throw Problem(.cut, cause: "its checksum is another than that of its content")
    }
    var reader = ByteReader(rest)
    do throws(CodingFault) {
      try self.init(from: &reader)
      if bytes[head - 1] >= 2 { clock = try PersistedClock(from: &reader) }
      // What is computed with it later cannot overflow.
      guard memory.instant.nanoseconds.magnitude < 7_000_000_000_000_000_000 else {
        throw CodingFault(offset: 0, expected: "an instant between 1750 and 2190")
      }
      guard reader.isAtEnd else { throw CodingFault(offset: reader.position, expected: "the end") }
    } catch {
      throw Problem(.cut, cause: "at byte \(head + 64 + error.offset): expected \(error.expected)")
    }
  }

  init(world: String, generations: PolicyGenerations, seen: [JournalPolicy], memory: GovernorMemory) {
    clock = .unknown
    self.world = world
    self.generations = generations
    self.seen = seen
    self.memory = memory
  }
}
