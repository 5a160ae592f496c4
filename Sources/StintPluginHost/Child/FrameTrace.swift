import StintModel
import StintPluginKit
import StintUnits

/// The lines of `stint plugin run --trace`: one for each frame, without the values of settings, which may be
/// secrets.
enum FrameTrace {
  /// Returns the line for a message of the host, such as `host → 4 apply to motion.gyro: token 2, on`.
  static func line(_ frame: HostFrame, _ sequence: UInt64, of device: DeviceID?) -> String {
    let (name, detail) = words(frame)
    return line("host →", sequence, name, device.map { " to \($0)" }, detail)
  }

  /// Returns the line for a message of the plugin, such as `plugin → 7 fact: fact 0, number(20.0)`.
  static func line(_ frame: PluginFrame, _ sequence: UInt64, of device: DeviceID?) -> String {
    line("plugin →", sequence, frame.name, device.map { " of \($0)" }, detail(frame))
  }

  private static func line(
    _ from: String, _ sequence: UInt64, _ name: String, _ device: String?, _ detail: String
  ) -> String {
    "\(from) \(sequence) \(name)\(device ?? "")" + (detail.isEmpty ? "" : ": \(detail)")
  }

  private static func words(_ frame: HostFrame) -> (name: String, detail: String) {
    switch frame {
    case .hello(let major, let minor, _, _): ("hello", "version \(major).\(minor)")
    case .open(let settings, _): ("open", settings.map(\.key).joined(separator: ", "))
    case .apply(let token, let setting, _): ("apply", "token \(token), \(setting)")
    case .drain(let token, _): ("drain", "token \(token)")
    case .read(let token, _): ("read", "token \(token)")
    case .wake: ("wake", "")
    case .ring(let capacity, _): ("ring", "\(capacity) bytes")
    case .startTransfer(let transfer, _): ("start transfer", "transfer \(transfer.demand.number)")
    case .cancelTransfer(let demand, _): ("cancel transfer", "transfer \(demand.number)")
    case .order: ("order", "")
    case .draft(let kind): ("draft \(kind)", "")
    case .close: ("close", "")
    }
  }

  private static func detail(_ frame: PluginFrame) -> String {
    switch frame {
    case .welcome(let major, let minor): "version \(major).\(minor)"
    case .applied(let token, let state, let period, _):
      "token \(token), state \(state)" + (period.map { ", every \($0)" } ?? "")
    case .refused(let token, _, _), .drained(let token, _), .published(let token, _): "token \(token)"
    case .batch(let samples, let reason, _): "number of samples \(samples.count), \(reason)"
    case .wideBatch(let samples, _, let reason, _): "number of samples \(samples.count), \(reason)"
    case .fact(let fact, let value, _): "fact \(fact), \(value)"
    case .keyedFact(let family, let key, let value, _):
      "fact \(family), key \(VisibleText.line(key)), \(value)"
    case .state(let state, let period, _): "state \(state)" + (period.map { ", every \($0)" } ?? "")
    case .event(let event, let count, _): "event \(event), number \(count)"
    case .available(let isThere, _): isThere ? "there" : "gone"
    case .carried(let number, _): "transfer \(number)"
    case .abandoned(let number, _, _): "transfer \(number)"
    case .manifest, .opened, .closed, .fault, .mapped, .report, .wakeAt, .draft: ""
    }
  }
}
