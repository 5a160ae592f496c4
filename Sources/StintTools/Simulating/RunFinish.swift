import StintGovernor
import StintJournal
import StintModel
import StintSimulation
import StintUnits

/// The final state of a run.
struct RunFinish: Sendable {
  var governor: Governor
  var decisions: Int
  var digest: String
  /// The reason why the journal is incomplete; nil when it is complete or was not requested.
  var journalFailure: Problem?
  /// False when the run did not begin because its journal could not be created.
  var hasRun = true
}

extension SimulationStage {
  /// Returns the report of a run that ended at `end`.
  func report(
    _ request: SimulationRequest, _ finish: RunFinish, _ recorder: RunRecorder, at end: Instant
  ) -> SimulationReport {
    let governor = finish.governor
    return SimulationReport(
      policies: request.policies, scenario: site?.path ?? scenario.name, trace: request.trace,
      seed: request.seed,
      profile: profile?.name ?? "site", duration: end - scenario.start,
      ledger: governor.ledger(at: end),
      deliveries: recorder.deliveries, accuracy: recorder.accuracy(at: end),
      wakeups: WakeupCount(total: governor.wakes, byDevice: governor.wakesByDevice),
      transfers: recorder.transfers(at: end),
      rules: governor.ruleUse(at: end).mapValues { RuleActivity(activations: $0.count, inForce: $0.total) },
      requirements: governor.requirementActivity(at: end),
      fixes: recorder.fixes, decisions: finish.decisions, decisionLogHash: finish.digest,
      unexplained: governor.unexplained(at: end), refusals: recorder.refusals,
      journalProblem: finish.journalFailure.map { $0 })
  }
}
