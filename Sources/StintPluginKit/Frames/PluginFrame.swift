public import StintModel
public import StintUnits

/// What a plugin says to the host; a frame is verified by itself here, and against the manifest by the host.
public enum PluginFrame: Hashable, Sendable {
  /// The first word, in answer to `hello`.
  case welcome(major: UInt16, minor: UInt16)
  /// The second: what the plugin's numbers mean.
  case manifest(FrameManifest)
  /// Answers `open`.
  case opened(at: Instant)
  /// Answers `apply`: the state that it is in now.
  case applied(UInt32, state: Int, period: TimeSpan?, at: Instant)
  /// Answers `apply`: it cannot be done, and why; the device stays as it was.
  case refused(UInt32, String, at: Instant)
  /// Answers `drain`, behind the batch with what was held.
  case drained(UInt32, at: Instant)
  /// Answers `close`; the last word.
  case closed(at: Instant)
  /// Samples, oldest first.
  case batch([Sample], DeliveryReason, at: Instant)
  /// A value of the fact at this place of the manifest, in the plugin's unit.
  case fact(Int, FactValue, at: Instant)
  /// The device changed its state by itself.
  case state(Int, period: TimeSpan?, at: Instant)
  /// It did something priced, `count` times.
  case event(Int, count: Int, at: Instant)
  /// The hardware came or went.
  case available(Bool, at: Instant)
  /// The hardware does not do as it should; the plugin goes on.
  case fault(String, at: Instant)
  /// Answers `ring`: batches come through it from now on.
  case mapped(at: Instant)
  /// A frame of a kind that may still change; nothing is done about it here.
  case draft(UInt16)

  /// When it was said; nil for the two that come before there is a time, and
  /// for drafts.
  public var instant: Instant? {
    switch self {
    case .welcome, .manifest, .draft: nil
    case .opened(let at), .applied(_, _, _, let at), .refused(_, _, let at), .drained(_, let at),
      .closed(let at), .batch(_, _, let at), .fact(_, _, let at), .state(_, _, let at),
      .event(_, _, let at), .available(_, let at), .fault(_, let at), .mapped(let at):
      at
    }
  }

  /// The number of the kind: odd.
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
    case .draft(let kind): kind
    }
  }
}

extension PluginFrame {
  /// The word that the protocol has for it.
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
    case .fact: "fact"
    case .state: "state"
    case .event: "event"
    case .available: "available"
    case .fault: "fault"
    case .mapped: "mapped"
    case .draft(let kind): "draft \(kind)"
    }
  }
}
