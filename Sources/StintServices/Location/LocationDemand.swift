import StintModel
import StintUnits

/// The demand of a stream on a positioning device, with its grant, and the released demands whose held fixes
/// have not all arrived.
struct LocationDemand: Sendable {
  private var id: DemandID?
  /// The settings of the last demand.
  private(set) var wants = DemandSettings()
  private(set) var status: Grant.Status?
  /// The device that serves the demand; nil while none serves it.
  private(set) var provider: DeviceID?
  /// The time between two fixes that the last grant gives.
  private(set) var period = TimeSpan.seconds(1)
  private var leaving: Set<DemandID> = []

  /// True while a demand is raised.
  var isRaised: Bool { id != nil }
  /// True while held fixes of released demands have not all arrived.
  var isDraining: Bool { !leaving.isEmpty }

  /// Returns true for the present demand, and for a released one whose held fixes have not all arrived.
  func delivers(_ id: DemandID) -> Bool { id == self.id || leaving.contains(id) }

  /// Raises exactly the demand that is needed.
  ///
  /// - Parameters:
  ///   - wanted: the settings; nil when no demand is needed.
  ///   - again: replaces an equal demand, so that the device delivers the fixes that it holds for it.
  mutating func update(
    _ wanted: DemandSettings?, on target: DeviceID?, again: Bool, _ outbox: inout ServiceOutbox
  ) {
    guard let wanted else {
      guard let id else { return }
      self.id = nil
      provider = nil
      status = nil
      leave(id, &outbox)
      return
    }
    guard id == nil || wanted != wants || again else { return }
    let old = id
    id = target.map { outbox.raise($0, wanted) }
    wants = wanted
    if let old { leave(old, &outbox) }
  }

  private mutating func leave(_ demand: DemandID, _ outbox: inout ServiceOutbox) {
    leaving.insert(demand)
    outbox.release(demand)
  }

  /// Records the end of a demand. Returns true when it was a released one.
  mutating func end(_ ended: DemandID) -> Bool {
    if ended == id { id = nil }
    return leaving.remove(ended) != nil
  }

  /// Stops waiting for held fixes.
  mutating func stopDraining() { leaving.removeAll() }

  /// Records a grant. Returns false for a grant of another demand.
  mutating func note(_ grant: Grant, of demand: DemandID) -> Bool {
    guard demand == id else { return false }
    provider = grant.provider
    if let granted = grant.period { period = granted }
    status = grant.status
    return true
  }
}
