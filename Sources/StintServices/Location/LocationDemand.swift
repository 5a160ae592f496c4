import StintModel
import StintUnits

/// The demand of a location stream on a positioning device, with its grant.
///
/// The value also contains the released demands for which the device has not yet delivered all held fixes.
struct LocationDemand: Sendable {
  private var id: DemandID?
  /// The settings of the last demand.
  private(set) var wants = DemandSettings()
  private(set) var status: Grant.Status?
  /// The device that serves the demand; nil while no device serves it.
  private(set) var provider: DeviceID?
  /// The time between two fixes according to the last grant.
  private(set) var period = TimeSpan.seconds(1)
  private var leaving: Set<DemandID> = []

  /// True while a demand is raised.
  var isRaised: Bool { id != nil }
  /// True while held fixes of released demands have not all arrived.
  var isDraining: Bool { !leaving.isEmpty }

  /// Returns true for the present demand, and for a released demand whose held fixes have not all arrived.
  func delivers(_ id: DemandID) -> Bool { id == self.id || leaving.contains(id) }

  /// Raises, replaces or releases the demand, so that it has the wanted settings.
  ///
  /// - Parameters:
  ///   - wanted: the settings; nil when no demand is needed.
  ///   - again: true to replace a demand even if its settings are equal. The device then delivers the fixes
  ///     that it holds for the old demand.
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

  /// Records the end of a demand. Returns true when the demand was released before.
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
