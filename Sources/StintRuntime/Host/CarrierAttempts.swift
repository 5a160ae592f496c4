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

  /// An order for a carrier.
  private struct Delivery {
    /// The index of the carrier. Nil when any carrier may get the order; such an order only removes files.
    let carrier: Int?
    let order: TransferOrder
    /// The key of the task that fetched the file of a `discard` order; nil when it is not known.
    var key: String?
    /// True when the order was delivered to a process that has ended.
    var isRepeated = false
  }

  /// The indexes of the devices that are carriers, sorted by the names of the devices.
  private let carriers: [Int]
  /// The names of the devices that are carriers, by index.
  private let names: [Int: DeviceID]
  /// The attempts in progress, by the key of their tasks.
  private var attempts: [String: Attempt] = [:]
  /// The carrier and the key of the task of each fetched file that was not discarded yet, by file.
  private var files: [String: (carrier: Int, key: String)] = [:]
  /// The orders that were not delivered yet.
  private var waiting: [Delivery] = []
  /// The orders to remove files that no available carrier could get, oldest first.
  private var removals: [Delivery] = []
  /// The carriers that were available at the last attempt to deliver `removals`. Nil when orders were added
  /// after this attempt.
  private var testedCarriers: [Int]?

  /// The last delivered `discard` orders, oldest first. A process that has just ended may not have read these
  /// orders, so they are delivered once more, to the next process.
  private var discards: [Delivery] = []

  /// The maximum number of delivered `discard` orders that are remembered; the oldest is then forgotten.
  static let maxDiscards = 256
  /// The maximum number of waiting orders to remove files; the oldest is then dropped, and its file stays.
  static let maxRemovals = 4096

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
    var key: String?
    if case .discard(let file) = order { key = files[file]?.key }
    if let carrier = carrier(for: order, of: service, isAvailable: isAvailable) {
      waiting.append(Delivery(carrier: carrier, order: order, key: key))
      return nil
    }
    if Self.removesFiles(order) { keep(Delivery(carrier: nil, order: order, key: key)) }
    guard case .start(let exchange, _) = order else { return nil }
    return .command(
      service, TransferCommand.report(exchange.task, attempt: exchange.attempt, .failed(.connection)))
  }

  /// Removes and returns the queued orders, oldest first.
  ///
  /// An order to remove files waits while its carrier is not available. Without this wait, the files of a
  /// carrier whose process is just starting again would stay on the disk. All other orders have no effect on
  /// such a carrier, because its attempts have failed.
  mutating func drain(isAvailable: (DeviceID) -> Bool) -> [(carrier: Int, order: TransferOrder)] {
    var ready: [(carrier: Int, order: TransferOrder)] = []
    for delivery in takeRemovals(isAvailable) + waiting {
      let place = delivery.carrier ?? firstAvailable(isAvailable)
      guard let place, !Self.removesFiles(delivery.order) || names[place].map(isAvailable) ?? false else {
        keep(delivery)
        continue
      }
      ready.append((place, delivery.order))
      note(delivery, at: place)
    }
    waiting = []
    if !removals.isEmpty, testedCarriers == nil { testedCarriers = carriers(isAvailable) }
    return ready
  }

  /// Removes and returns all of `removals` when a delivery may succeed now. Otherwise returns no orders.
  private mutating func takeRemovals(_ isAvailable: (DeviceID) -> Bool) -> [Delivery] {
    guard !removals.isEmpty, testedCarriers != carriers(isAvailable) else { return [] }
    defer { removals = [] }
    return removals
  }

  private func carriers(_ isAvailable: (DeviceID) -> Bool) -> [Int] {
    carriers.filter { names[$0].map(isAvailable) ?? false }
  }

  /// Remembers the delivered `discard` orders that must be repeated after the end of the process.
  private mutating func note(_ delivery: Delivery, at carrier: Int) {
    switch delivery.order {
    case .discard where !delivery.isRepeated:
      if discards.count == Self.maxDiscards { discards.removeFirst() }
      discards.append(Delivery(carrier: carrier, order: delivery.order, key: delivery.key))
    case .start(let exchange, _):
      // The file of the new attempt may get the name of a discarded file.
      discards.removeAll { $0.carrier == carrier && $0.key == exchange.key }
    case .discard, .open, .complete, .close: break
    }
  }

  private static func removesFiles(_ order: TransferOrder) -> Bool {
    switch order {
    case .discard, .close(_, keepsPart: false): true
    case .open, .start, .complete, .close: false
    }
  }

  private mutating func keep(_ delivery: Delivery) {
    if removals.count == Self.maxRemovals { removals.removeFirst() }
    removals.append(delivery)
    testedCarriers = nil
  }

  /// Returns the index of the carrier that must get an order of a session. Nil when no carrier needs the
  /// order, or when no carrier is available.
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
    case .discard(let file): return files.removeValue(forKey: file)?.carrier ?? firstAvailable(isAvailable)
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
      if let file {
        files[file] = (carrier, report.key)
        // A new file may have the name of a discarded file.
        discards.removeAll { $0.order == .discard(file) }
      }
    case .failed: attempts[report.key] = nil
    case .progress, .reply: break
    }
    return Self.command(report.report, attempt)
  }

  /// Removes all attempts of a carrier that became unavailable. Returns the inputs that report the failures
  /// of the attempts, sorted by the keys of the tasks.
  mutating func lose(_ carrier: Int) -> [ServiceInput] {
    let lost = attempts.filter { $0.value.carrier == carrier }.sorted { $0.key < $1.key }
    for (key, _) in lost { attempts[key] = nil }
    for entry in discards where entry.carrier == carrier {
      keep(Delivery(carrier: carrier, order: entry.order, key: entry.key, isRepeated: true))
    }
    discards.removeAll { $0.carrier == carrier }
    return lost.map { Self.command(.failed(.connection), $0.value) }
  }

  private static func command(_ report: TransferReport, _ attempt: Attempt) -> ServiceInput {
    .command(attempt.service, TransferCommand.report(attempt.task, attempt: attempt.number, report))
  }
}
