import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits

extension BoundaryStage {
  /// Drives a `ChildConversation`, the host's side of the plugin protocol, and checks every message that
  /// it accepts.
  struct HostSession {
    private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
    private var session = ChildConversation(BoundaryStage.manifest, firstSample: 0, at: Self.start)
    private var now = Self.start
    private var sequence: UInt64 = 0
    private var isOver = false
    private var latest = Instant(nanoseconds: .min)
    private var latestSample: Sample?
    private var finding: FuzzFinding?

    init() { _ = session.hello(steady: 0) }

    func check() throws(FuzzFinding) { if let finding { throw finding } }

    /// Sends the first frames of a valid plugin.
    mutating func sendHandshake() {
      send(PluginFrame.welcome(major: FrameLayout.major, minor: FrameLayout.minor).frame(0).bytes)
      send(PluginFrame.manifest(FrameManifest(of: BoundaryStage.manifest)).frame(1).bytes)
      _ = session.offerRing(1 << 18, at: now)
      _ = session.open([], at: now)
      send(PluginFrame.mapped(at: now).frame(2).bytes)
      send(PluginFrame.opened(at: now).frame(3).bytes)
      sequence = 4
      if isOver { finding = FuzzFinding("a valid handshake is rejected") }
    }

    /// Advances the time by up to 555 ms and performs the host action that `byte` selects. The host applies a
    /// setting, drains, closes, or does nothing.
    mutating func performHostAction(_ byte: UInt8) {
      guard !isOver else { return }
      now = now + TimeSpan.milliseconds(Int64(byte & 0x0F) * 37)
      switch byte >> 4 & 3 {
      case 1: _ = session.apply(Setting(isOn: true, period: .seconds(1)), at: now)
      case 2: _ = session.apply(.off, at: now)
      case 3: _ = session.drain(.flushed, at: now)
      default: break
      }
      if byte & 0x80 != 0, byte & 0x0F == 0x0F { _ = session.close(at: now) }
    }

    /// Sends a frame with a valid header; when `hasCurrentTime` is true, its body begins with the current
    /// time.
    mutating func send(_ kind: UInt8, _ body: [UInt8], hasCurrentTime: Bool) {
      var body = body
      if hasCurrentTime {
        for (place, shift) in (0..<min(8, body.count)).enumerated() {
          body[place] = UInt8(truncatingIfNeeded: now.nanoseconds >> (shift * 8))
        }
      }
      // A batch (kind 15) is sent through the ring buffer, and other frames are sent through the channel. The
      // highest bit of `kind` inverts this choice. The value 0x7F selects `FrameLayout.firstDraft`, the first
      // kind number for drafts.
      let number = kind == 0x7F ? FrameLayout.firstDraft : UInt16(kind & 0x7F)
      let bytes = Frame(kind: number, sequence: sequence, body: body).bytes
      send(bytes, isThroughRing: (number == 15) != (kind & 0x80 != 0))
      sequence += 1
    }

    mutating func send(_ bytes: [UInt8], isThroughRing: Bool = false) {
      guard !isOver else { return }
      if isThroughRing, session.wantsFromRing {
        session.receive(ring: bytes)
      } else {
        session.receive(bytes[...])
      }
      do {
        defer { if !isOver { checkForMissingFrame() } }
        while let message = try session.next(at: now) { check(message) }
      } catch {
        isOver = true
        if error.sentence.isEmpty { finding = FuzzFinding("a fault has no message: \(error.code)") }
      }
    }

    /// Checks for a gap in the sequence numbers after all received bytes are processed. A gap ends
    /// the conversation.
    private mutating func checkForMissingFrame() {
      do { try session.missing() } catch { isOver = true }
    }

    private mutating func check(_ message: PluginMessage) {
      switch message {
      case .described, .opened, .answered, .closed, .dropped, .ignored: break
      case .read(let facts):
        expect(facts.allSatisfy { $0.instant <= now }, "a fact of a reading in the future")
      case .wakeAt(let earliest, let latest):
        expect(earliest <= latest, "a wake-up that ends before it begins")
      case .outcome(let outcome, let instant):
        checkOrder(of: instant)
        switch outcome {
        case .state(let state, _):
          expect(BoundaryStage.manifest.states.indices.contains(state), "an undefined state")
        case .event(let event, _):
          expect(BoundaryStage.manifest.events.indices.contains(event), "an undefined event")
        case .fault(let text): expect(text.utf8.count <= 2_000, "a fault text of more than 2000 bytes")
        }
      case .fact(let fact, let value, let instant):
        checkOrder(of: instant)
        let facts = BoundaryStage.manifest.facts
        expect(
          facts.indices.contains(fact) && facts[fact].rejectionReason(for: value) == nil,
          "fact \(fact) with the value \(value)")
      case .available(_, let instant): checkOrder(of: instant)
      case .keyed: expect(false, "a fact of a family that the manifest does not declare")
      case .carried, .abandoned, .transferred: expect(false, "an answer to a transfer of a sensor")
      case .batch(let batch, let instant):
        checkOrder(of: instant)
        expect(!batch.samples.isEmpty, "an empty batch")
        for sample in batch.samples {
          expect(sample.first.isFinite && sample.second == 0, "a wrong value in \(sample)")
          if let last = latestSample {
            expect(
              sample.sequence > last.sequence && sample.instant >= last.instant, "\(sample) after \(last)")
          }
          latestSample = sample
        }
      }
    }

    private mutating func checkOrder(of instant: Instant) {
      expect(instant <= now && instant >= latest, "an instant out of order: \(instant.nanoseconds)")
      latest = instant
    }

    private mutating func expect(_ isValid: Bool, _ accepted: @autoclosure () -> String) {
      if !isValid, finding == nil { finding = FuzzFinding("accepted: \(accepted())") }
    }
  }
}
