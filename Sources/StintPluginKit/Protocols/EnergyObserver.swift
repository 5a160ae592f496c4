package import StintUnits

/// A device that needs the energy of all devices, such as the battery of a simulated phone.
package protocol EnergyObserver: DevicePlugin {
  /// Stores the energy that all devices have used since the start. The bus of an app calls this function
  /// before it waits.
  nonisolated func note(spent: Energy)
}
