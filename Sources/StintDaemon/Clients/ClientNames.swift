import StintModel
import StintUnits

/// The owners of clients' names. Every entry for clients claims its names here, so a name never has two
/// owners at a time.
final class ClientNames: Sendable {
  /// The entry through which a client came.
  enum Owner: Sendable {
    /// A site or scenario file; never released.
    case file
    /// The control socket.
    case program
    /// The app that embeds the bus.
    case app
  }

  private let owners: Locked<[ClientID: Owner]>

  /// Makes the table with the clients of the site or scenario file.
  init(_ reserved: Set<ClientID>) {
    owners = Locked(Dictionary(uniqueKeysWithValues: reserved.map { ($0, .file) }))
  }

  /// Returns the owner of a name; nil for a free name.
  func owner(of client: ClientID) -> Owner? { owners.withLock { $0[client] } }

  /// Returns true for a client of the app, and false for a program or a client of a file. Nil for a free
  /// name.
  func isOfApp(_ client: ClientID) -> Bool? { owner(of: client).map { $0 == .app } }

  /// Gives a name to a new client, until `release(_:)`.
  ///
  /// - Throws: `Problem.Code.inUse` when another client has the name.
  func claim(_ client: ClientID, as owner: Owner) throws(Problem) {
    let former = owners.withLock { owners in
      defer { owners[client] = owners[client] ?? owner }
      return owners[client]
    }
    switch former {
    case nil: return
    case .file:
      throw Problem(
        .inUse, cause: "the site has a client named “\(client)”", remedy: "use another name")
    case .program:
      throw Problem(
        .inUse, cause: "a program named “\(client)” is attached already",
        remedy: "end that program, or use another name")
    case .app:
      throw Problem(
        .inUse, cause: "a client named “\(client)” is attached already",
        remedy: "use this client, detach it first, or use another name")
    }
  }

  /// Frees the name of a client that has left.
  func release(_ client: ClientID) {
    owners.withLock { owners in if owners[client] != .file { owners[client] = nil } }
  }
}
