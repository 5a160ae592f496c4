import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// Checks the invariants of devices, demands and the ledger during a run.
final class InvariantWatch: HostObserver {
  private struct State {
    var broken: [BrokenInvariant] = []
    /// The paused and stopped demands, each with the rules that pause or stop it.
    var heldBack: [DemandID: [RuleID]] = [:]
    /// The deadlines of waiting transfers.
    var deadlines: [DemandID: Instant] = [:]
    /// For each waiting transfer whose grant is served or deferred, the instant by which the transfer must
    /// have started.
    var due: [DemandID: Instant] = [:]
    var delivered = 0
  }

  /// The maximum number of stored findings. One finding is enough to repeat the run.
  static let most = 20

  private let start: Instant
  /// The maximum age of the facts of each device.
  private let oldest: [DeviceID: TimeSpan]
  private let state = Locked(State())

  init(start: Instant, manifests: [Manifest]) {
    self.start = start
    var oldest: [DeviceID: TimeSpan] = [:]
    for manifest in manifests { oldest[manifest.device] = manifest.facts.compactMap(\.maxAge).max() }
    self.oldest = oldest
  }

  var broken: [BrokenInvariant] { state.withLock { $0.broken } }

  /// The number of samples that reached clients.
  var delivered: Int { state.withLock { $0.delivered } }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    state.withLock { $0.delivered += batch.samples.count }
    var before: Sample?
    for sample in batch.samples {
      if let before, (before.instant, before.sequence) >= (sample.instant, sample.sequence) {
        note(.freshness, "\(batch.device) sample \(sample.sequence) is out of order", at: instant)
      }
      before = sample
    }
    guard let newest = before else { return }
    if newest.instant > instant {
      note(.freshness, "\(batch.device) sample \(newest.sequence) is from the future", at: instant)
    }
    if batch.reason == .immediate, let oldest = oldest[batch.device], instant - newest.instant > oldest {
      note(.freshness, "\(batch.device) sample is \(instant - newest.instant) old", at: instant)
    }
  }

  func raised(_ demand: Demand, at instant: Instant) {
    guard let deadline = demand.wants.transfer?.deadline else { return }
    state.withLock { $0.deadlines[demand.id] = instant + deadline }
  }

  func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant) {
    for demand in demands {
      let due = state.withLock { state in
        state.deadlines[demand.id] = nil
        return state.due.removeValue(forKey: demand.id)
      }
      guard let due, instant > due else { continue }
      note(.deadline, "\(demand.id) for \(demand.client) started \(instant - due) late", at: instant)
    }
  }

  func released(_ demand: Demand, at instant: Instant) {
    state.withLock { state in
      state.deadlines[demand.id] = nil
      state.due[demand.id] = nil
      state.heldBack[demand.id] = nil
    }
  }

  /// Updates the instant by which a transfer must have started. While the grant is neither served nor
  /// deferred, there is no such instant. When the grant becomes served or deferred after the deadline, the
  /// transfer must start at once.
  func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant) {
    let isHeldBack = grant.status == .paused || grant.status == .stopped
    state.withLock { $0.heldBack[demand.id] = isHeldBack ? grant.rules : nil }
    let isTaken = grant.status == .served || grant.status == .deferred
    state.withLock { state in
      guard let deadline = state.deadlines[demand.id] else { return }
      state.due[demand.id] = isTaken ? max(deadline, instant) : nil
    }
  }

  /// Handles a crash of the daemon, which ends every demand.
  func lose() {
    state.withLock { state in
      state.heldBack = [:]
      state.deadlines = [:]
      state.due = [:]
    }
  }

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    if governor.unexplained(at: instant) != .zero {
      note(.cause, "\(governor.unexplained(at: instant)) without a cause", at: instant)
    }
    if !governor.ledger(at: instant).isBalanced { note(.sums, "the ledger is not balanced", at: instant) }
    let heldBack = state.withLock { $0.heldBack }
    if !heldBack.isEmpty {
      let inForce = Set(governor.rulesInForce)
      for (demand, rules) in heldBack.sorted(by: { $0.key < $1.key }) where inForce.isDisjoint(with: rules) {
        note(.resumption, "\(demand) is paused or stopped, but none of its rules is in force", at: instant)
      }
    }
    let late = state.withLock { state in state.due.filter { $0.value < instant }.keys.sorted() }
    for id in late {
      state.withLock { $0.due[id] = nil }
      note(.deadline, "\(id) still waits after its deadline", at: instant)
    }
  }

  private func note(_ rule: BrokenInvariant.Rule, _ sentence: String, at instant: Instant) {
    state.withLock { state in
      guard state.broken.count < Self.most else { return }
      state.broken.append(BrokenInvariant(rule: rule, at: instant - start, sentence: sentence))
    }
  }
}
