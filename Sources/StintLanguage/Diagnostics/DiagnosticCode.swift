/// The name of a kind of problem; codes are never reused.
///
/// P00 lexing, P01 parsing, P02 names, P03 types and units, P04 rules, P05 capability, P06 proofs, W advice.
public struct DiagnosticCode: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  /// What it means, in one line.
  public let meaning: String

  private init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }

  public var description: String { name }

  public static let strangeCharacter = DiagnosticCode("P0001", "a character that policies do not use")
  public static let unterminatedString = DiagnosticCode("P0002", "a text without its closing quote")
  public static let invalidEncoding = DiagnosticCode("P0003", "bytes that are not UTF-8")
  public static let badNumber = DiagnosticCode("P0004", "a number that cannot be read")
  public static let unknownUnit = DiagnosticCode("P0005", "a unit that does not exist")

  public static let missingPolicy = DiagnosticCode("P0101", "a file that does not begin with policy \"name\"")
  public static let unexpected = DiagnosticCode("P0102", "something else was expected here")
  public static let tooDeep = DiagnosticCode("P0103", "an expression that nests too deep")
  public static let unclosedBlock = DiagnosticCode("P0105", "a block without its closing brace")
  public static let missingDeadline = DiagnosticCode("P0106", "a defer without a deadline")
  public static let tooLong = DiagnosticCode("P0107", "more text or more rules than can be checked")

  public static let unknownFact = DiagnosticCode("P0201", "an unknown fact")
  public static let unknownDevice = DiagnosticCode("P0202", "a device that is not there")
  public static let unknownName = DiagnosticCode("P0203", "a name that is declared nowhere")
  public static let duplicateName = DiagnosticCode("P0204", "one name declared twice")
  public static let unknownSetting = DiagnosticCode("P0205", "a setting that the device does not have")
  public static let unknownFunction = DiagnosticCode("P0206", "a function that does not exist")
  public static let unknownRule = DiagnosticCode("P0207", "a rule that does not exist")
  public static let unknownWord = DiagnosticCode("P0208", "a word that is none of a fact's values")
  public static let circularLet = DiagnosticCode("P0209", "a let that depends on itself")

  public static let typeMismatch = DiagnosticCode("P0301", "two values of different types")
  public static let wrongUnit = DiagnosticCode("P0302", "a quantity of the wrong dimension")
  public static let missingUnit = DiagnosticCode("P0303", "a number without its unit")
  public static let notACondition = DiagnosticCode("P0304", "something that is neither true nor false")
  public static let notConstant = DiagnosticCode(
    "P0305", "a value that must be known when the policy is loaded")
  public static let outOfRange = DiagnosticCode("P0306", "a value outside its range")
  public static let divisionByZero = DiagnosticCode("P0307", "a division by zero")
  public static let badArguments = DiagnosticCode("P0308", "a function called with the wrong arguments")
  public static let mixedUnits = DiagnosticCode(
    "P0309", "one quantity of units that measure different things")
  public static let tooLarge = DiagnosticCode(
    "P0310", "a condition that is too large once its lets are put in")
  public static let doesNotFit = DiagnosticCode("P0311", "policies that do not fit into an image together")

  public static let missingEnding = DiagnosticCode("P0401", "a directive of an edge rule that never ends")
  public static let wrongRelease = DiagnosticCode("P0402", "a release on the wrong side of its threshold")
  public static let circularOver = DiagnosticCode("P0403", "rules that put each other aside in a circle")
  public static let emptyRule = DiagnosticCode("P0404", "a rule that does nothing")
  public static let endingInLevelRule = DiagnosticCode(
    "P0405", "an ending where the rule's condition is the end")
  public static let actInLevelRule = DiagnosticCode("P0406", "a one-time act in a rule that holds")
  public static let doublingDownwards = DiagnosticCode("P0407", "a ceiling below the duration")

  public static let budgetLoosens = DiagnosticCode("P0408", "a budget that asks for more")
  public static let overBudget = DiagnosticCode("P0409", "a rule that puts a budget aside")

  public static let testOrder = DiagnosticCode("P0410", "steps of a test that are out of order")
  public static let emptyTest = DiagnosticCode("P0411", "a test that expects nothing")
  public static let notPublished = DiagnosticCode("P0412", "a fact that cannot be set")

  public static let clientUnknown = DiagnosticCode("P0413", "a fact of a client where none is asked")
  public static let clientRuleDoesMore = DiagnosticCode(
    "P0414", "a rule about one demand that does more than save")

  public static let verbNotSupported = DiagnosticCode("P0501", "a directive that the device cannot honour")
  public static let boundNotSupported = DiagnosticCode("P0502", "a bound that the device cannot measure")
  public static let beyondDevice = DiagnosticCode("P0503", "a value that the device cannot reach")

  public static let noWayBack = DiagnosticCode("P0601", "a stop that nothing ever ends")
  public static let tooCostly = DiagnosticCode("P0602", "policies that cost more than they may")
  public static let brokenRequirement = DiagnosticCode("P0603", "a requirement that the policies break")

  public static let missingOptionalDevice = DiagnosticCode(
    "W0201", "a device that is not there, and need not be")
  public static let unused = DiagnosticCode("W0202", "a name that nothing uses")
  public static let holdLongerThanFact = DiagnosticCode("W0203", "a for that outlasts the fact it reads")
  public static let flapping = DiagnosticCode("W0301", "a limit that a noisy fact crosses again and again")
  public static let unreachable = DiagnosticCode("W0302", "a rule that never holds")
  public static let alwaysTrue = DiagnosticCode("W0303", "a condition that is always true")
  public static let overruled = DiagnosticCode("W0304", "a start that another rule always beats")
  public static let overruledAtTimes = DiagnosticCode("W0305", "a start that another rule beats at times")
  public static let shadowed = DiagnosticCode("W0306", "a rule that another makes needless")
  public static let noEffect = DiagnosticCode("W0307", "something that changes nothing")
  public static let unreachableState = DiagnosticCode("W0308", "a state that nothing leads to")
  public static let restless = DiagnosticCode("W0309", "states that lead to each other at once")
  public static let dearAccuracy = DiagnosticCode("W0210", "an accuracy in the dearest class")

  public static let accuracyLeftOpen = DiagnosticCode("W0211", "an accuracy that is left open")
  public static let receiverStaysOn = DiagnosticCode(
    "W0212", "a receiver that is on for long without a reason")
  public static let activityUnfit = DiagnosticCode("W0213", "an activity that does not fit")
  public static let timeoutBeforeStart = DiagnosticCode(
    "W0214", "a timeout shorter than a device's first fix")
  public static let backgroundForGood = DiagnosticCode("W0215", "a background flag that nothing puts off")

  /// The code of this name, which may be given in any case.
  public static func named(_ name: String) -> DiagnosticCode? {
    all.first { $0.name == name.uppercased() }
  }

  /// Every code there is, in the order of their names; one a line.
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
