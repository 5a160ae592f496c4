import StintModel
import StintPluginKit
import StintUnits

/// The server of simulated carriers: it accepts every task whose bytes the radio has transferred. A radio or
/// a source is such a carrier if its manifest provides the role.
enum SimulatedServer {
  /// Answers an order to a carrier through the carrier's port.
  static func answer(_ order: TransferOrder, through port: DevicePort?, at instant: Instant) {
    guard let port, case .complete(let exchange) = order else { return }
    port.report(.reply(200), about: exchange, at: instant)
    port.report(.finished(file: nil), about: exchange, at: instant)
  }
}
