public import StintModel
public import StintUnits

/// A message from a plugin to the host. Decoding checks the format of the message; the host checks the
/// message against the manifest.
public enum PluginFrame: Hashable, Sendable {
  /// The first message, in answer to `hello`: the plugin's protocol version.
  case welcome(major: UInt16, minor: UInt16)
  /// The second message: the names and units of the plugin's values.
  case manifest(FrameManifest)
  /// Answers `open`.
  case opened(at: Instant)
  /// Answers `apply`, with the token of `apply`: the index of the current power state and the sample period.
  case applied(UInt32, state: Int, period: TimeSpan?, at: Instant)
  /// Answers `apply` when the plugin cannot apply the setting, with the reason. The device is unchanged.
  case refused(UInt32, String, at: Instant)
  /// Answers `drain`, after the batch with the stored samples.
  case drained(UInt32, at: Instant)
  /// Answers `close`; the last message.
  case closed(at: Instant)
  /// Samples, oldest first.
  case batch([Sample], DeliveryReason, at: Instant)
  /// Samples of a device with more than four channels, oldest first, with the values of the channels after
  /// the fourth channel.
  case wideBatch([Sample], WideValues, DeliveryReason, at: Instant)
  /// A value of the fact at this index of the manifest, in the plugin's unit.
  case fact(Int, FactValue, at: Instant)
  /// A value of the fact with this key, of the family at this index of the manifest, in the plugin's unit.
  case keyedFact(Int, key: String, FactValue, at: Instant)
  /// The device changed its power state by itself.
  case state(Int, period: TimeSpan?, at: Instant)
  /// An event that costs energy occurred `count` times.
  case event(Int, count: Int, at: Instant)
  /// The hardware became available or unavailable.
  case available(Bool, at: Instant)
  /// The hardware does not work as it should; the plugin continues.
  case fault(String, at: Instant)
  /// Answers `ring`: batches come through the ring from now on.
  case mapped(at: Instant)
  /// Answers `startTransfer`: the transfer is complete.
  case carried(DemandID, at: Instant)
  /// Answers `cancelTransfer`, with the number of transferred bytes; 0 when it is unknown.
  case abandoned(DemandID, bytes: Int64, at: Instant)
  /// A carrier's report about one attempt of a transfer task, as JSON.
  case report(AttemptReport, at: Instant)
  /// Answers `read`, after the facts.
  case published(UInt32, at: Instant)
  /// Requests one `wake` of the whole process within a time span; replaces the former request. If the host
  /// sends another request to the process within this span, `wake` follows it. Otherwise the host sends
  /// `wake` at the end of the span.
  case wakeAt(earliest: Instant, latest: Instant, at: Instant)
  /// A draft message, whose format may still change; this version ignores it.
  case draft(UInt16)

  /// The instant of the message; nil for `welcome`, `manifest` and drafts, which contain no instant.
  public var instant: Instant? {
    switch self {
    case .welcome, .manifest, .draft: nil
    case .opened(let at), .applied(_, _, _, let at), .refused(_, _, let at), .drained(_, let at),
      .closed(let at), .batch(_, _, let at), .wideBatch(_, _, _, let at), .fact(_, _, let at),
      .state(_, _, let at),
      .event(_, _, let at), .available(_, let at), .fault(_, let at), .mapped(let at),
      .carried(_, let at), .abandoned(_, _, let at), .report(_, let at), .published(_, let at),
      .wakeAt(_, _, let at), .keyedFact(_, _, _, let at):
      at
    }
  }

  /// The number of the message kind. Messages of plugins have odd numbers; a draft has any number from
  /// 32,768 on.
  var kind: UInt16 {
    switch self {
    case .welcome: 1
    case .manifest: 3
    case .opened: 5
    case .applied: 7
    case .refused: 9
    case .drained: 11
    case .closed: 13
    case .batch: 15
    case .fact: 17
    case .state: 19
    case .event: 21
    case .available: 23
    case .fault: 25
    case .mapped: 27
    case .carried: 29
    case .abandoned: 31
    case .report: 33
    case .wideBatch(_, let wide, _, _): wide.bytes == nil ? 35 : 45
    case .published: 39
    case .wakeAt: 41
    case .keyedFact: 43
    case .draft(let kind): kind
    }
  }
}

extension PluginFrame {
  /// The first minor version of the protocol with this kind of message. An older host does not know the kind.
  var sinceMinor: UInt16 {
    switch self {
    case .welcome, .manifest, .opened, .applied, .refused, .drained, .closed, .batch, .fact, .state, .event,
      .available, .fault, .draft:
      0
    case .mapped: FrameLayout.minorWithRing
    case .carried, .abandoned, .report: FrameLayout.minorWithTransfers
    case .wideBatch(_, let wide, _, _):
      wide.bytes == nil ? FrameLayout.minorWithWideBatches : FrameLayout.minorWithBytes
    case .published, .wakeAt: FrameLayout.minorWithReadings
    case .keyedFact: FrameLayout.minorWithFamilies
    }
  }

  /// The name of the message in the protocol.
  public var name: String {
    switch self {
    case .welcome: "welcome"
    case .manifest: "manifest"
    case .opened: "opened"
    case .applied: "applied"
    case .refused: "refused"
    case .drained: "drained"
    case .closed: "closed"
    case .batch: "batch"
    case .wideBatch(_, let wide, _, _): wide.bytes == nil ? "wide batch" : "byte batch"
    case .fact: "fact"
    case .state: "state"
    case .event: "event"
    case .available: "available"
    case .fault: "fault"
    case .mapped: "mapped"
    case .carried: "carried"
    case .abandoned: "abandoned"
    case .report: "report"
    case .published: "published"
    case .wakeAt: "wake at"
    case .keyedFact: "keyed fact"
    case .draft(let kind): "draft \(kind)"
    }
  }
}
