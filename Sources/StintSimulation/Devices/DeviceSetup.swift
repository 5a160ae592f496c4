import StintModel
import StintUnits

/// What every simulated device is made from: its manifest, its own view of the world, its chance, its faults.
struct DeviceSetup {
  let manifest: Manifest
  let view: any WorldView
  let noise: Noise
  let dropout: DropoutFault
  /// What a radio carries; what the manifest says when nil.
  var rates: LinkRates?
  /// What the accelerometer measures; what the world suggests when nil.
  var recorded: RecordedMotion?

  /// A figure of the manifest as a span of time; zero when it is not there.
  func span(_ figure: String) -> TimeSpan { manifest.figures[figure]?.timeSpan ?? .zero }

  /// The index of a power state.
  ///
  /// - Precondition: the manifest has it; the shipped ones do, and a test says so.
  func state(_ name: String) -> Int {
    guard let index = manifest.state(named: name) else {
      preconditionFailure("\(manifest.device) has no state “\(name)”")
    }
    return index
  }

  /// The index of a priced event.
  ///
  /// - Precondition: the manifest has it.
  func event(_ name: String) -> Int {
    guard let index = manifest.event(named: name) else {
      preconditionFailure("\(manifest.device) has no event “\(name)”")
    }
    return index
  }
}
