/// The code of a kind of problem. Codes are never reused.
///
/// P00 lexing, P01 parsing, P02 names, P03 types and units, P04 rules, P05 capability, P06 proofs, W advice.
public struct DiagnosticCode: Hashable, Sendable, CustomStringConvertible {
  /// The code, such as `P0302`.
  public let name: String
  /// The meaning of the code, in one line.
  public let meaning: String

  private init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }

  public var description: String { name }

  public static let strangeCharacter = DiagnosticCode("P0001", "a character that policies do not use")
  public static let unterminatedString = DiagnosticCode("P0002", "a string without a closing quote")
  public static let invalidEncoding = DiagnosticCode("P0003", "bytes that are not UTF-8")
  public static let badNumber = DiagnosticCode("P0004", "an invalid number")
  public static let unknownUnit = DiagnosticCode("P0005", "a unit that does not exist")

  public static let missingPolicy = DiagnosticCode("P0101", "a file that does not begin with policy \"name\"")
  public static let unexpected = DiagnosticCode("P0102", "unexpected syntax")
  public static let tooDeep = DiagnosticCode("P0103", "an expression that nests too deep")
  public static let unclosedBlock = DiagnosticCode("P0105", "a block without its closing brace")
  public static let missingDeadline = DiagnosticCode("P0106", "a defer without a deadline")
  public static let tooLong = DiagnosticCode("P0107", "a file or a number of rules above the limit")

  public static let unknownFact = DiagnosticCode("P0201", "an unknown fact")
  public static let unknownDevice = DiagnosticCode("P0202", "a device that the phone does not have")
  public static let unknownName = DiagnosticCode("P0203", "an undeclared name")
  public static let duplicateName = DiagnosticCode("P0204", "a name that is declared twice")
  public static let unknownSetting = DiagnosticCode("P0205", "a setting that the device does not have")
  public static let unknownFunction = DiagnosticCode("P0206", "a function that does not exist")
  public static let unknownRule = DiagnosticCode("P0207", "a rule that does not exist")
  public static let unknownWord = DiagnosticCode("P0208", "a word that is not a value of the fact")
  public static let circularLet = DiagnosticCode("P0209", "a let that depends on itself")

  public static let typeMismatch = DiagnosticCode("P0301", "two values of different types")
  public static let wrongUnit = DiagnosticCode("P0302", "a quantity of the wrong dimension")
  public static let missingUnit = DiagnosticCode("P0303", "a number without its unit")
  public static let notACondition = DiagnosticCode("P0304", "an expression that is not a condition")
  public static let notConstant = DiagnosticCode(
    "P0305", "a value that must be known when the policy is loaded")
  public static let outOfRange = DiagnosticCode("P0306", "a value outside its range")
  public static let divisionByZero = DiagnosticCode("P0307", "a division by zero")
  public static let badArguments = DiagnosticCode("P0308", "a function called with the wrong arguments")
  public static let mixedUnits = DiagnosticCode(
    "P0309", "a quantity that mixes units of different dimensions")
  public static let tooLarge = DiagnosticCode(
    "P0310", "a condition that is too large after its lets are expanded")
  public static let doesNotFit = DiagnosticCode("P0311", "policies that together exceed the size of an image")

  public static let missingEnding = DiagnosticCode("P0401", "a directive of an edge rule that never ends")
  public static let wrongRelease = DiagnosticCode("P0402", "a release on the wrong side of its threshold")
  public static let circularOver = DiagnosticCode("P0403", "rules that override each other in a cycle")
  public static let emptyRule = DiagnosticCode("P0404", "a rule that does nothing")
  public static let endingInLevelRule = DiagnosticCode(
    "P0405", "an ending although the condition of the rule ends the directive")
  public static let actInLevelRule = DiagnosticCode("P0406", "a one-time action in a level rule")
  public static let doublingDownwards = DiagnosticCode("P0407", "a ceiling below the first duration")

  public static let budgetLoosens = DiagnosticCode(
    "P0408", "a budget step that requests more instead of less")
  public static let overBudget = DiagnosticCode("P0409", "a rule that overrides a budget")

  public static let testOrder = DiagnosticCode("P0410", "steps of a test that are not in order of time")
  public static let emptyTest = DiagnosticCode("P0411", "a test that expects nothing")
  public static let notPublished = DiagnosticCode("P0412", "a fact that cannot be set")

  public static let clientUnknown = DiagnosticCode("P0413", "a client fact outside a per-demand rule")
  public static let clientRuleDoesMore = DiagnosticCode(
    "P0414", "a per-demand rule that does more than limit demands")

  public static let verbNotSupported = DiagnosticCode("P0501", "a directive that the device does not support")
  public static let boundNotSupported = DiagnosticCode("P0502", "a bound that the device cannot measure")
  public static let beyondDevice = DiagnosticCode("P0503", "a value outside the range of the device")

  public static let noWayBack = DiagnosticCode("P0601", "a stop that can never end")
  public static let tooCostly = DiagnosticCode("P0602", "policies that exceed the cost limits")
  public static let brokenRequirement = DiagnosticCode("P0603", "a requirement that the policies violate")

  public static let missingOptionalDevice = DiagnosticCode(
    "W0201", "an optional device that the phone does not have")
  public static let unused = DiagnosticCode("W0202", "an unused name")
  public static let holdLongerThanFact = DiagnosticCode(
    "W0203", "a for that is longer than the validity of the fact")
  public static let flapping = DiagnosticCode("W0301", "a limit that a noisy fact crosses repeatedly")
  public static let unreachable = DiagnosticCode("W0302", "a rule whose condition is never true")
  public static let alwaysTrue = DiagnosticCode("W0303", "a condition that is always true")
  public static let overruled = DiagnosticCode("W0304", "a start that another rule always overrides")
  public static let overruledAtTimes = DiagnosticCode(
    "W0305", "a start that another rule sometimes overrides")
  public static let shadowed = DiagnosticCode("W0306", "a rule that another rule makes redundant")
  public static let noEffect = DiagnosticCode("W0307", "a directive or an over without effect")
  public static let unreachableState = DiagnosticCode("W0308", "an unreachable state")
  public static let restless = DiagnosticCode("W0309", "states that oscillate with unchanged facts")
  public static let dearAccuracy = DiagnosticCode("W0210", "an accuracy in the most expensive class")

  public static let accuracyLeftOpen = DiagnosticCode("W0211", "a start without an accuracy")
  public static let receiverStaysOn = DiagnosticCode(
    "W0212", "a receiver that stays on for a long time without guidance")
  public static let activityUnfit = DiagnosticCode("W0213", "an activity that does not match the rule")
  public static let timeoutBeforeStart = DiagnosticCode(
    "W0214", "a timeout shorter than the time to first fix of a device")
  public static let backgroundForGood = DiagnosticCode("W0215", "a background flag that nothing turns off")
  public static let validityOnly = DiagnosticCode(
    "W0216", "the validity of positions that nothing requests")

  /// Returns the code with this name, in upper or lower case; nil when no such code exists.
  public static func named(_ name: String) -> DiagnosticCode? {
    all.first { $0.name == name.uppercased() }
  }

  /// Every code, sorted by name.
  public static let all: [DiagnosticCode] = [
    strangeCharacter,
    unterminatedString,
    invalidEncoding,
    badNumber,
    unknownUnit,
    missingPolicy,
    unexpected,
    tooDeep,
    unclosedBlock,
    missingDeadline,
    tooLong,
    unknownFact,
    unknownDevice,
    unknownName,
    duplicateName,
    unknownSetting,
    unknownFunction,
    unknownRule,
    unknownWord,
    circularLet,
    typeMismatch,
    wrongUnit,
    missingUnit,
    notACondition,
    notConstant,
    outOfRange,
    divisionByZero,
    badArguments,
    mixedUnits,
    tooLarge,
    doesNotFit,
    missingEnding,
    wrongRelease,
    circularOver,
    emptyRule,
    endingInLevelRule,
    actInLevelRule,
    doublingDownwards,
    budgetLoosens,
    overBudget,
    testOrder,
    emptyTest,
    notPublished,
    clientUnknown,
    clientRuleDoesMore,
    verbNotSupported,
    boundNotSupported,
    beyondDevice,
    noWayBack,
    tooCostly,
    brokenRequirement,
    missingOptionalDevice,
    unused,
    holdLongerThanFact,
    dearAccuracy,
    accuracyLeftOpen,
    receiverStaysOn,
    activityUnfit,
    timeoutBeforeStart,
    backgroundForGood,
    validityOnly,
    flapping,
    unreachable,
    alwaysTrue,
    overruled,
    overruledAtTimes,
    shadowed,
    noEffect,
    unreachableState,
    restless,
  ]
}
