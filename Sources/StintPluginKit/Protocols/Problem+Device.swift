public import StintModel
public import StintUnits

extension Problem {
  /// Makes the problem of a plugin: its device is the location.
  ///
  /// - Parameters:
  ///   - code: usually `absent`, `broken`, `unsupported` or `source`; plugins may add codes.
  ///   - device: the device that failed.
  ///   - cause: one sentence without a full stop.
  ///   - remedy: the next step for the operator; empty when no step helps.
  public init(_ code: Code, device: DeviceID, cause: String, remedy: String = "") {
    self.init(code, place: device.path, cause: cause, remedy: remedy)
  }
}

extension Problem.Code {
  /// The hardware exists but does not answer as it should.
  public static let broken = Self("broken")
  /// The input of a plugin (a file, a trace) cannot be read.
  public static let source = Self("source")
}
