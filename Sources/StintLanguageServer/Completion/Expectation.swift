import StintModel
import StintUnits

/// What may stand at the cursor.
enum Expectation: Hashable {
  case keywords([String])
  /// Devices by their whole names.
  case wholeDevices
  /// Devices by their short names, and by their whole ones.
  case devices
  /// A part of a condition: facts, lets, parameters, functions; those of a dimension first.
  case operand(Dimension?)
  case facts
  /// The words that a fact or a machine can be.
  case words(of: String)
  /// Units of these dimensions; all of them for none.
  case units([Dimension])
  /// Rules of this policy, and of the other open ones.
  case rules
  case schedules
  case zones
  case states(of: String)
  case settings(of: String?, more: [String])
  case values(ofSetting: String, of: String?)
  /// Parameters of these dimensions.
  case parameters([Dimension])

  static func keyword(_ words: String...) -> Expectation { .keywords(words) }
}
