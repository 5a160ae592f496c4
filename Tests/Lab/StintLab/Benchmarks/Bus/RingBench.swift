import StintPluginKit
import StintRuntime
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sends frames from one thread to another through shared memory and through a pipe, in the format that
/// processes exchange.
struct RingBench {
  private static let sampleBytes = 48
  private static let capacity = 1 << 18

  /// The number of samples in a frame.
  let size: Int
  let frames: Int
  let pool: PoolExecutor

  private var payload: [UInt8] { (0..<(size * Self.sampleBytes)).map { UInt8(truncatingIfNeeded: $0) } }

  /// Returns the mean wall-clock nanoseconds per frame through a `SharedRing`; nil without shared memory.
  func throughRing() throws -> Double? {
    let ring: SharedRing
    do throws(Problem) { ring = try SharedRing(capacity: Self.capacity) } catch { return nil }
    let (payload, frames) = (payload, frames)
    var reader = try ring.reader()
    return time {
      Spawner.start(on: pool) {
        var writer = ring.writer()
        payload.withUnsafeBytes { bytes in
          for _ in 0..<frames { Self.send(bytes, with: &writer) }
        }
      }
      var received: [UInt8] = []
      var count = 0
      while count < frames {
        if Self.receive(&reader, into: &received) {
          count += 1
        } else if Self.mustSleep(&reader) {
          Pause.untilReadable(reader.event)
        }
      }
      precondition(received == payload, "a ring delivered other bytes")
    }
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, with writer: inout RingWriter) {
    do throws(RingFault) {
      while try !writer.write(bytes) {
        if try writer.prepareToSleep(before: bytes.count) { Pause.untilReadable(writer.room) }
      }
    } catch { preconditionFailure("the reader failed: \(error)") }
  }

  private static func receive(_ reader: inout RingReader, into received: inout [UInt8]) -> Bool {
    do throws(RingFault) { return try reader.read(into: &received) } catch {
      preconditionFailure("the writer failed: \(error)")
    }
  }

  private static func mustSleep(_ reader: inout RingReader) -> Bool {
    do throws(RingFault) { return try reader.prepareToSleep() } catch {
      preconditionFailure("the writer failed: \(error)")
    }
  }

  /// Returns the mean wall-clock nanoseconds per frame through a pipe, with one `write` per frame. Returns
  /// nil when no pipe can be created.
  func throughPipe() -> Double? {
    var ends: [Int32] = [-1, -1]
    guard Self.make(&ends) else { return nil }
    defer { for end in ends { close(end) } }
    let (payload, frames, writeEnd) = (payload, frames, ends[1])
    return time {
      Spawner.start(on: pool) {
        for _ in 0..<frames {
          precondition(Self.put(payload, writeEnd), "a pipe failed")
        }
      }
      var received = [UInt8](repeating: 0, count: 1 << 16)
      var left = frames * payload.count
      while left > 0 {
        let count = Self.get(&received, ends[0])
        precondition(count > 0, "a pipe failed")
        left -= count
      }
    }
  }

  private static func put(_ payload: [UInt8], _ descriptor: Int32) -> Bool {
    write(descriptor, payload, payload.count) == payload.count
  }

  private static func get(_ received: inout [UInt8], _ descriptor: Int32) -> Int {
    read(descriptor, &received, received.count)
  }

  private static func make(_ ends: inout [Int32]) -> Bool { pipe(&ends) == 0 }

  private func time(_ body: () -> Void) -> Double {
    let began = SystemClock.monotonic()
    body()
    return Double((SystemClock.monotonic() - began).nanoseconds) / Double(frames)
  }
}
