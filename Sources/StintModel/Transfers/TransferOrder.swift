/// An order of a transfer session to the carrier of its transfers. The carrier is a plugin, or the app that
/// embeds the bus.
///
/// The orders of one attempt are `open`, any number of `start`, at most one `complete`, and `close`. There is
/// no `close` when the carrier has reported that the attempt finished. The JSON form is an object such as
/// `{"order":"discard","file":"/var/spool/a"}`. An order about an attempt also contains the attempt and its
/// request.
public enum TransferOrder: Hashable, Sendable {
  /// The session has raised a demand for the attempt. Nothing may be sent before `start`.
  case open(TransferExchange)
  /// The governor has started the demand of the attempt on this radio: transfer the bytes over this radio.
  case start(TransferExchange, on: DeviceID)
  /// The radio has transferred the estimated bytes: finish the attempt and report the server's answer.
  case complete(TransferExchange)
  /// The attempt has ended. With `keepsPart`, keep the transferred part for the next attempt.
  case close(TransferExchange, keepsPart: Bool)
  /// Remove this file, complete or not.
  case discard(String)

  /// The attempt; nil for `discard`.
  public var exchange: TransferExchange? {
    switch self {
    case .open(let exchange), .start(let exchange, _), .complete(let exchange), .close(let exchange, _):
      exchange
    case .discard: nil
    }
  }
}

extension TransferOrder: Codable {
  enum CodingKeys: String, CodingKey {
    case order, key, attempt, task, radio, offset, download, upload, to, keep, file
    case bytesUp = "bytes_up"
    case bytesDown = "bytes_down"
  }

  private enum Kind: String, Codable { case open, start, complete, close, discard }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch try values.decode(Kind.self, forKey: .order) {
    case .open: self = .open(try Self.exchange(values))
    case .start:
      self = .start(try Self.exchange(values), on: try values.decode(DeviceID.self, forKey: .radio))
    case .complete: self = .complete(try Self.exchange(values))
    case .close:
      self = .close(try Self.exchange(values), keepsPart: try values.decode(Bool.self, forKey: .keep))
    case .discard: self = .discard(try values.decode(String.self, forKey: .file))
    }
  }

  private static func exchange(
    _ values: KeyedDecodingContainer<CodingKeys>
  ) throws -> TransferExchange {
    let kind: TransferRequest.Kind
    if let address = try values.decodeIfPresent(String.self, forKey: .download) {
      kind = .download(from: address)
    } else if let file = try values.decodeIfPresent(String.self, forKey: .upload) {
      kind = .upload(file: file, to: try values.decode(String.self, forKey: .to))
    } else {
      kind = .uploadFromMemory(to: try values.decode(String.self, forKey: .to))
    }
    let request = TransferRequest(
      kind, bytesUp: try values.decode(Int64.self, forKey: .bytesUp),
      bytesDown: try values.decode(Int64.self, forKey: .bytesDown))
    return TransferExchange(
      task: try values.decode(String.self, forKey: .task),
      attempt: try values.decode(Int.self, forKey: .attempt),
      key: try values.decode(String.self, forKey: .key), request: request,
      offset: try values.decode(Int64.self, forKey: .offset))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .open: try values.encode(Kind.open, forKey: .order)
    case .start: try values.encode(Kind.start, forKey: .order)
    case .complete: try values.encode(Kind.complete, forKey: .order)
    case .close: try values.encode(Kind.close, forKey: .order)
    case .discard: try values.encode(Kind.discard, forKey: .order)
    }
    if let exchange { try Self.encode(exchange, to: &values) }
    switch self {
    case .start(_, let radio): try values.encode(radio, forKey: .radio)
    case .close(_, let keepsPart): try values.encode(keepsPart, forKey: .keep)
    case .discard(let file): try values.encode(file, forKey: .file)
    case .open, .complete: break
    }
  }

  private static func encode(
    _ exchange: TransferExchange, to values: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try values.encode(exchange.key, forKey: .key)
    try values.encode(exchange.attempt, forKey: .attempt)
    try values.encode(exchange.task, forKey: .task)
    try values.encode(exchange.offset, forKey: .offset)
    switch exchange.request.kind {
    case .download(let address): try values.encode(address, forKey: .download)
    case .upload(let file, let address):
      try values.encode(file, forKey: .upload)
      try values.encode(address, forKey: .to)
    case .uploadFromMemory(let address): try values.encode(address, forKey: .to)
    }
    try values.encode(exchange.request.bytesUp, forKey: .bytesUp)
    try values.encode(exchange.request.bytesDown, forKey: .bytesDown)
  }
}
