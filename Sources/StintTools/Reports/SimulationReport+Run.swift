import StintDaemon
import StintGovernor
import StintModel
import StintUnits

extension SimulationReport {
  init(
    _ request: SimulationRequest, place: String, profile: String, _ finish: RunFinish,
    _ recorder: RunRecorder, from start: Instant, to end: Instant
  ) {
    let governor = finish.governor
    self.init(
      policies: request.policies, scenario: place, trace: request.trace, site: request.site,
      seed: request.seed, profile: profile,
      duration: end - start, ledger: governor.ledger(at: end), deliveries: recorder.deliveries,
      accuracy: recorder.accuracy(at: end),
      wakeups: WakeupCount(total: governor.wakes, byDevice: governor.wakesByDevice),
      transfers: recorder.transfers(at: end),
      rules: governor.ruleUse(at: end).mapValues { RuleActivity(activations: $0.count, inForce: $0.total) },
      requirements: governor.requirementActivity(at: end), fixes: recorder.fixes,
      decisions: finish.decisions, decisionLogHash: finish.digest, unexplained: governor.unexplained(at: end),
      refusals: recorder.refusals(from: start), journalProblem: finish.journalFailure)
  }
}
