import StintGovernor
import StintModel

/// The devices whose faults were reported to the observer of the host.
struct FaultyDevices {
  private var known: Set<DeviceID> = []

  /// Returns the devices whose fault began or ended in a step, in the order of their names.
  ///
  /// - Parameter faulted: the devices that reported a fault in this step.
  mutating func changes(after faulted: [DeviceID], _ governor: borrowing Governor) -> [DeviceID] {
    guard !known.isEmpty || !faulted.isEmpty else { return [] }
    var changed: Set<DeviceID> = []
    for device in known.union(faulted)
    where known.contains(device) == (governor.presentFault(of: device) == nil) {
      changed.insert(device)
    }
    known.formSymmetricDifference(changed)
    return changed.sorted()
  }
}
