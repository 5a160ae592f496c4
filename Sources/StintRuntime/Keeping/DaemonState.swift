public import StintGovernor
import StintJournal
public import StintUnits

/// The persistent state of a daemon: the policies in force, previous policies, and the state of the governor.
///
/// Its encoding is `STINTDMN`, one byte for the version, the SHA-256 of the remaining bytes as 64 hexadecimal
/// digits, then these bytes.
public struct DaemonState: Hashable, Sendable {
  /// The bytes with which every state file begins.
  public static let beginning = Array("STINTDMN".utf8)
  /// The version of the encoding. Version 2 adds the clock.
  static let version: UInt8 = 2

  /// The hash of the daemon's devices and scenario, from `fingerprint(of:)`.
  public var worldFingerprint: String
  /// The policies in force and previous policies.
  public var generations: PolicyGenerations
  /// The policies that the daemon last read from the watched folder.
  public var watchedPolicies: [JournalPolicy]
  /// The state of the governor.
  public var memory: GovernorMemory
  /// The clock at the time of saving.
  public var clock: PersistedClock

  /// Creates a state.
  public init(
    world: JournalWorld, generations: PolicyGenerations, watchedPolicies: [JournalPolicy],
    memory: GovernorMemory,
    clock: PersistedClock = .unknown
  ) {
    self.worldFingerprint = Self.fingerprint(of: world)
    self.generations = generations
    self.watchedPolicies = watchedPolicies
    self.memory = memory
    self.clock = clock
  }

  /// Returns the hash of a world. It excludes the time zone, so that a state remains valid when the machine
  /// moves to another time zone.
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

  /// Returns true when the state belongs to this world. The hash of version 1 includes the time zone.
  public func matches(_ world: JournalWorld) -> Bool {
    self.worldFingerprint == Self.fingerprint(of: world) || self.worldFingerprint == Self.hash(world)
  }

  /// The content of a state file.
  public var encoded: [UInt8] {
    var rest = ByteWriter()
    write(to: &rest)
    return Self.beginning + [Self.version] + Self.checksum(of: rest.bytes) + rest.bytes
  }

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return Array(hash.hexadecimal().utf8)
  }

  /// Decodes the content of a state file. Throws for all bytes that are not a valid state of this version or
  /// version 1.
  public init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.starts(with: Self.beginning) else {
      throw Problem(.unexpectedContent, cause: "it is not the state of a daemon")
    }
    let head = Self.beginning.count + 1
    guard bytes.count >= head + 64 else {
      throw Problem(.truncated, cause: "it ends within its first \(head + 64) bytes")
    }
    guard (1...Self.version).contains(bytes[head - 1]) else {
      throw Problem(
        .version,
        cause: "it is of version \(bytes[head - 1]), and this program reads versions 1 and \(Self.version)")
    }
    let rest = Array(bytes[(head + 64)...])
    guard Array(bytes[head..<(head + 64)]) == Self.checksum(of: rest) else {
      throw Problem(.truncated, cause: "its checksum does not match its content")
    }
    var reader = ByteReader(rest)
    do throws(CodingFault) {
      try self.init(from: &reader)
      if bytes[head - 1] >= 2 { clock = try PersistedClock(from: &reader) }
      // Limit the instant, so that later calculations cannot overflow.
      guard memory.instant.nanoseconds.magnitude < 7_000_000_000_000_000_000 else {
        throw CodingFault(offset: 0, expected: "an instant between 1748 and 2191")
      }
      guard reader.isAtEnd else { throw CodingFault(offset: reader.position, expected: "the end") }
    } catch {
      throw Problem(.truncated, cause: "at byte \(head + 64 + error.offset): expected \(error.expected)")
    }
  }

  init(
    worldFingerprint: String, generations: PolicyGenerations, watchedPolicies: [JournalPolicy],
    memory: GovernorMemory
  ) {
    clock = .unknown
    self.worldFingerprint = worldFingerprint
    self.generations = generations
    self.watchedPolicies = watchedPolicies
    self.memory = memory
  }
}
