import StintGovernor
import StintModel
import StintUnits

/// The real governor under an adversary for an hour, with devices that follow their settings and their
/// manifests.
struct WakeupTrial {
  private var governor: Governor
  /// The number of wake-ups of each device.
  private(set) var wakeups: [Int]
  private var isOn: [Bool]
  private var radios: [Int: Radio] = [:]
  private var nextTransfer: Int64 = 1000

  /// The timing of a radio, and its current transfers.
  private struct Radio {
    var promotion: TimeSpan
    var tail: TimeSpan
    var carrying: [DemandID] = []
    var carried = Instant.distantFuture
    var idle = Instant.distantFuture
  }

  /// Runs for an hour and returns the counts. After `changes` changes, the facts no longer change.
  static func wakeups(
    _ adversary: Adversary, _ program: Program, _ vocabulary: Vocabulary, changes: Int = 4000
  ) throws -> [Int] {
    // The epoch was a Thursday.
    let monday = Instant(nanoseconds: (4 + 7 * 2800) * 86_400_000_000_000)
    let start = monday + adversary.start
    var trial = try WakeupTrial(program, vocabulary, at: start)
    trial.run(adversary, from: start, to: start + .hours(1), changes: changes)
    return trial.wakeups
  }

  private init(_ program: Program, _ vocabulary: Vocabulary, at start: Instant) throws {
    governor = Governor(vocabulary: vocabulary, at: start)
    isOn = vocabulary.manifests.map { _ in false }
    wakeups = vocabulary.manifests.map { _ in 0 }
    for (number, manifest) in vocabulary.manifests.enumerated() where manifest.kind == .radio {
      radios[number] = Radio(
        promotion: manifest.figures["promotion"]?.timeSpan ?? .zero,
        tail: manifest.figures["tail"]?.timeSpan ?? .zero)
    }
    perform(try governor.load(program, at: start).effects)
  }

  private mutating func run(_ adversary: Adversary, from start: Instant, to end: Instant, changes: Int) {
    for device in adversary.missing { perform(governor.step(.available(device: device, false), at: start)) }
    for (number, demanded) in adversary.demands.enumerated() {
      let wants = DemandSettings(accuracy: demanded.accuracy, background: true)
      let target = governor.vocabulary.manifests[demanded.device].device
      let demand = Demand(id: DemandID(Int64(number + 1)), client: "adversary", target: target, wants: wants)
      perform(governor.step(.raise(demand), at: start))
    }
    var place = 0
    var change = start + (adversary.changes.first?.gap ?? .zero)
    var traffic = adversary.traffic == nil ? Instant.distantFuture : start
    var left = changes
    while min(change, traffic, nextTimer) <= end {
      let now = max(min(change, traffic, nextTimer), governor.now)
      if nextTimer <= now {
        wake(at: now)
      } else if change <= now {
        perform(governor.step(.fact(adversary.changes[place].fact, adversary.changes[place].value), at: now))
        place = (place + 1) % adversary.changes.count
        left -= 1
        change = left > 0 ? now + adversary.changes[place].gap : .distantFuture
      } else {
        send(at: now)
        traffic = now + max(adversary.traffic ?? .hours(2), .seconds(5))
      }
    }
  }

  private var nextTimer: Instant {
    var next = governor.nextTimer
    for radio in radios.values { next = min(next, radio.carried, radio.idle) }
    return next
  }

  private mutating func wake(at now: Instant) {
    for number in radios.keys.sorted() {
      guard var radio = radios[number] else { continue }
      if radio.carried <= now {
        let done = radio.carrying
        radio.carrying = []
        radio.carried = .distantFuture
        radio.idle = now + radio.tail
        radios[number] = radio
        for id in done { perform(governor.step(.carried(id), at: now)) }
      } else if radio.idle <= now {
        radio.idle = .distantFuture
        radios[number] = radio
        report(number, isOn: false)
      }
    }
    if governor.nextTimer <= now { perform(governor.step(EmptyCollection(), at: now)) }
  }

  private mutating func send(at now: Instant) {
    for radio in radios.keys.sorted() {
      let wants = DemandSettings(transfer: Transfer(bytesUp: 100, bytesDown: 0, deadline: .zero))
      let target = governor.vocabulary.manifests[radio].device
      let demand = Demand(id: DemandID(nextTransfer), client: "adversary", target: target, wants: wants)
      nextTransfer += 1
      perform(governor.step(.raise(demand), at: now))
    }
  }

  private mutating func report(_ device: Int, isOn: Bool, period: TimeSpan? = nil) {
    if isOn && !self.isOn[device] { wakeups[device] += 1 }
    self.isOn[device] = isOn
    let states = governor.vocabulary.manifests[device].states
    guard let state = states.firstIndex(where: { $0.isOn == isOn }) else { return }
    perform(governor.step(.outcome(device: device, .state(state, period: period)), at: governor.now))
  }

  private mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .set(let device, let setting):
        guard radios[device] == nil else { continue }
        report(device, isOn: setting.isOn, period: setting.period)
      case .carry(let device, let ids, _):
        guard var radio = radios[device] else { continue }
        radio.carrying += ids
        radio.idle = .distantFuture
        if radio.carried == .distantFuture {
          radio.carried = governor.now + (isOn[device] ? .zero : radio.promotion) + .milliseconds(1)
        }
        radios[device] = radio
        report(device, isOn: true)
      default: continue
      }
    }
  }
}
