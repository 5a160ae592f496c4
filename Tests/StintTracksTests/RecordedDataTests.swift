import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintTracks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads real recordings from a folder beside the repository. Each test is skipped when its recordings
/// are missing.
@Suite(
  "Recorded data",
  .enabled(if: Tier.current >= .gate, "recordings are large: only .ci/run and .ci/long read them"))
struct RecordedDataTests {
  /// Returns the files of a folder of recordings with this ending, sorted; empty when there is no such
  /// folder.
  static func files(_ folder: String, _ ending: String) -> [String] {
    let parts = #filePath.split(separator: "/").dropLast(3)
    let path = "/" + parts.joined(separator: "/") + "/../shared/data/" + folder
    guard let handle = opendir(path) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append(path + "/" + name) }
    }
    return names.sorted()
  }

  static func read(_ path: String) throws(Problem) -> [TrackPoint] {
    var reader = try TrackReader(path: path)
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return points
  }

  @Test("every recorded track is read from its first row to its last", arguments: files("traces/gps", ".csv"))
  func tracks(path: String) throws {
    let lines = try LineSource(path: path)
    var rows = -1
    while try lines.advance() { rows += 1 }
    let points = try Self.read(path)
    #expect(points.count == rows)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test("every record of a transfer is read", arguments: files("traces/net", ".csv"))
  func traffic(path: String) throws {
    var reader = try TransferReader(path: path)
    var count = 0
    while let record = try reader.next() {
      count += 1
      #expect(record.transfer.bytes >= 0 && record.transfer.deadline != nil && record.kind != nil)
    }
    #expect(count > 0)
  }

  @Test("every record of motion is read", arguments: files("traces/motion", "_hand_a.csv"))
  func motion(path: String) throws {
    var reader = try MotionReader(path: path)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count > 7000)
  }

  @Test(
    "every log of a receiver is read, or rejected with an error that has a remedy and names the file",
    arguments: files("receivers/gpsd", ".log"))
  func receivers(path: String) {
    do {
      let points = try Self.read(path)
      #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
    } catch {
      #expect(!error.remedy.isEmpty)
      #expect(error.place.name == path)
    }
  }

  @Test("logs of NMEA receivers are read as tracks", arguments: files("receivers/gpsd", "-nmea.log"))
  func plainLogs(path: String) throws {
    #expect(try Self.read(path).count > 0)
  }
}
