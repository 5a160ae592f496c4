import StintUnits
import Synchronization
import Testing

@testable import StintPluginKit

#if os(Linux)
  /// Tests rings in shared memory, with a correct writer and with a hostile writer.
  @Suite struct SharedRingTests {
    private func payload(_ number: Int) -> [UInt8] {
      (0..<((number * 37) % 900)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    private func write(_ payload: [UInt8], _ writer: inout RingWriter) throws -> Bool {
      try payload.withUnsafeBytes { try writer.write($0) }
    }

    @Test("frames of many lengths are read as they were written while the ring wraps many times")
    func aroundTheRing() throws {
      let ring = try SharedRing(capacity: 4096)
      var writer = ring.writer()
      var reader = try ring.reader()
      var received: [UInt8] = []
      var (sent, read) = (0, 0)
      while read < 3000 {
        while sent < 3000, try write(payload(sent), &writer) { sent += 1 }
        var takes = 1 + read % 5
        while takes > 0, try reader.read(into: &received) {
          #expect(received == payload(read))
          read += 1
          takes -= 1
        }
      }
      #expect(sent == 3000)
      #expect(try !reader.read(into: &received))
    }

    @Test(
      "an empty ring accepts a frame of maximum length; the next frame fits only after that frame is read"
    )
    func longest() throws {
      let ring = try SharedRing(capacity: 4096)
      var writer = ring.writer()
      var reader = try ring.reader()
      var received: [UInt8] = []
      let long = [UInt8](repeating: 7, count: writer.longest)
      #expect(try write(long, &writer))
      #expect(try !write([1], &writer))
      #expect(try reader.read(into: &received))
      #expect(received == long)
      #expect(try write([1], &writer))
    }

    @Test(
      "a ring that is mapped from its descriptors has the same contents, and a wrong capacity is rejected")
    func adopting() throws {
      let ring = try SharedRing(capacity: 8192)
      let other = try Self.adopt(
        ring, capacity: 8192
      )
      var writer = ring.writer()
      var reader = try other.reader()
      var received: [UInt8] = []
      #expect(try write([1, 2, 3], &writer))
      #expect(try reader.read(into: &received))
      #expect(received == [1, 2, 3])
      let half = try Self.adopt(
        ring, capacity: 4096
      )
      #expect(throws: RingFault.notARing) { _ = try half.reader() }
      #expect(throws: Problem.self) {
        _ = try Self.adopt(ring, capacity: 1 << 20)
      }
    }

    @Test("a reader about to sleep detects data that has arrived, and is woken by later data")
    func sleeping() throws {
      let ring = try SharedRing(capacity: 4096)
      var writer = ring.writer()
      var reader = try ring.reader()
      var received: [UInt8] = []
      #expect(try write([1], &writer))
      #expect(!Self.isReadable(reader.event), "the reader does not sleep, so it is not woken")
      #expect(try !reader.prepareToSleep())
      #expect(try reader.read(into: &received))
      #expect(try reader.prepareToSleep())
      #expect(!Self.isReadable(reader.event))
      #expect(try write([2], &writer))
      #expect(Self.isReadable(reader.event))
      #expect(try !reader.prepareToSleep())
      #expect(!Self.isReadable(reader.event), "a wake-up is consumed once")
    }

    @Test(
      "a waiting writer is woken when half of the ring is free, and does not sleep while there is space"
    )
    func heldWriter() throws {
      let ring = try SharedRing(capacity: 4096)
      var writer = ring.writer()
      var reader = try ring.reader()
      var received: [UInt8] = []
      let frame = [UInt8](repeating: 1, count: 1020)
      for _ in 0..<4 { #expect(try write(frame, &writer)) }
      #expect(try !write(frame, &writer))
      #expect(try writer.prepareToSleep(before: frame.count))
      #expect(try reader.read(into: &received))
      #expect(!Self.isReadable(writer.room))
      #expect(try reader.read(into: &received))
      #expect(Self.isReadable(writer.room))
      #expect(try !writer.prepareToSleep(before: frame.count))
      #expect(!Self.isReadable(writer.room))
      #expect(try write(frame, &writer))
    }

    @Test("a writer's position that decreases, exceeds the ring or splits a frame is a fault")
    func movedPositions() throws {
      let cases: [(UInt64, RingFault)] = [
        (8, .movedBackwards(from: 16, to: 8)), (16 + 4096 + 1, .overran(by: 1)),
        (.max, .overran(by: .max - 16 - 4096)), (20, .frameTooLong(0)),
      ]
      for (position, fault) in cases {
        let ring = try SharedRing(capacity: 4096)
        var writer = ring.writer()
        var reader = try ring.reader()
        var received: [UInt8] = []
        for byte in [1, 2] as [UInt8] { #expect(try write([byte], &writer)) }
        #expect(try reader.read(into: &received))
        #expect(try reader.read(into: &received))
        ring.memory.written.pointee.store(position, ordering: .releasing)
        #expect(throws: fault) { _ = try reader.read(into: &received) }
      }
    }

    @Test(
      "a frame length beyond the written bytes is a fault", arguments: [5, 4093, 1 << 31, UInt32.max])
    func longFrames(length: UInt32) throws {
      let ring = try SharedRing(capacity: 4096)
      var writer = ring.writer()
      var reader = try ring.reader()
      var received: [UInt8] = []
      #expect(try write([1, 2, 3], &writer))
      ring.memory.store(length, at: RingSpan(at: 0, count: 4, capacity: 4096))
      #expect(throws: RingFault.frameTooLong(length)) { _ = try reader.read(into: &received) }
    }

    @Test("for random contents of a ring, the reader returns frames that fit the ring, or throws a fault")
    func noise() throws {
      for seed in 1...200 as ClosedRange<UInt64> {
        var state = seed
        func next() -> UInt64 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return state >> 20
        }
        let ring = try SharedRing(capacity: 4096)
        var reader = try ring.reader()
        for place in stride(from: 0, to: 4096, by: 4) {
          // Most lengths are short, so that the reader reads several frames.
          let word = next() % 8 == 0 ? UInt32(truncatingIfNeeded: next()) : UInt32(next() % 60)
          ring.memory.store(word, at: RingSpan(at: UInt64(place), count: 4, capacity: 4096))
        }
        var received: [UInt8] = []
        var told: UInt64 = 0
        reading: for _ in 0..<400 {
          told += next() % 64 == 0 ? next() : next() % 300
          ring.memory.written.pointee.store(told, ordering: .releasing)
          do throws(RingFault) {
            while try reader.read(into: &received) { #expect(received.count <= 4096) }
          } catch { break reading }
        }
      }
    }
  }
#endif
