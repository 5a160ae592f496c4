import StintModel
import StintTools
import StintUnits

/// Two reports of an invented day, with values that can be checked by hand.
enum SampleReports {
  static let without = report(
    policies: [], gnss: 2160, radio: 470, rules: [:], fixes: 36_000, wakeups: 36_060, median: 3.04,
    within: 0.991)

  static let with = report(
    policies: ["policies/hiking.stint"], gnss: 600.25, radio: 60,
    rules: [
      RuleID(policy: "hiking", rule: "hold"): RuleActivity(activations: 3, inForce: .hours(4)),
      RuleID(policy: "hiking", rule: "saver"): RuleActivity(),
    ],
    fixes: 24_310, wakeups: 812, median: 3.1, within: 0.972)

  private static func report(
    policies: [String], gnss: Double, radio: Double, rules: [RuleID: RuleActivity], fixes: Int, wakeups: Int,
    median: Double, within: Double
  ) -> SimulationReport {
    var ledger = Ledger()
    let demand = Demand(
      id: DemandID(1), client: "trail-app", target: "location.gnss", wants: DemandSettings())
    func cause(_ device: DeviceID) -> Cause {
      let grant = Grant(status: .served, provider: device, rules: rules.keys.sorted())
      let link = Cause.Link(client: demand.client, demand: demand.id, rules: grant.rules, grant: grant)
      return Cause(device: device, links: [link], setting: Setting(isOn: true))
    }
    ledger.charge(Energy(joules: gnss) ?? .zero, device: "location.gnss", cause: cause("location.gnss"))
    ledger.charge(Energy(joules: radio) ?? .zero, device: "radio.cellular", cause: nil)
    return SimulationReport(
      policies: policies, scenario: "day-hike", seed: 7, profile: "reference", duration: .hours(10),
      ledger: ledger,
      deliveries: ["trail-app": DeliveryCount(samples: fixes, batches: 120, worstGap: .minutes(5))],
      accuracy: ["location.gnss": AccuracyRecord(medianError: median, error95: 9.1, withinBound: within)],
      wakeups: WakeupCount(total: wakeups, byDevice: ["location.gnss": wakeups - 60, "radio.cellular": 60]),
      transfers: TransferCount(carried: 60, bytesUp: 1_200_000, late: 0, longestWait: .minutes(30)),
      rules: rules, fixes: fixes, decisions: 42, decisionLogHash: "00ff")
  }
}
