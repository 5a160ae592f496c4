import StintFormats
import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintUnits

/// An observer that collects the figures of a run. It counts deliveries and transfers, measures the accuracy
/// of positions, and updates the energy meter. It records refusals, and the lines of the file that `--plan`
/// writes.
final class RunRecorder: HostObserver {
  private struct Stream {
    var samples = 0
    var batches = 0
    var worstGap = TimeSpan.zero
    var last: Instant?
  }

  private struct PendingTransfer {
    var raised: Instant
    var deadline: Instant?
  }

  private struct State {
    var streams: [DemandID: (client: ClientID, stream: Stream)] = [:]
    var referees: [DemandID: (device: DeviceID, bound: Double?, referee: AccuracyReferee)] = [:]
    var waiting: [DemandID: PendingTransfer] = [:]
    var transfers = TransferCount()
    var fixes = 0
    var plan: [String] = []
    var refusals: [(at: Instant, sentence: String)] = []
  }

  /// The world with the true positions; nil when the true positions are unknown.
  private let world: (any WorldSource)?
  private let start: Instant
  private let meter: EnergyMeter
  private let wantsPlan: Bool
  private let state: Locked<State>

  init(world: (any WorldSource)?, start: Instant, meter: EnergyMeter, wantsPlan: Bool) {
    self.world = world
    self.start = start
    self.meter = meter
    self.wantsPlan = wantsPlan
    state = Locked(State())
  }

  // MARK: Observation

  func raised(_ demand: Demand, at instant: Instant) {
    state.withLock { state in
      if let transfer = demand.wants.transfer {
        state.waiting[demand.id] = PendingTransfer(
          raised: instant, deadline: transfer.deadline.map { instant + $0 })
      } else {
        state.streams[demand.id] = (demand.client, Stream())
      }
      if var referee = makeReferee(for: demand) {
        referee.begin(at: instant)
        state.referees[demand.id] = (demand.target, demand.wants.accuracy, referee)
      }
    }
  }

  private func makeReferee(for demand: Demand) -> sending AccuracyReferee? {
    guard let world, demand.target.path.hasPrefix("location.") else { return nil }
    do throws(Problem) {
      return try AccuracyReferee(world: world, bound: demand.wants.accuracy)
    } catch {
      // The world was opened once before the run. If it is no longer readable, the accuracy is not measured.
      return nil
    }
  }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    let isPosition = batch.device.path.hasPrefix("location.")
    state.withLock { state in
      var (client, stream) = state.streams[demand.id] ?? (demand.client, Stream())
      stream.batches += 1
      stream.samples += batch.samples.count
      for sample in batch.samples {
        if let last = stream.last, sample.instant > last {
          stream.worstGap = max(stream.worstGap, sample.instant - last)
        }
        stream.last = max(stream.last ?? sample.instant, sample.instant)
      }
      state.streams[demand.id] = (client, stream)
      client = demand.client
      if isPosition {
        state.fixes += batch.samples.count
        state.referees[demand.id]?.referee.deliver(batch)
      }
      if wantsPlan { plan(batch, at: instant, into: &state.plan) }
    }
  }

  func released(_ demand: Demand, at instant: Instant) {
    state.withLock { $0.referees[demand.id]?.referee.stop(at: instant) }
  }

  func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant) {
    state.withLock { state in
      var up: Int64 = 0
      var down: Int64 = 0
      for demand in demands {
        guard let transfer = demand.wants.transfer else { continue }
        up += transfer.bytesUp
        down += transfer.bytesDown
        state.transfers.carried += 1
        guard let work = state.waiting.removeValue(forKey: demand.id) else { continue }
        state.transfers.longestWait = max(state.transfers.longestWait, instant - work.raised)
        if let deadline = work.deadline, instant > deadline { state.transfers.late += 1 }
      }
      state.transfers.bytesUp += up
      state.transfers.bytesDown += down
      guard wantsPlan else { return }
      let name = device.path.split(separator: ".").last.map(String.init) ?? device.path
      state.plan.append(
        JSONWriter.text(of: [
          "t_s": JSONValue((instant - start).seconds), "flush": JSONValue(name), "bytes_up": JSONValue(up),
          "bytes_down": JSONValue(down),
        ]))
    }
  }

  func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {
    guard wantsPlan, case .state(let index, _) = outcome, manifest.states.indices.contains(index) else {
      return
    }
    let line = JSONWriter.text(of: [
      "t_s": JSONValue((instant - start).seconds), "device": JSONValue(manifest.device.path),
      "state": JSONValue(manifest.states[index].name),
    ])
    state.withLock { $0.plan.append(line) }
  }

  func refused(_ sentence: String, at instant: Instant) {
    state.withLock { state in
      if state.refusals.count < 100 { state.refusals.append((instant, sentence)) }
    }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    if let sentence = effect.refusal { refused(sentence, at: instant) }
  }

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    meter.total = governor.spent(at: instant)
  }

  private func plan(_ batch: Batch, at instant: Instant, into lines: inout [String]) {
    let words = batch.device.path.split(separator: ".")
    let name = words.last.map(String.init) ?? batch.device.path
    if words.first == "location" {
      for sample in batch.samples {
        lines.append(
          JSONWriter.text(of: [
            "t_s": JSONValue((sample.instant - start).seconds), "fix": JSONValue(name),
            "handed_s": JSONValue((instant - start).seconds),
          ]))
      }
    } else {
      lines.append(
        JSONWriter.text(of: [
          "t_s": JSONValue((instant - start).seconds), "read": JSONValue(name),
          "samples": JSONValue(batch.samples.count),
        ]))
    }
  }

  // MARK: Results

  var planLines: [String] { state.withLock { $0.plan } }
  /// Returns the refusals with their times since the start of the run.
  func refusals(from start: Instant) -> [String] {
    state.withLock { $0.refusals.map { "\($0.at - start): \($0.sentence)" } }
  }

  /// The number of positions that clients received.
  var fixes: Int { state.withLock { $0.fixes } }

  var deliveries: [ClientID: DeliveryCount] {
    state.withLock { state in
      var counts: [ClientID: DeliveryCount] = [:]
      for (client, stream) in state.streams.values {
        counts[client, default: DeliveryCount()].samples += stream.samples
        counts[client, default: DeliveryCount()].batches += stream.batches
        let worst = counts[client, default: DeliveryCount()].worstGap
        counts[client, default: DeliveryCount()].worstGap = max(worst, stream.worstGap)
      }
      return counts
    }
  }

  /// Returns the accuracy of positions by device. Of several demands on a device, only the demand with the
  /// finest requested accuracy counts.
  func accuracy(at end: Instant) -> [DeviceID: AccuracyRecord] {
    state.withLock { state in
      var finest: [DeviceID: (bound: Double, id: DemandID)] = [:]
      for (id, entry) in state.referees.sorted(by: { $0.key < $1.key }) {
        let bound = entry.bound ?? .infinity
        if bound < finest[entry.device]?.bound ?? .greatestFiniteMagnitude || finest[entry.device] == nil {
          finest[entry.device] = (bound, id)
        }
      }
      var records: [DeviceID: AccuracyRecord] = [:]
      for (device, choice) in finest {
        state.referees[choice.id]?.referee.stop(at: end)
        guard let score = state.referees[choice.id]?.referee.score else { continue }
        records[device] = AccuracyRecord(
          medianError: score.median, error95: score.percentile95, withinBound: score.withinBound)
      }
      return records
    }
  }

  /// Returns the transfer counts. Transfers that still wait past their deadline at the end count as late.
  func transfers(at end: Instant) -> TransferCount {
    state.withLock { state in
      var count = state.transfers
      count.missed = state.waiting.values.count { $0.deadline.map { $0 < end } ?? false }
      count.late += count.missed
      return count
    }
  }
}
