import StintModel
import StintUnits

extension Manifest {
  /// What it costs to switch the device on once more, in words; nil where it costs nothing.
  ///
  /// A start costs something where the device does priced things, or passes through more than one state that
  /// draws power: it searches, is promoted or tails before or after it works.
  var startUpCost: String? {
    if let event = events.max(by: { $0.energy < $1.energy }) {
      return "each “\(event.name)” costs \(Quantity(event.energy.joules, .energy))"
    }
    let working = states.filter(\.isOn)
    guard working.count > 1, let dearest = working.max(by: { $0.power < $1.power }) else { return nil }
    return "it passes through “\(dearest.name)” at \(Quantity(dearest.power.watts, .power))"
  }
}
