import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits

/// The devices of a host: their alarms, and their reports that the governor has not received yet.
///
/// Reports are sorted by instant. A filter, such as simulated faults, may change the reports before the host
/// gets them.
struct DeviceBay: ~Copyable {
  struct Report {
    /// The content of a report. A batch was routed before, so only its size and reason are kept. A delivery
    /// is invalid when all its samples were dropped.
    enum Content {
      case delivered(samples: Int, DeliveryReason, isValid: Bool)
      case event(PortEvent)
    }

    var instant: Instant
    var device: Int
    var content: Content
  }

  /// The maximum number of reports that wait for their instants. Above this number, the reports furthest in
  /// the future are dropped and counted.
  static let maxReports = 131_072

  private let names: [DeviceID]
  private let ports: [DevicePort]
  /// By device index: the next instant at which the device must be woken; the distant future without
  /// an alarm.
  private var alarms: [Instant]
  private var reports: [Report] = []
  private var filter: (any PortFilter)?
  /// The instant of the filter's next event; the distant future when no event is planned.
  private(set) var filterTimer: Instant
  /// By device index: the number of dropped values and samples that was reported last.
  private var reportedReadings: [Int]
  /// A reused buffer for the events of one port.
  private var events: [PortEvent] = []
  private(set) var droppedReports = 0

  init(_ members: [PluginMember], filter: (any PortFilter)?) {
    names = members.map(\.device)
    ports = members.map(\.port)
    alarms = Array(repeating: .distantFuture, count: members.count)
    reportedReadings = Array(repeating: 0, count: members.count)
    self.filter = filter
    filterTimer = filter?.nextInstant ?? .distantFuture
  }

  /// The indexes of all devices.
  var indices: Range<Int> { ports.indices }

  // MARK: Alarms

  /// The earliest alarm of a device; the distant future when no alarm is set.
  var nextAlarm: Instant {
    var next = Instant.distantFuture
    for alarm in alarms where alarm < next { next = alarm }
    return next
  }

  /// Returns the indexes of devices whose alarm is at or before an instant, and clears these alarms.
  mutating func clearAlarms(upTo instant: Instant) -> [Int] {
    let due = alarms.indices.filter { alarms[$0] <= instant }
    for device in due { ports[device].clearAlarm() }
    return due
  }

  /// Returns the earliest alarm of all devices except `device`; the distant future when no such alarm is set.
  func nextAlarm(beside device: Int) -> Instant {
    var next = Instant.distantFuture
    for other in alarms.indices where other != device { next = min(next, alarms[other]) }
    return next
  }

  // MARK: Reports

  /// Collects the new reports of a device. Batches are routed at once.
  ///
  /// - Returns: sentences about dropped values, samples and reports; empty when there is nothing to report.
  mutating func collect(_ device: Int, route: (Batch?, Instant) -> Bool) -> [String] {
    alarms[device] = ports[device].drainEvents(into: &events) ?? .distantFuture
    var sentences = droppedReadingsSentence(device).map { [$0] } ?? []
    if filter != nil, !events.isEmpty {
      events = filter?.pass(events, of: device) ?? []
      filterTimer = filter?.nextInstant ?? .distantFuture
    }
    if let sentence = queueEvents(of: device, route) { sentences.append(sentence) }
    return sentences
  }

  /// Collects the reports that the filter itself produces: delayed reports and availability changes. Returns
  /// sentences about dropped reports.
  mutating func collectFiltered(at instant: Instant, route: (Int, Batch?, Instant) -> Bool) -> [String] {
    var sentences: [String] = []
    for device in ports.indices {
      events = filter?.release(device, at: instant) ?? []
      let sentence = queueEvents(of: device) { batch, instant in route(device, batch, instant) }
      if let sentence { sentences.append(sentence) }
    }
    filterTimer = filter?.nextInstant ?? .distantFuture
    return sentences
  }

  /// Returns whether the filter simulates low memory; nil when this has not changed.
  mutating func memoryIsLow(at instant: Instant) -> Bool? { filter?.memoryIsLow(at: instant) }

  /// Routes the batches of a device, and adds all its events to the reports. Returns a sentence about dropped
  /// reports; nil when none were dropped.
  private mutating func queueEvents(of device: Int, _ route: (Batch?, Instant) -> Bool) -> String? {
    let sortedCount = reports.count
    // Move each event out of the buffer, because a copy would cost reference counting for its batch.
    events.reverse()
    while let event = events.popLast() {
      if case .batch(let batch, let instant) = event {
        let (count, reason) = (batch.samples.count, batch.reason)
        let content = Report.Content.delivered(
          samples: count, reason, isValid: route(batch, instant) || count == 0)
        reports.append(Report(instant: instant, device: device, content: content))
      } else if case .rejectedBatch(let instant) = event {
        _ = route(nil, instant)
      } else {
        reports.append(Report(instant: event.instant, device: device, content: .event(event)))
      }
    }
    // At most one device runs ahead of the present instant, so `reports` is almost sorted.
    for index in max(sortedCount, 1)..<max(reports.count, sortedCount, 1) {
      var place = index
      while place > 0, reports[place].instant < reports[place - 1].instant {
        reports.swapAt(place, place - 1)
        place -= 1
      }
    }
    let surplus = reports.count - Self.maxReports
    guard surplus > 0 else { return nil }
    // The clock of a device is far ahead. Drop the reports with the latest instants.
    reports.removeLast(surplus)
    droppedReports += surplus
    let reports = surplus == 1 ? "1 report is" : "\(surplus) reports are"
    return "\(names[device]): \(reports) dropped; \(Self.maxReports) are already waiting"
  }

  /// The instants of the earliest and of the latest waiting report; nil when no report waits.
  var span: (first: Instant, last: Instant)? {
    guard let first = reports.first, let last = reports.last else { return nil }
    return (first.instant, last.instant)
  }

  /// Removes the reports up to an instant, and passes each to `body` in order.
  mutating func drain(upTo instant: Instant, _ body: (Report) -> Void) {
    guard let first = reports.first, first.instant <= instant else { return }
    var count = 0
    while count < reports.count, reports[count].instant <= instant {
      body(reports[count])
      count += 1
    }
    if count == reports.count { reports.removeAll(keepingCapacity: true) } else { reports.removeFirst(count) }
  }

  // MARK: Dropped entries

  /// The number of events that ports dropped because their queues were full.
  var droppedEvents: Int { ports.reduce(0) { $0 + $1.dropped } }

  /// The number of values and samples that were dropped because they were out of range.
  var droppedReadings: Int { ports.reduce(0) { $0.addingSaturated($1.droppedReadings.count) } }

  /// Returns the values and samples of a device that were dropped because they were out of range.
  func droppedReadings(of device: Int) -> DroppedReadings { ports[device].droppedReadings }

  /// Returns a sentence about the dropped values and samples of a device. The result is nil unless this is
  /// the first drop, or the number of drops has doubled since the last sentence.
  private mutating func droppedReadingsSentence(_ device: Int) -> String? {
    let dropped = ports[device].droppedReadings
    guard dropped.count > 0, dropped.count / 2 >= reportedReadings[device] else { return nil }
    reportedReadings[device] = dropped.count
    let count = dropped.count == 1 ? "a value was" : "\(dropped.count) values were"
    return "\(names[device]): \(count) dropped; the last: \(dropped.lastReason)"
  }
}
