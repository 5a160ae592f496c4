import StintModel
import StintPluginKit
import StintUnits

/// A filter that applies the injected faults of one device to its events, and stores its delayed events.
struct DeviceFaults: Sendable {
  private struct Span: Sendable {
    var kind: InjectedFault.Kind
    var time: Range<Instant>
    var delay: TimeSpan

    var isOutage: Bool { kind == .loss || kind == .crash }
  }

  private let manifest: Manifest
  private let noise: Noise
  private let spans: [Span]
  /// The times at which the device disappears and returns, in ascending order.
  private var presenceChanges: [(at: Instant, isPresent: Bool, isCrash: Bool)]
  private var isPresent = true
  /// The availability that the device itself reports; a radio without a network reports false.
  private var reportsAvailable = true
  /// Delayed events in the order of their delivery times.
  private var waiting: [PortEvent] = []
  /// The last state that the device reported. The filter reports it again when the device returns.
  private var state: PortEvent?
  private var lastSample: Sample?
  private var lastRow: (numbers: [Double], bytes: [[UInt8]])?
  private var lastFacts: [Int: FactValue] = [:]

  init(_ faults: [InjectedFault], manifest: Manifest, start: Instant, seed: UInt64) {
    self.manifest = manifest
    noise = Noise(seed: seed, name: "fault of \(manifest.device)")
    spans = faults.filter { $0.device == manifest.device && $0.kind != .dropout && $0.duration > .zero }.map {
      Span(kind: $0.kind, time: start + $0.at..<start + $0.at + $0.duration, delay: $0.delay)
    }
    let outages = spans.filter(\.isOutage)
    var presenceChanges: [(at: Instant, isPresent: Bool, isCrash: Bool)] = []
    for span in outages {
      if !outages.contains(where: {
        $0.time.lowerBound < span.time.lowerBound && $0.time.contains(span.time.lowerBound)
      }) {
        presenceChanges.append((span.time.lowerBound, false, span.kind == .crash))
      }
      if !outages.contains(where: { $0.time.contains(span.time.upperBound) }) {
        presenceChanges.append((span.time.upperBound, true, false))
      }
    }
    self.presenceChanges = presenceChanges.sorted { $0.at < $1.at }
  }

  /// True when this filter changes no event: the device has no faults, or only dropouts.
  var isSound: Bool { spans.isEmpty }

  /// The next instant at which the device disappears or returns, or delivers a delayed event.
  var nextInstant: Instant {
    min(presenceChanges.first?.at ?? .distantFuture, waiting.first?.instant ?? .distantFuture)
  }

  /// Returns the fault of a kind that is active at an instant; nil when there is no such fault.
  private func active(_ kind: InjectedFault.Kind, at instant: Instant) -> Span? {
    spans.first { $0.kind == kind && $0.time.contains(instant) }
  }

  mutating func pass(_ event: PortEvent, into output: inout [PortEvent]) {
    applyPresenceChanges(until: event.instant, into: &output)
    if case .outcome(.state, _) = event { state = event }
    if case .available(let isAvailable, _) = event { reportsAvailable = isAvailable }
    guard isPresent else { return }
    switch event {
    case .batch(let batch, let instant): pass(batch, at: instant, into: &output)
    case .fact(let fact, let value, let instant): pass(fact, value, at: instant, into: &output)
    // Errors of values concern single facts only; delays and outages concern all events.
    case .keyed(_, _, _, let instant): emit(event, at: instant, into: &output)
    case .rejectedBatch, .available, .outcome, .carried, .transferred: output.append(event)
    }
  }

  mutating func release(at instant: Instant, into output: inout [PortEvent]) {
    applyPresenceChanges(until: instant, into: &output)
    emit(until: instant, into: &output)
  }

  // MARK: Measured values

  private mutating func pass(_ batch: Batch, at instant: Instant, into output: inout [PortEvent]) {
    var batch = batch
    if let wide = batch.wide { batch.wide = changed(wide, of: batch.samples, at: instant) }
    batch.samples = batch.samples.map { changed($0, at: instant) }
    emit(.batch(batch, at: instant), at: instant, into: &output)
    if active(.duplicated, at: instant) != nil {
      emit(.batch(batch, at: instant), at: instant, into: &output)
    }
  }

  /// Returns the values of the channels after the fourth channel; a stuck sensor repeats its last values.
  private mutating func changed(_ wide: WideValues, of samples: [Sample], at instant: Instant) -> WideValues {
    if active(.stuck, at: instant) != nil, let (row, bytes) = lastRow {
      return WideValues(
        width: wide.width, samples: samples, values: samples.flatMap { _ in row },
        bytes: bytes.isEmpty ? nil : SampleBytes(samples.map { _ in bytes }))
    }
    if let last = samples.last {
      lastRow = (Array(wide.row(of: last)), wide.bytes(of: last).map { Array($0) })
    }
    return wide
  }

  private mutating func changed(_ sample: Sample, at instant: Instant) -> Sample {
    var changed = sample
    if active(.stuck, at: instant) != nil, let last = lastSample {
      (changed.first, changed.second, changed.third, changed.fourth) =
        (last.first, last.second, last.third, last.fourth)
    } else {
      lastSample = sample
    }
    if active(.noisy, at: instant) != nil {
      changed.first += channelError(manifest.channels.first?.name, sample.instant, 1)
      changed.second += channelError(manifest.channels.dropFirst().first?.name, sample.instant, 2)
    }
    if let clock = active(.clock, at: instant) { changed.instant = sample.instant + clock.delay }
    return changed
  }

  /// Returns the error of a channel: hundreds of metres for a position, a few units for other channels.
  private func channelError(_ channel: String?, _ instant: Instant, _ salt: UInt64) -> Double {
    let isPlace = channel == "latitude" || channel == "longitude"
    return noise.gaussian(instant, salt: salt) * (isPlace ? 0.003 : 3)
  }

  private mutating func pass(
    _ fact: Int, _ value: FactValue, at instant: Instant, into output: inout [PortEvent]
  ) {
    var reported = value
    if active(.stuck, at: instant) != nil, let last = lastFacts[fact] {
      reported = last
    } else {
      lastFacts[fact] = value
    }
    if active(.noisy, at: instant) != nil, case .number(let number) = reported {
      let salt = UInt64(fact) + 8
      var wild = number * (1 + noise.gaussian(instant, salt: salt) / 2)
      if let range = manifest.facts[fact].range { wild = min(max(wild, range.lowerBound), range.upperBound) }
      reported = .number(wild)
    }
    emit(.fact(fact, reported, at: instant), at: instant, into: &output)
  }

  // MARK: Delays and outages

  /// Delivers an event now, or stores it for later delivery behind the events that already wait.
  private mutating func emit(_ event: PortEvent, at instant: Instant, into output: inout [PortEvent]) {
    var due = instant
    if let late = active(.late, at: instant) { due = instant + late.delay }
    if let last = waiting.last { due = max(due, last.instant) }
    if due > instant { waiting.append(event.moved(to: due)) } else { output.append(event) }
  }

  private mutating func emit(until instant: Instant, into output: inout [PortEvent]) {
    let count = waiting.prefix { $0.instant <= instant }.count
    if isPresent { output += waiting.prefix(count) }
    waiting.removeFirst(count)
  }

  private mutating func applyPresenceChanges(until instant: Instant, into output: inout [PortEvent]) {
    while let next = presenceChanges.first, next.at <= instant {
      presenceChanges.removeFirst()
      emit(until: next.at, into: &output)
      isPresent = next.isPresent
      if isPresent {
        output.append(.available(reportsAvailable, at: next.at))
        if let state { output.append(state.moved(to: next.at)) }
      } else {
        if next.isCrash { waiting = [] }
        if manifest.kind != .source {
          output.append(.outcome(.state(manifest.safe, period: nil), at: next.at))
        }
        output.append(.available(false, at: next.at))
      }
    }
  }
}

/// The times at which a device is on but yields no samples.
struct DropoutFault: Sendable {
  private let spans: [Range<Instant>]

  /// Selects the dropouts of this device; their times are relative to `start`.
  init(_ faults: [InjectedFault], device: DeviceID, start: Instant) {
    self.spans =
      faults
      .filter { $0.device == device && $0.kind == .dropout && $0.duration > .zero }
      .map { start + $0.at..<start + $0.at + $0.duration }
  }

  func isActive(at instant: Instant) -> Bool {
    !spans.isEmpty && spans.contains { $0.contains(instant) }
  }
}

/// The times at which a fault of the phone itself is active.
struct PhoneFaults: Sendable {
  /// The starts and ends of the fault, in ascending order.
  private var changes: [(at: Instant, isActive: Bool)] = []

  /// Selects the faults of a kind and merges overlapping faults; their times are relative to `start`.
  init(_ faults: [InjectedFault], _ kind: InjectedFault.Kind, start: Instant) {
    let spans = faults.filter { $0.kind == kind && $0.duration > .zero }.sorted { $0.at < $1.at }
    for span in spans {
      let (begin, end) = (start + span.at, start + span.at + span.duration)
      if let last = changes.last, last.at >= begin {
        changes[changes.count - 1].at = max(last.at, end)
      } else {
        changes += [(begin, true), (end, false)]
      }
    }
  }

  var nextInstant: Instant { changes.first?.at ?? .distantFuture }

  /// Returns whether the fault is active after the changes up to `instant`; nil when there was no change.
  mutating func change(at instant: Instant) -> Bool? {
    var isActive: Bool?
    while let next = changes.first, next.at <= instant {
      isActive = next.isActive
      changes.removeFirst()
    }
    return isActive
  }
}
