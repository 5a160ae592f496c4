package import StintGovernor
package import StintRuntime
package import StintUnits

/// The final state of a run.
package struct RunFinish: Sendable {
  /// The governor after the last step.
  package let governor: Governor
  /// The number of lines in the decision log.
  package let decisions: Int
  /// The SHA-256 of the decision log, in hexadecimal.
  package let digest: String
  /// The reason why the journal is incomplete; nil when it is complete or was not requested.
  package let journalFailure: Problem?
}

extension Host {
  /// The final state, after the last step of the run.
  package var finish: RunFinish {
    RunFinish(
      governor: snapshot, decisions: decisions.count, digest: decisions.digest,
      journalFailure: journalFailure)
  }
}
