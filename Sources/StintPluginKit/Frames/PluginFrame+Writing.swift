import StintModel
import StintUnits

extension PluginFrame {
  /// Encodes the message as a frame with this sequence number, as a plugin sends it.
  ///
  /// - Precondition: a batch has at most `FrameLayout.maxSamples(width:)` samples, and a wide batch has one
  ///   row for each sample.
  public func frame(_ sequence: UInt64) -> Frame {
    var writer = ByteWriter()
    if let instant { writer.append(instant.nanoseconds) }
    switch self {
    case .welcome(let major, let minor):
      writer.append(major)
      writer.append(minor)
    case .manifest(let manifest): Self.write(manifest, to: &writer)
    case .opened, .closed, .mapped, .draft: break
    case .applied(let token, let state, let period, _):
      writer.append(token)
      Self.write(state, period, to: &writer)
    case .refused(let token, let text, _):
      writer.append(token)
      writer.append(text)
    case .drained(let token, _), .published(let token, _): writer.append(token)
    case .wakeAt(let earliest, let latest, _):
      writer.append(earliest.nanoseconds)
      writer.append(latest.nanoseconds)
    case .batch(let samples, let reason, _): Self.write(samples, reason, to: &writer)
    case .wideBatch(let samples, let wide, let reason, _): Self.write(samples, wide, reason, to: &writer)
    case .fact(let fact, let value, _): Self.write(fact, value, to: &writer)
    case .keyedFact(let family, let key, let value, _):
      Self.write(family, value, to: &writer)
      writer.append(key)
    case .state(let state, let period, _): Self.write(state, period, to: &writer)
    case .event(let event, let count, _):
      writer.append(UInt32(clamping: event))
      writer.append(UInt32(clamping: count))
    case .available(let isThere, _): writer.append(isThere)
    case .fault(let text, _): writer.append(text)
    case .carried(let demand, _): writer.append(demand.number)
    case .abandoned(let demand, let bytes, _):
      writer.append(demand.number)
      writer.append(bytes)
    case .report(let report, _): writer.append(json: report)
    }
    return Frame(kind: kind, sequence: sequence, body: writer.bytes)
  }

  private static func write(_ state: Int, _ period: TimeSpan?, to writer: inout ByteWriter) {
    writer.append(UInt32(clamping: state))
    writer.append(period?.nanoseconds ?? 0)
  }

  private static func write(_ samples: [Sample], _ reason: DeliveryReason, to writer: inout ByteWriter) {
    writer.append(UInt32(deliveryReasons.firstIndex(of: reason) ?? 0))
    writer.append(UInt32(samples.count))
    for sample in samples { write(sample, to: &writer) }
  }

  private static func write(_ sample: Sample, to writer: inout ByteWriter) {
    writer.append(sample.instant.nanoseconds)
    writer.append(sample.sequence)
    for value in [sample.first, sample.second, sample.third, sample.fourth] { writer.append(value) }
  }

  private static func write(
    _ samples: [Sample], _ wide: WideValues, _ reason: DeliveryReason, to writer: inout ByteWriter
  ) {
    writer.append(UInt32(deliveryReasons.firstIndex(of: reason) ?? 0))
    writer.append(UInt32(samples.count))
    writer.append(UInt16(wide.width))
    writer.append(UInt16(wide.bytes?.channels ?? 0))
    for sample in samples {
      write(sample, to: &writer)
      for value in wide.row(of: sample) { writer.append(value) }
      for content in wide.bytes(of: sample) {
        writer.append(UInt8(clamping: content.count))
        writer.append(contentsOf: content.prefix(Int(UInt8.max)))
      }
    }
  }

  private static func write(_ fact: Int, _ value: FactValue, to writer: inout ByteWriter) {
    writer.append(UInt32(clamping: fact))
    switch value {
    case .unknown:
      writer.append(UInt32(0))
      writer.zero(8)
    case .boolean(let truth):
      writer.append(UInt32(1))
      writer.append(truth)
      writer.zero(7)
    case .number(let number):
      writer.append(UInt32(2))
      writer.append(number)
    case .symbol(let word):
      writer.append(UInt32(3))
      writer.append(UInt64(clamping: word))
    }
  }

  private static func write(_ manifest: FrameManifest, to writer: inout ByteWriter) {
    writer.append(manifest.device)
    for names in [manifest.states, manifest.events] {
      writer.append(UInt16(names.count))
      for name in names { writer.append(name) }
    }
    for entries in [manifest.channels, manifest.facts] {
      writer.append(UInt16(entries.count))
      for entry in entries {
        writer.append(entry.name)
        writer.append(entry.unit)
      }
    }
  }
}
