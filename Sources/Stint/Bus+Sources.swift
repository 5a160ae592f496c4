import StintDaemon
public import StintModel
public import StintPluginKit

extension Bus {
  /// The source of the devices.
  public enum PluginSource: Sendable {
    /// Plugins that are linked into the app.
    case linked([any DevicePlugin])
    /// Linked plugins together with the texts of their manifests. A journal and a state file require
    /// these texts.
    case devices([LinkedPlugin.Device])
    /// The site file at this path. It names plugins in processes and libraries, and may name the plugins in
    /// `linked`. The format is that of `stint run --site`. Requires `Clock.system`.
    case site(String, linked: [LinkedPlugin] = [])
    /// The path of a folder with one subfolder per plugin. The bus reads only the manifests, so that policies
    /// can be checked. The devices are unavailable, because the code of the plugins is not linked. A demand
    /// on one of these devices fails, and the error gives this reason.
    case directory(String)
  }

  /// The time source of a bus.
  public enum Clock: Sendable {
    /// The clock of the operating system.
    case system
    /// Virtual time that starts at this time since 1970-01-01T00:00:00Z, from 0 s to 200 years. When a state
    /// file contains a later time, virtual time starts there. Only `Bus.advance(by:)` advances it.
    case virtual(from: Duration)

    /// Virtual time that starts at 1970-01-01T00:00:00Z.
    public static let virtual = Clock.virtual(from: .zero)
  }

  /// The files that a bus watches or writes. No two buses or daemons may use the same path.
  public struct Files: Sendable {
    /// The path of a policy file or of a folder of policies. The bus loads the policies at the start and
    /// after each change of the files. Nil when the bus watches no policies. With `state`, the bus starts
    /// with the saved policies unless the files have changed. A change with errors has no effect and is
    /// reported to `onEvent`. Requires `Clock.system`.
    public var policies: String?
    /// The file in which the bus saves the policies, their earlier generations and their state for the next
    /// process. The bus writes the file after the first load of policies. When the file exists at the start,
    /// virtual time continues at the saved time. Nil when the bus saves nothing.
    public var state: String?
    /// The folder of journals, which `stint replay` reads; nil for no journal.
    public var journal: String?
    /// The maximum total size of the journals in bytes, at least 1 MiB; nil for no limit.
    public var journalLimit: Int64?
    /// The path of a socket through which client programs attach; nil for no socket.
    public var control: String?

    /// Makes the value for a bus without files.
    public init() {}
  }

  /// A decision, a notice or a refusal of a bus.
  public struct Event: Hashable, Sendable, CustomStringConvertible {
    /// The importance of an event.
    public enum Level: String, Hashable, Sendable, CaseIterable {
      /// A decision of the governor.
      case decision
      /// A start, an end, a reload, or another event that is neither a decision nor a refusal.
      case notice
      /// A refused request, input or change, a failed device, or a failed operation such as a save.
      case refusal
    }

    /// The importance.
    public let level: Level
    /// The kind of the event, with its device, rule, client or request.
    public let kind: RunEvent
    /// The text, one or several lines; a decision begins with its local time.
    public let text: String

    init(_ event: DaemonEvent) {
      level =
        switch event.level {
        case .decision: .decision
        case .notice: .notice
        case .refusal, .problem: .refusal
        }
      text = event.line
      kind = event.subject
    }

    public var description: String { text }
  }
}
