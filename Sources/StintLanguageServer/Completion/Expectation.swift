import StintModel
import StintUnits

/// A syntax element that is valid at the cursor.
enum Expectation: Hashable {
  case keywords([String])
  /// Devices by their full names.
  case wholeDevices
  /// Devices by their short and full names.
  case devices
  /// A part of a condition: facts, lets, parameters and functions. Parts with the given dimension come first;
  /// nil means any dimension.
  case operand(Dimension?)
  case facts
  /// The words of a fact, or the states of a machine.
  case words(of: String)
  /// Units of these dimensions; all units when the array is empty.
  case units([Dimension])
  /// Rules, budgets and machines of this policy, and rules of other policies.
  case rules
  case schedules
  case zones
  case states(of: String)
  case settings(of: String?, more: [String])
  /// The attributes that only the manifest of the device defines.
  case attributes(of: String?)
  case values(ofSetting: String, of: String?)
  /// Parameters of these dimensions.
  case parameters([Dimension])

  static func keyword(_ words: String...) -> Expectation { .keywords(words) }
}
