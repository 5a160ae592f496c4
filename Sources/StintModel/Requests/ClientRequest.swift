/// A request of a client for a service. In files and messages, a request consists of the name of its kind and
/// an object with its settings.
///
/// Site files, scenarios and the messages of client programs use these types. `StintServices` executes
/// the requests.
public protocol ClientRequest: Decodable, Hashable, Sendable {
  /// The name of the kind in files and messages, such as `updates`.
  static var kind: String { get }
}

/// The kinds of requests that a reader of files or messages accepts.
public struct RequestKinds: Sendable {
  private let types: [any ClientRequest.Type]

  /// Makes a set of kinds. When two types have the same kind, the first one is used.
  public init(_ types: [any ClientRequest.Type]) { self.types = types }

  /// The names of the kinds, in the order of the types.
  public var names: [String] { types.map { $0.kind } }

  /// Returns the type of the requests of a kind; nil when the kind is unknown.
  public subscript(kind: String) -> (any ClientRequest.Type)? { types.first { $0.kind == kind } }
}
