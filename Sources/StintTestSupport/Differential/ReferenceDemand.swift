import StintModel

/// A demand as the reference keeps it.
struct ReferenceDemand {
  var id: Int64
  var client: String
  var target: PlanWorld.Device
  var wants: DemandSettings
  var raised: Int64
  /// The rule that raised it.
  var rule: RuleID?
  /// When a single fix gives up.
  var expires: Int64?
  var grant = Grant(status: .unavailable)
}
