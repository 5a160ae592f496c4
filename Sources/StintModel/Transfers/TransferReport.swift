/// A carrier's report about one attempt of a transfer task. The carrier is the plugin or the app that
/// transfers the bytes.
public enum TransferReport: Hashable, Sendable {
  /// The number of bytes of the whole task that were transferred until now.
  case progress(Int64)
  /// The server answered with this HTTP status.
  case reply(Int)
  /// The transfer is complete; `file` is the path of the fetched file.
  case finished(file: String?)
  /// The attempt failed for this reason.
  case failed(TransferFault)
}

/// The cause of a failed transfer: a kind, and whether a retry may help.
public struct TransferFault: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The name of the kind.
  public let name: String
  /// Whether a retry may help.
  public let isTransient: Bool

  /// Makes a fault from the name of its kind. Later versions of Stint may add kinds.
  public init(_ name: String, isTransient: Bool = false) {
    self.name = name
    self.isTransient = isTransient
  }

  /// The connection broke or could not be opened.
  public static let connection = TransferFault("connection", isTransient: true)
  /// The server has an internal error.
  public static let server = TransferFault("server", isTransient: true)
  /// The server rejected the request: not found or not allowed.
  public static let rejected = TransferFault("rejected")
  /// The file to send no longer exists.
  public static let bodyGone = TransferFault("body-gone")
  /// The disk has no space for the fetched file.
  public static let diskFull = TransferFault("disk-full")
  /// The maximum duration of the task, its window, has passed.
  public static let expired = TransferFault("expired")
  /// The client cancelled the task.
  public static let cancelled = TransferFault("cancelled")

  public var description: String { name }
}

/// A report with the key and the number of its attempt, as a carrier sends it.
///
/// Its JSON form is an object such as `{"report":"progress","key":"mail/sync/a","attempt":1,"bytes":4096}`.
public struct AttemptReport: Hashable, Sendable {
  /// The key of the task, from `TransferExchange.key`.
  public var key: String
  /// The number of the attempt, from `TransferExchange.attempt`.
  public var attempt: Int
  /// The report.
  public var report: TransferReport

  /// Makes a report about an attempt.
  public init(_ report: TransferReport, key: String, attempt: Int) {
    self.report = report
    self.key = key
    self.attempt = attempt
  }
}

extension AttemptReport: Codable {
  enum CodingKeys: String, CodingKey { case report, key, attempt, bytes, status, file, fault, transient }

  private enum Kind: String, Codable { case progress, reply, finished, failed }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try values.decode(Kind.self, forKey: .report)
    key = try values.decode(String.self, forKey: .key)
    attempt = try values.decode(Int.self, forKey: .attempt)
    switch kind {
    case .progress: report = .progress(try values.decode(Int64.self, forKey: .bytes))
    case .reply: report = .reply(try values.decode(Int.self, forKey: .status))
    case .finished: report = .finished(file: try values.decodeIfPresent(String.self, forKey: .file))
    case .failed:
      let isTransient = try values.decodeIfPresent(Bool.self, forKey: .transient) ?? false
      report = .failed(
        TransferFault(try values.decode(String.self, forKey: .fault), isTransient: isTransient))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func begin(_ kind: Kind) throws {
      try values.encode(kind, forKey: .report)
      try values.encode(key, forKey: .key)
      try values.encode(attempt, forKey: .attempt)
    }
    switch report {
    case .progress(let bytes):
      try begin(.progress)
      try values.encode(bytes, forKey: .bytes)
    case .reply(let status):
      try begin(.reply)
      try values.encode(status, forKey: .status)
    case .finished(let file):
      try begin(.finished)
      try values.encodeIfPresent(file, forKey: .file)
    case .failed(let fault):
      try begin(.failed)
      try values.encode(fault.name, forKey: .fault)
      try values.encode(fault.isTransient, forKey: .transient)
    }
  }
}
