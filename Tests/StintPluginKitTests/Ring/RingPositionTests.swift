import Testing

@testable import StintPluginKit

/// Compares the arithmetic of a ring with a queue of bytes.
@Suite struct RingPositionTests {
  /// Both ends of a ring, and a queue of the bytes that are written but not read.
  private struct Ring {
    var writer: RingPosition
    var reader: RingPosition
    var queue: [Int] = []
    var slots: [Int]
    var next = 0
    var taken = 0

    init(capacity: Int) {
      writer = RingPosition(.writer, capacity: capacity)
      reader = RingPosition(.reader, capacity: capacity)
      slots = Array(repeating: -1, count: capacity)
    }

    /// Writes at most `count` bytes. Returns false when the result differs from the queue.
    mutating func write(_ count: Int) -> Bool {
      guard sees(&writer, reader.own), writer.available == slots.count - queue.count else { return false }
      let count = min(count, writer.available)
      let span = writer.span(count)
      for place in Array(span.first) + Array(span.second) {
        slots[place] = next
        queue.append(next)
        next += 1
      }
      writer.advance(count)
      return span.first.count + span.second.count == count
    }

    mutating func read(_ count: Int) -> Bool {
      guard sees(&reader, writer.own), reader.available == queue.count else { return false }
      let count = min(count, reader.available)
      let span = reader.span(count)
      let bytes = (Array(span.first) + Array(span.second)).map { slots[$0] }
      let expected = Array(queue.prefix(count))
      queue.removeFirst(count)
      reader.advance(count)
      return bytes == expected
    }

    private func sees(_ end: inout RingPosition, _ position: UInt64) -> Bool {
      do throws(RingFault) { try end.see(position) } catch { return false }
      return true
    }
  }

  @Test(
    "every sequence of up to eight writes and reads of an 8-byte ring delivers each byte once and in order")
  func everySequence() {
    // A positive number is a write of this many bytes, a negative number is a read. Writes are limited by the
    // free space, and reads by the written bytes.
    let steps = [3, 8, -2, -8]
    var count = 0
    func walk(_ ring: Ring, _ length: Int) -> [Int]? {
      guard length > 0 else { return nil }
      for step in steps {
        var branch = ring
        count += 1
        guard step > 0 ? branch.write(step) : branch.read(-step) else { return [step] }
        if let rest = walk(branch, length - 1) { return [step] + rest }
      }
      return nil
    }
    #expect(walk(Ring(capacity: 8), 8) == nil)
    #expect(count == 87_380)
  }

  @Test(
    "a reader accepts exactly the possible positions of the writer, and throws a fault for other positions")
  func everyAnnouncement() {
    for own in 0...20 as ClosedRange<UInt64> {
      for seen in own...(own + 8) {
        for told in Array(0...40) + [UInt64.max, .max - 7, 1 << 63] {
          var reader = RingPosition(.reader, capacity: 8)
          do throws(RingFault) {
            var at: UInt64 = 0
            while at < own {
              let step = min(8, own - at)
              try reader.see(at + step)
              reader.advance(Int(step))
              at += step
            }
            try reader.see(seen)
          } catch {
            Issue.record("a valid position is rejected: \(error)")
          }
          do throws(RingFault) {
            try reader.see(told)
            #expect(told >= seen && told <= own + 8)
            #expect(reader.available == Int(told - own))
          } catch {
            #expect(told < seen || told > own + 8)
            #expect(reader.other == seen, "a rejected position is not stored")
          }
        }
      }
    }
  }

  @Test("a reader's position that exceeds the written bytes, or decreases, is a fault")
  func lyingReader() {
    var writer = RingPosition(.writer, capacity: 16)
    writer.advance(10)
    #expect(throws: RingFault.overran(by: 1)) { try writer.see(11) }
    do throws(RingFault) { try writer.see(6) } catch { Issue.record("\(error)") }
    #expect(writer.available == 12)
    #expect(throws: RingFault.movedBackwards(from: 6, to: 5)) { try writer.see(5) }
  }

  @Test(
    "header and payload are padded to a multiple of 8 bytes; a frame of more bytes than available is a fault")
  func frames() {
    #expect([0, 1, 4, 5, 12, 13].map { RingFrame.bytes(payload: $0) } == [8, 8, 8, 16, 16, 24])
    for available in stride(from: 8, through: 64, by: 4) {
      for length in Array(0...80) + [UInt32.max, .max - 3, 1 << 31] {
        let fits = Int(length) <= 64 && RingFrame.bytes(payload: Int(length)) <= available
        do throws(RingFault) {
          let bytes = try RingFrame.bytes(announced: length, available: available)
          #expect(fits && bytes == RingFrame.bytes(payload: Int(length)))
        } catch {
          #expect(!fits && error == .frameTooLong(length))
        }
      }
    }
  }
}
