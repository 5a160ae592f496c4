import StintGovernor
import StintModel
import StintUnits

/// Runs the real governor for an hour with the inputs of an adversary. The devices follow their settings and
/// manifests.
struct WakeupTrial {
  private var governor: Governor
  /// The number of wake-ups of each device.
  private(set) var wakeups: [Int]
  private var isOn: [Bool]
  private var radios: [Int: Radio] = [:]
  private var nextTransfer: Int64 = 1000
  /// The time between two changes of client demands; nil when clients keep their demands.
  private var clientPeriod: TimeSpan?
  private var ended: Set<Int64> = []

  /// The timing of a radio, and its current transfers.
  private struct Radio {
    var promotion: TimeSpan
    var tail: TimeSpan
    var carrying: [DemandID] = []
    var carried = Instant.distantFuture
    var idle = Instant.distantFuture
  }

  /// Runs for an hour and returns the wake-ups of each device. After `changes` changes, facts are constant.
  static func wakeups(
    _ adversary: Adversary, _ program: Program, _ vocabulary: Vocabulary, changes: Int = 4000
  ) throws -> [Int] {
    try run(adversary, program, vocabulary, changes: changes, clientPeriod: nil).wakeups
  }

  /// Runs for an hour in which a client ends or begins a demand once per period.
  ///
  /// - Returns: the wake-ups of each device, and the number of broken assumptions that the governor counted.
  static func wakeups(
    _ adversary: Adversary, _ program: Program, _ vocabulary: Vocabulary, clientPeriod: TimeSpan
  ) throws -> (wakeups: [Int], broken: Int) {
    let trial = try run(adversary, program, vocabulary, changes: 200, clientPeriod: clientPeriod)
    let broken = vocabulary.manifests.compactMap { trial.governor.status(of: $0.device)?.brokenAssumptions }
    return (trial.wakeups, broken.reduce(0, +))
  }

  private static func run(
    _ adversary: Adversary, _ program: Program, _ vocabulary: Vocabulary, changes: Int,
    clientPeriod: TimeSpan?
  ) throws -> WakeupTrial {
    // The epoch was a Thursday.
    let monday = Instant(nanoseconds: (4 + 7 * 2800) * 86_400_000_000_000)
    let start = monday + adversary.start
    var trial = try WakeupTrial(program, vocabulary, at: start)
    trial.clientPeriod = clientPeriod
    trial.run(adversary, from: start, to: start + .hours(1), changes: changes)
    return trial
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
      raise(demanded, Int64(number + 1), at: start)
    }
    var place = 0
    var change = start + (adversary.changes.first?.gap ?? .zero)
    var traffic = adversary.traffic == nil ? Instant.distantFuture : start
    var remaining = changes
    var client = clientPeriod.map { start + $0 } ?? .distantFuture
    while min(change, traffic, client, nextTimer) <= end {
      let now = max(min(change, traffic, client, nextTimer), governor.now)
      if client <= now, let clientPeriod {
        changeClient(adversary, at: now)
        client = now + clientPeriod
      } else if nextTimer <= now {
        wake(at: now)
      } else if change <= now {
        perform(governor.step(.fact(adversary.changes[place].fact, adversary.changes[place].value), at: now))
        place = (place + 1) % adversary.changes.count
        remaining -= 1
        change = remaining > 0 ? now + adversary.changes[place].gap : .distantFuture
      } else {
        send(at: now)
        traffic = now + max(adversary.traffic ?? .hours(2), .seconds(5))
      }
    }
  }

  private mutating func raise(_ demanded: Adversary.Demanded, _ id: Int64, at now: Instant) {
    let wants = DemandSettings(accuracy: demanded.accuracy, background: true)
    let target = governor.vocabulary.manifests[demanded.device].device
    let demand = Demand(id: DemandID(id), client: "adversary", target: target, wants: wants)
    perform(governor.step(.raise(demand), at: now))
  }

  /// Ends the next demand or, if the demand has ended, begins it again.
  private mutating func changeClient(_ adversary: Adversary, at now: Instant) {
    guard !adversary.demands.isEmpty else { return }
    let number = Int(nextTransfer) % adversary.demands.count
    nextTransfer += 1
    let id = Int64(number + 1)
    if ended.remove(id) != nil {
      raise(adversary.demands[number], id, at: now)
    } else {
      ended.insert(id)
      perform(governor.step(.release(DemandID(id)), at: now))
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
