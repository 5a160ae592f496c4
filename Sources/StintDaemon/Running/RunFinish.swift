package import StintGovernor
package import StintUnits

/// The final state of a run.
package struct RunFinish: Sendable {
  /// The governor after the last step.
  package var governor: Governor
  /// The number of lines in the decision log.
  package var decisions: Int
  /// The SHA-256 of the decision log, in hexadecimal.
  package var digest: String
  /// The reason why the journal is incomplete; nil when it is complete or was not requested.
  package var journalFailure: Problem?
  /// False when the run did not begin because its journal could not be created.
  package var hasRun = true

  /// Creates the final state.
  package init(
    governor: Governor, decisions: Int = 0, digest: String = "", journalFailure: Problem? = nil,
    hasRun: Bool = true
  ) {
    self.governor = governor
    self.decisions = decisions
    self.digest = digest
    self.journalFailure = journalFailure
    self.hasRun = hasRun
  }
}
