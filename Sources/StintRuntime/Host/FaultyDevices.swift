import StintGovernor
import StintModel

/// The devices whose faults were reported to the observer of the host, each with the text of the fault.
struct FaultyDevices {
  private var known: [DeviceID: String] = [:]

  /// Returns the devices whose fault began, ended or has another text after a step, in the order of their
  /// names.
  ///
  /// - Parameter faulted: the devices that reported a fault in this step.
  mutating func changes(after faulted: [DeviceID], _ governor: borrowing Governor) -> [DeviceID] {
    guard !known.isEmpty || !faulted.isEmpty else { return [] }
    var changed: [DeviceID] = []
    for device in Set(known.keys).union(faulted).sorted() {
      let fault = governor.presentFault(of: device)
      guard known[device] != fault else { continue }
      known[device] = fault
      changed.append(device)
    }
    return changed
  }
}
