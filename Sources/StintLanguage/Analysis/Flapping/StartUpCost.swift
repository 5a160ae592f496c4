import StintModel
import StintUnits

extension Manifest {
  /// The energy that one more start of the device costs, as text for people; nil when a start costs nothing.
  ///
  /// A start has a cost when the manifest gives an energy for events of the device. It also has a cost when
  /// the device has more than one state in which it is on, such as search and track.
  var startUpCost: String? {
    if let event = events.max(by: { $0.energy < $1.energy }) {
      return "each “\(event.name)” costs \(Quantity(event.energy.joules, .energy))"
    }
    let working = states.filter(\.isOn)
    guard working.count > 1, let dearest = working.max(by: { $0.power < $1.power }) else { return nil }
    return "it passes through “\(dearest.name)” at \(Quantity(dearest.power.watts, .power))"
  }
}
