import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits

/// Converts the reports of devices to inputs of the governor.
extension Host {
  /// Converts the reports of devices up to an instant to inputs of the governor.
  func gather(upTo instant: Instant) -> [Input] {
    var inputs: [Input] = []
    bay.drain(upTo: instant) { report in if let input = input(from: report) { inputs.append(input) } }
    return inputs
  }

  private func input(from report: DeviceBay.Report) -> Input? {
    switch report.content {
    case .delivered(let samples, let reason, let isValid):
      if isValid { silence.noteDelivery(of: report.device, at: report.instant) }
      return .delivered(device: report.device, samples: isValid ? samples : 0, reason: reason)
    case .event(let event):
      silence.note(event, of: report.device)
      return input(from: event, of: report.device)
    }
  }

  /// Returns whether the input source sets the fact of this family with this key.
  private func isMuted(_ family: Int, _ key: String) -> Bool {
    guard !muted.isEmpty else { return false }
    let vocabulary = governor.vocabulary
    return vocabulary.fact(vocabulary.families[family].path(ofKey: key)).map { muted.contains($0) } ?? false
  }

  private func input(from event: PortEvent, of device: Int) -> Input? {
    switch event {
    case .outcome(let outcome, let instant):
      observer?.reported(outcome, of: plugins.members[device].manifest, at: instant)
      return .outcome(device: device, outcome)
    case .fact(let fact, let value, _):
      let number = factNumbers[device][fact]
      return muted.contains(number) ? nil : .fact(number, value)
    case .keyed(let fact, let key, let value, _):
      let number = familyNumbers[device][fact]
      return isMuted(number, key) ? nil : .keyed(family: number, key: key, value)
    // The device bay reports batches as `delivered`, and passes rejected batches to `route`.
    case .batch, .rejectedBatch: return nil
    case .carried(let demand, _): return .carried(demand)
    case .transferred(let attempt, _):
      if let input = carriers.input(for: attempt, from: device) { desk.add(input) }
      return nil
    case .available(let isThere, _):
      if !isThere { desk.add(carriers.lose(device)) }
      return .available(device: device, isThere)
    }
  }
}
