import StintFormats
import StintModel
public import StintUnits

/// The part of a scenario that applies to the tests of policies: what simulated devices measure, and their
/// faults. Times count from the start of each test.
public struct TestCircumstances: Sendable {
  let values: [ScriptedValue]
  let faults: [InjectedFault]

  /// Makes circumstances without values and faults.
  public init() { (values, faults) = ([], []) }

  /// Reads a scenario: a built-in name or a file.
  ///
  /// - Throws: `Problem` when the scenario does not exist or is invalid.
  public init(scenario name: String) throws(Problem) {
    let scenario = try ScenarioFiles.find(name).0
    (values, faults) = (scenario.values, scenario.faults)
  }
}
