import StintModel

struct ReferenceDemand {
  var id: Int64
  var client: String
  var target: PlanWorld.Device
  var wants: DemandSettings
  /// The instant at which the demand was raised.
  var raised: Int64
  /// The rule that raised the demand; nil for a client's demand.
  var rule: RuleID?
  /// The instant at which a request for one fix times out; nil for other demands.
  var expires: Int64?
  var grant = Grant(status: .unavailable)
}
