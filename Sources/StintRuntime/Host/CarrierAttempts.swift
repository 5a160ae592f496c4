import StintModel
import StintPluginHost
import StintServices

/// The carriers of a run, and the attempts of transfer tasks that they perform. A carrier is a plugin that
/// moves the bytes of transfers. This table chooses the carrier that gets an order, and finds the session
/// that gets a report.
struct CarrierAttempts: ~Copyable {
  private struct Attempt {
    let service: ServiceID
    let task: String
    let number: Int
    let carrier: Int
  }

  /// The indices of the devices that are carriers, sorted by the names of the devices.
  private let carriers: [Int]
  /// The names of the devices that are carriers, by index.
  private let names: [Int: DeviceID]
  /// The attempts in progress, by the key of their tasks.
  private var attempts: [String: Attempt] = [:]
  /// The carrier of each fetched file that was not discarded yet, by file.
  private var files: [String: Int] = [:]
  /// The orders that were not delivered yet, each with the index of its carrier.
  private var waiting: [(carrier: Int, order: TransferOrder)] = []

  init(_ members: [PluginMember]) {
    carriers = members.indices.filter { members[$0].carrier != nil }
    names = Dictionary(uniqueKeysWithValues: carriers.map { ($0, members[$0].device) })
  }

  /// True when no plugin is a carrier. The app that embeds the bus then carries out the orders.
  var isEmpty: Bool { carriers.isEmpty }

  /// The number of attempts in progress.
  var count: Int { attempts.count }

  /// Queues an order of a session for its carrier. When the order is `start` and no carrier is
  /// available, returns the input that reports the failure of the attempt to its session. Returns nil in
  /// all other cases.
  mutating func queue(
    _ order: TransferOrder, of service: ServiceID, isAvailable: (DeviceID) -> Bool
  ) -> ServiceInput? {
    if let carrier = carrier(for: order, of: service, isAvailable: isAvailable) {
      waiting.append((carrier, order))
      return nil
    }
    guard case .start(let exchange, _) = order else { return nil }
    return .command(
      service, TransferCommand.report(exchange.task, attempt: exchange.attempt, .failed(.connection)))
  }

  /// Removes and returns the queued orders, oldest first.
  mutating func drain() -> [(carrier: Int, order: TransferOrder)] {
    defer { waiting = [] }
    return waiting
  }

  /// Returns the index of the carrier that must get an order of a session. Nil when no carrier needs it or
  /// none is available.
  ///
  /// A `start` order goes to the radio of the transfer when this radio is a carrier, or else to the first
  /// available carrier. Later orders about the attempt or its fetched file go to the same carrier.
  private mutating func carrier(
    for order: TransferOrder, of service: ServiceID, isAvailable: (DeviceID) -> Bool
  ) -> Int? {
    switch order {
    case .open: return nil
    case .start(let exchange, let radio):
      let place = carriers.first { names[$0] == radio } ?? firstAvailable(isAvailable)
      attempts[exchange.key] = place.map {
        Attempt(service: service, task: exchange.task, number: exchange.attempt, carrier: $0)
      }
      return place
    case .complete(let exchange): return attempts[exchange.key]?.carrier
    case .close(let exchange, let keepsPart):
      let place = attempts.removeValue(forKey: exchange.key)?.carrier
      // A carrier may still have data of an attempt that began before a restart of the host.
      return place ?? (keepsPart ? nil : firstAvailable(isAvailable))
    case .discard(let file): return files.removeValue(forKey: file) ?? firstAvailable(isAvailable)
    }
  }

  private func firstAvailable(_ isAvailable: (DeviceID) -> Bool) -> Int? {
    carriers.first { names[$0].map(isAvailable) ?? false }
  }

  /// Returns the input that passes a carrier's report to the session of the attempt. Nil for a report about
  /// an attempt that has ended or belongs to another carrier.
  mutating func input(for report: AttemptReport, from carrier: Int) -> ServiceInput? {
    guard let attempt = attempts[report.key], attempt.carrier == carrier, attempt.number == report.attempt
    else { return nil }
    switch report.report {
    case .finished(let file):
      attempts[report.key] = nil
      if let file { files[file] = carrier }
    case .failed: attempts[report.key] = nil
    case .progress, .reply: break
    }
    return Self.command(report.report, attempt)
  }

  /// Removes all attempts of a carrier that became unavailable. Returns the inputs that report their
  /// failures, sorted by the keys of the tasks.
  mutating func lose(_ carrier: Int) -> [ServiceInput] {
    let lost = attempts.filter { $0.value.carrier == carrier }.sorted { $0.key < $1.key }
    for (key, _) in lost { attempts[key] = nil }
    return lost.map { Self.command(.failed(.connection), $0.value) }
  }

  private static func command(_ report: TransferReport, _ attempt: Attempt) -> ServiceInput {
    .command(attempt.service, TransferCommand.report(attempt.task, attempt: attempt.number, report))
  }
}
