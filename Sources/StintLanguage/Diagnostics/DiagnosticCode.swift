/// The code of a kind of problem. Codes are never reused.
///
/// P00 lexing, P01 parsing, P02 names, P03 types and units, P04 rules, P05 capability, P06 proofs, W advice.
/// `DiagnosticPage` explains each code.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case strangeCharacter = "P0001"
  case unterminatedString = "P0002"
  case invalidEncoding = "P0003"
  case badNumber = "P0004"
  case unknownUnit = "P0005"

  case missingPolicy = "P0101"
  case unexpected = "P0102"
  case tooDeep = "P0103"
  case unclosedBlock = "P0105"
  case missingDeadline = "P0106"
  case tooLong = "P0107"

  case unknownFact = "P0201"
  case unknownDevice = "P0202"
  case unknownName = "P0203"
  case duplicateName = "P0204"
  case unknownSetting = "P0205"
  case unknownFunction = "P0206"
  case unknownRule = "P0207"
  case unknownWord = "P0208"
  case circularLet = "P0209"

  case typeMismatch = "P0301"
  case wrongUnit = "P0302"
  case missingUnit = "P0303"
  case notACondition = "P0304"
  case notConstant = "P0305"
  case outOfRange = "P0306"
  case divisionByZero = "P0307"
  case badArguments = "P0308"
  case mixedUnits = "P0309"
  case tooLarge = "P0310"
  case doesNotFit = "P0311"

  case missingEnding = "P0401"
  case wrongRelease = "P0402"
  case circularOver = "P0403"
  case emptyRule = "P0404"
  case endingInLevelRule = "P0405"
  case actInLevelRule = "P0406"
  case doublingDownwards = "P0407"

  case budgetLoosens = "P0408"
  case overBudget = "P0409"

  case testOrder = "P0410"
  case emptyTest = "P0411"
  case notPublished = "P0412"

  case clientUnknown = "P0413"
  case clientRuleDoesMore = "P0414"

  case verbNotSupported = "P0501"
  case boundNotSupported = "P0502"
  case beyondDevice = "P0503"

  case noWayBack = "P0601"
  case tooCostly = "P0602"
  case brokenRequirement = "P0603"

  case missingOptionalDevice = "W0201"
  case unused = "W0202"
  case holdLongerThanFact = "W0203"
  case flapping = "W0301"
  case unreachable = "W0302"
  case alwaysTrue = "W0303"
  case overruled = "W0304"
  case overruledAtTimes = "W0305"
  case shadowed = "W0306"
  case noEffect = "W0307"
  case unreachableState = "W0308"
  case oscillating = "W0309"
  case selfBlinding = "W0310"
  case dearAccuracy = "W0210"

  case accuracyLeftOpen = "W0211"
  case receiverStaysOn = "W0212"
  case activityUnfit = "W0213"
  case timeoutBeforeStart = "W0214"
  case backgroundForGood = "W0215"
  case validityOnly = "W0216"
  case frequentRule = "W0217"

  /// The code, such as `P0302`.
  public var name: String { rawValue }

  public var description: String { name }

  /// Returns the code with this name, in upper or lower case; nil when no such code exists.
  public static func named(_ name: String) -> DiagnosticCode? { DiagnosticCode(rawValue: name.uppercased()) }

  /// Every code, sorted by name.
  public static let all = allCases.sorted { $0.name < $1.name }
}
