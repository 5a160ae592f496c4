public import StintModel
import StintUnits

/// A command of a client program to its session of transfers, for example
/// `{"task":"map","download":"https://maps.example/a","bytes_down":9000}`.
public enum TransferClientCommand: CommandMessage, Hashable {
  /// Creates a task and starts it.
  case task(String, TransferRequest)
  /// Cancels the task with this name.
  case cancel(String)
  /// Starts the task at once, because the user waits for it.
  case promote(String)
  /// Continues the task after the user has provided the credentials that the server requested.
  case credentials(String)
  /// The program has read or moved the file of the task, so the file may be removed.
  case received(String)

  public var commands: [any ServiceCommand] {
    let commands: [TransferCommand] =
      switch self {
      case .task(let name, let request): [.start(name, request)]
      case .cancel(let name): [.cancel(name)]
      case .promote(let name): [.promote(name)]
      case .credentials(let name): [.credentials(name)]
      case .received: []
      }
    return commands
  }
}

extension TransferClientCommand {
  enum CodingKeys: String, CodingKey {
    case task, cancel, promote, credentials, received, download, upload, to, window, urgent
    case bytesUp = "bytes_up"
    case bytesDown = "bytes_down"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let verbs: [CodingKeys] = [.task, .cancel, .promote, .credentials, .received]
    let present = verbs.filter(values.contains)
    guard present.count == 1, let verb = present.first else {
      throw Problem(
        .missing, cause: "a command has exactly one of \(verbs.map(\.rawValue).joined(separator: ", "))",
        remedy: "write for example “task” with “download”")
    }
    let name = try values.decode(String.self, forKey: verb)
    switch verb {
    case .cancel: self = .cancel(name)
    case .promote: self = .promote(name)
    case .credentials: self = .credentials(name)
    case .received: self = .received(name)
    default: self = .task(name, try Self.request(values))
    }
  }

  private static func request(_ values: KeyedDecodingContainer<CodingKeys>) throws -> TransferRequest {
    let kind: TransferRequest.Kind
    if values.contains(.upload) {
      kind = .upload(
        file: try values.decode(String.self, forKey: .upload), to: try values.decode(String.self, forKey: .to)
      )
    } else {
      kind = .download(from: try values.decode(String.self, forKey: .download))
    }
    return TransferRequest(
      kind, bytesUp: try values.decodeIfPresent(Int64.self, forKey: .bytesUp) ?? 0,
      bytesDown: try values.decodeIfPresent(Int64.self, forKey: .bytesDown) ?? 0,
      window: try values.decodeIfPresent(Duration.self, forKey: .window),
      isUrgent: try values.decodeIfPresent(Bool.self, forKey: .urgent) ?? false)
  }
}
