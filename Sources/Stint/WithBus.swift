/// Runs a closure with a bus, and closes the bus when the closure returns or throws.
///
///     try await withBus(Bus(plugins: .linked(phone.plugins()), clock: .virtual)) { bus in … }
///
/// - Parameters:
///   - bus: an open bus.
///   - body: uses the bus. The bus is closed when this closure has ended in any manner.
/// - Throws: the error of the closure.
public func withBus<Result: Sendable>(
  _ bus: Bus, _ body: (Bus) async throws -> Result
) async throws -> Result {
  do {
    let result = try await body(bus)
    await bus.close()
    return result
  } catch {
    await bus.close()
    throw error
  }
}
