/// A host app's place on the bus.
public struct Client: Sendable {
  /// What the user allows the app.
  public enum Authorization: Hashable, Sendable {
    /// Nothing yet: every demand fails.
    case undecided
    /// While the app is in front, or goes on with what it began there.
    case whenInUse
    /// At any time.
    case always
  }

  public let name: String
  let authorization: Authorization
  let bus: Bus

  /// Holds a demand for as long as the closure runs; leaving it ends the demand, whatever the way out.
  ///
  /// Throws what the closure throws, and `BusError` when the demand cannot be made.
  public func withDemand<Result: Sendable>(
    _ request: DemandRequest, _ body: (Batches) async throws -> Result
  ) async throws -> Result {
    guard authorization != .undecided else {
      throw BusError(
        .notAuthorized,
        "“\(name)” asks for \(request.target) before the user has allowed it; attach it again then")
    }
    let lease = try await bus.lease(request, for: name)
    do {
      let result = try await body(lease.batches)
      await bus.end(lease)
      return result
    } catch {
      await bus.end(lease)
      throw error
    }
  }
}
