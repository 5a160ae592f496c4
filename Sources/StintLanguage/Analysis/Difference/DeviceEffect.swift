public import StintModel
public import StintUnits

/// The effect of one rule on one device, while the rule is in force or when it acts. Rules with equal effects
/// have equal values.
public struct DeviceEffect: Hashable, Sendable {
  /// The time at which an effect occurs.
  public enum Timing: Hashable, Sendable {
    /// For as long as the condition is true.
    case level
    /// Each time the condition becomes true, at most once per `atMost`.
    case rise(atMost: TimeSpan?)
    /// Once per period, and up to `flex` late.
    case period(TimeSpan, flex: TimeSpan?)
  }

  /// The kind of an effect.
  public enum Kind: Hashable, Sendable {
    /// A directive, with the clients that it exempts, the condition that ends it early, and its duration.
    case directive(Directive.Action, exceptions: [ClientID], until: CheckedExpression?, CheckedEnding?)
    /// A one-time action.
    case act(Act)
    /// A state machine of a policy changes to this state.
    case move(machine: String, to: String)
  }

  /// The aspect of a device that an effect changes. The effects of each aspect are compared separately.
  enum Aspect: CaseIterable {
    case demand, power, accuracy, rate, attributes, hold, delay, act, move, service
  }

  var aspect: Aspect {
    switch kind {
    case .act: .act
    case .move: .move
    case .directive(.start, _, _, _), .directive(.locate, _, _, _): .demand
    case .directive(.stop, _, _, _), .directive(.pause, _, _, _): .power
    case .directive(.limitAccuracy, _, _, _): .accuracy
    case .directive(.slow, _, _, _): .rate
    case .directive(.limitAttributes, _, _, _): .attributes
    case .directive(.batch, _, _, _): .hold
    case .directive(.postpone, _, _, _): .delay
    case .directive(.serve, _, _, _), .directive(.stopService, _, _, _), .directive(.resume, _, _, _):
      .service
    }
  }

  /// The kind of the effect.
  public var kind: Kind
  /// The time at which the effect occurs.
  public var timing: Timing

  /// Creates the effect of a directive. `until` has no source positions, so that it can be compared with
  /// other conditions.
  init(_ directive: CheckedDirective, of rule: CheckedRule, until: CheckedExpression?) {
    var action = directive.directive.action
    if case .start(nil, let wants) = action {
      action = .start(client: ClientID(rule.id.policy), wants: wants)
    }
    kind = .directive(
      action, exceptions: directive.directive.exceptions, until: until, directive.ending)
    timing = Timing(rule.trigger)
  }

  init(_ act: Act, of rule: CheckedRule) {
    kind = .act(act)
    timing = Timing(rule.trigger)
  }

  init(machine: String, to state: String) {
    kind = .move(machine: machine, to: state)
    timing = .level
  }

  /// The effect in the words of a policy.
  public var text: String {
    let text: String
    switch kind {
    case .directive(let action, let exceptions, let until, let ending):
      let clients = exceptions.map { "\"\($0)\"" }.joined(separator: ", ")
      text =
        Self.text(action) + (clients.isEmpty ? "" : " except \(clients)") + (until == nil ? "" : " until …")
        + (ending.map { " for \($0.duration)" + ($0.doublingTo.map { " doubling to \($0)" } ?? "") } ?? "")
    case .act(let act): text = Self.text(act)
    case .move(let machine, let state): text = "\(machine) goes to \(state)"
    }
    switch timing {
    case .level: return text
    case .rise: return "\(text), once"
    case .period(let period, _): return "\(text), every \(period)"
    }
  }

  private static func text(_ action: Directive.Action) -> String {
    switch action {
    case .start(let client, _): "start" + (client.map { " for \"\($0)\"" } ?? "")
    case .stop: "stop"
    case .locate(let zone): "watch \(Directive.Action.shortName(ofZone: zone))"
    case .serve(let word): word.isWatched ? "watch \(word.rawValue)" : "start \(word.rawValue)"
    case .stopService(let word): "stop \(word.rawValue)"
    case .resume(let start): "start\(start.words)"
    case .pause: "pause"
    case .limitAccuracy(let accuracy): "downgrade to \(Quantity(accuracy, .length))"
    case .slow(let period): "downgrade to 1 per \(period)"
    case .limitAttributes(let values): "downgrade to { \(values.text) }"
    case .batch(let bounds): "batch until " + bounds.map(\.description).joined(separator: " or ")
    case .postpone(let deadline): "defer" + (deadline.map { " at most \($0)" } ?? "")
    }
  }

  private static func text(_ act: Act) -> String {
    switch act {
    case .fix(_, let accuracy, let timeout): "fix to \(Quantity(accuracy, .length)) timeout \(timeout)"
    case .flush: "flush"
    case .emit(let name): "emit \"\(name)\""
    case .tell(let client, let text): "tell \"\(client)\" \"\(text)\""
    case .launch(let client): "launch \"\(client)\""
    case .violation(let text): "report a violation: \(text)"
    }
  }
}

extension DeviceEffect.Timing {
  fileprivate init(_ trigger: CheckedTrigger) {
    switch trigger {
    case .always, .whilst: self = .level
    case .when(_, let atMost): self = .rise(atMost: atMost)
    case .every(let period, let flex, _): self = .period(period, flex: flex)
    }
  }
}
