import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

/// Tests `FrameMerge`, which merges the frames of the channel (a socket) and of the ring (shared memory).
@Suite struct FrameMergeTests {
  private static let now = Instant.epoch + .seconds(100)

  /// Tests every distribution of six frames over channel and ring. For each distribution, it tests every
  /// choice of the frames after which the host reads.
  @Test("six frames are merged in the order of their numbers for every distribution over channel and ring")
  func everyWay() throws {
    for ringMask in 0..<64 {
      for readMask in 0..<64 {
        var merge = FrameMerge()
        merge.openRing()
        var ring: [[UInt8]] = []
        var received: [UInt64] = []
        for number in 0..<6 as Range<UInt64> {
          let bytes = PluginFrame.closed(at: Self.now).frame(number).bytes
          if ringMask >> number & 1 == 1 { ring.append(bytes) } else { merge.receive(bytes[...]) }
          guard readMask >> number & 1 == 1 else { continue }
          while true {
            if merge.wantsFromRing, !ring.isEmpty { merge.receive(ring: ring.removeFirst()) }
            guard let (frame, isFromRing) = try merge.next() else { break }
            #expect(isFromRing == (ringMask >> frame.sequence & 1 == 1))
            received.append(frame.sequence)
          }
          try merge.missing()
        }
        while true {
          if merge.wantsFromRing, !ring.isEmpty { merge.receive(ring: ring.removeFirst()) }
          guard let (frame, _) = try merge.next() else { break }
          received.append(frame.sequence)
        }
        try merge.missing()
        if received != [0, 1, 2, 3, 4, 5] { Issue.record("\(ringMask) \(readMask): \(received)") }
      }
    }
  }

  @Test("wrong input: a gap in channel or ring, and a duplicate or malformed frame in the ring, are faults")
  func wrong() throws {
    let frame = PluginFrame.closed(at: Self.now)
    var early = FrameMerge()
    early.openRing()
    early.receive(ring: frame.frame(1).bytes)
    #expect(try early.next() == nil)
    #expect(early.needsChannel)
    #expect(throws: FrameFault.self) { try early.missing() }

    var ahead = FrameMerge()
    ahead.openRing()
    ahead.receive(frame.frame(1).bytes[...])
    #expect(try ahead.next() == nil)
    #expect(throws: FrameFault.self) { try ahead.missing() }

    for bytes in [[], [1, 2, 3], frame.frame(0).bytes + [0], Array(frame.frame(0).bytes.dropLast())] {
      var broken = FrameMerge()
      broken.openRing()
      broken.receive(ring: bytes)
      #expect(throws: FrameFault.self) { _ = try broken.next() }
    }

    var again = FrameMerge()
    again.openRing()
    again.receive(ring: frame.frame(0).bytes)
    #expect(try again.next() != nil)
    again.receive(ring: frame.frame(0).bytes)
    #expect(throws: FrameFault.self) { _ = try again.next() }
    var strict = FrameMerge()
    strict.receive(frame.frame(1).bytes[...])
    #expect(throws: FrameFault.self, "without a ring a gap is a fault") { _ = try strict.next() }
  }
}
