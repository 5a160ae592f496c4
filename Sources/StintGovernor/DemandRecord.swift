import StintModel
import StintUnits

/// What the governor keeps of one demand.
struct DemandRecord: Sendable {
  /// How far a transfer has come; streams stay at `waiting`.
  enum Progress: Sendable {
    /// Not let go yet.
    case waiting
    /// The radio carries it.
    case inFlight
  }

  let demand: Demand
  /// The number of the device it asks for.
  let target: Int
  let raised: Instant
  var grant: Grant
  /// The number of the device that serves it; nil unless served.
  var provider: Int?
  var progress = Progress.waiting
  /// Where the present hold began: when it started or the device last handed over.
  var holdStart: Instant
  /// The provider's odometer at `holdStart`, in metres.
  var holdOdometer: Double?
  /// The `start` directive that raised it (its rule and place), so that a reload finds it again.
  var raisedBy: Directive?
  /// The place of that directive in the image, while the demand ends with it.
  var raisedAt: Int?
  /// When a one-shot fix gives up.
  var expires: Instant?

  init(demand: Demand, target: Int, raised: Instant) {
    self.demand = demand
    self.target = target
    self.raised = raised
    self.grant = Grant(standing: .unavailable)
    self.holdStart = raised
  }

  var isTransfer: Bool { demand.wants.transfer != nil }
  var isOneShot: Bool { expires != nil }
  var isServed: Bool { provider != nil }

  /// When a transfer must be on its way, whatever holds it.
  var deadline: Instant? {
    demand.wants.transfer?.deadline.map { raised + $0 }
  }
}
