import StintModel
import StintUnits

/// An action that a rule performed once. `Bus.init` takes a handler for these actions.
public struct PolicyAct: Hashable, Sendable {
  /// The kind of an action, with its content.
  public enum Action: Hashable, Sendable {
    /// `emit "name"`: a named event for the app.
    case emit(String)
    /// `tell "client" "text"`: a message to a client.
    case message(client: String, text: String)
    /// `launch "client"`: the app must launch the process of a client, which then attaches.
    case launch(client: String)
    /// A requirement of the policy is violated. The value is the text of the requirement.
    case violation(String)
  }

  /// The name of the rule, such as `mail/done`.
  public let rule: String
  /// The time of the action since 1970-01-01T00:00:00Z.
  public let time: Duration
  /// The action.
  public let action: Action

  /// Converts an action. Returns nil for an action that the bus carries out itself.
  init?(_ act: Act, by rule: RuleID, at instant: Instant) {
    switch act {
    case .emit(let name): action = .emit(name)
    case .tell(let client, let text): action = .message(client: client.name, text: text)
    case .launch(let client): action = .launch(client: client.name)
    case .violation(let text): action = .violation(text)
    case .fix, .flush: return nil
    }
    self.rule = rule.description
    time = .nanoseconds(instant.nanoseconds)
  }
}
