public import StintModel
public import StintUnits

/// One thing that a policy did, in a form that other programs can price: a line of JSON.
public enum PlanLine: Hashable, Sendable {
  /// A position was taken, by `gnss`, `wifi` or `cell`.
  case fix(at: TimeSpan, by: String)
  /// A radio, `cellular` or `wifi`, carried what was waiting.
  case flush(at: TimeSpan, radio: String, bytesUp: Int64, bytesDown: Int64)
  /// Samples were fetched from a device.
  case read(at: TimeSpan, device: String, samples: Int)
  /// A device went into a power state.
  case state(at: TimeSpan, device: DeviceID, state: String)

  /// The line, without its end; times are seconds from the start.
  public var text: String {
    let value: JSONValue =
      switch self {
      case .fix(let time, let source): ["t_s": Self.seconds(time), "fix": JSONValue(source)]
      case .flush(let time, let radio, let up, let down):
        [
          "t_s": Self.seconds(time), "flush": JSONValue(radio), "bytes_up": JSONValue(up),
          "bytes_down": JSONValue(down),
        ]
      case .read(let time, let device, let samples):
        ["t_s": Self.seconds(time), "read": JSONValue(device), "samples": JSONValue(samples)]
      case .state(let time, let device, let state):
        ["t_s": Self.seconds(time), "device": JSONValue(device.path), "state": JSONValue(state)]
      }
    return JSONWriter.text(of: value)
  }

  private static func seconds(_ time: TimeSpan) -> JSONValue { JSONValue(time.seconds) }
}
