import StintUnits

/// A signal that the services publish for policies. `rawValue` is its path.
public enum ServiceSignal: String, Hashable, Sendable, CaseIterable {
  case visitArrived = "visit.arrived"
  case visitDeparted = "visit.departed"
  case movesChanged = "moves.changed"
  case orientationOn = "orientation.on"
  case orientationObservers = "orientation.observers"
  case transferFailed = "net.failed"
  case authenticationNeeded = "net.auth_needed"
  case sessionDone = "net.session_done"
  case fileReady = "net.file_ready"
  case reply = "net.reply"

  /// Whether the signal is true only for one step.
  public var isPulse: Bool {
    switch self {
    case .visitArrived, .visitDeparted, .movesChanged, .fileReady, .reply: true
    case .orientationOn, .orientationObservers, .transferFailed, .authenticationNeeded, .sessionDone: false
    }
  }

  /// The type of the value.
  public var type: FactType { self == .orientationObservers ? .quantity(.none) : .boolean }

  /// The value before the first signal.
  public var rest: FactValue { self == .orientationObservers ? .number(0) : .boolean(false) }

  /// The meaning of the signal in a few words, for editors and reports.
  public var meaning: String {
    switch self {
    case .visitArrived: "true at the moment at which an arrival at a place is reported"
    case .visitDeparted: "true at the moment at which a departure from a place is reported"
    case .movesChanged: "true at the moment at which another place is reported, half a kilometre or more away"
    case .orientationOn: "whether the orientation service runs for a client or rule"
    case .orientationObservers: "the number of clients that receive orientation notices"
    case .transferFailed: "whether a transfer failed and waits to be tried again"
    case .authenticationNeeded: "whether a transfer waits for credentials"
    case .sessionDone: "whether all transfers of a session have ended"
    case .fileReady: "true at the moment at which the file of a finished download is available"
    case .reply: "true at the moment at which a server's reply arrives"
    }
  }

  /// The computed fact for policies that use it.
  public var computed: ComputedFact {
    let range: ClosedRange<Double>? = self == .orientationObservers ? 0...1e6 : nil
    let schema = FactSchema(path: rawValue, type: type, range: range, meaning: meaning)
    return ComputedFact(schema: schema, source: .observed(.signal(self)))
  }
}
