import StintFormats
import StintModel
import StintRuntime
import StintSimulation
import StintUnits

/// Scores the last delivered position at each whole second, separately for each position demand of a client.
///
/// A position counts from its delivery on, not while it waits in a queue.
final class PositionJudge: HostObserver {
  private struct Watch {
    let bound: Double
    var view: any WorldView
    /// The next whole second to score, in nanoseconds.
    var next: Int64
    var latest: (position: Coordinate, instant: Instant)?
  }

  private struct State {
    var watches: [DemandID: Watch] = [:]
    var score = TuningScore()
  }

  private let world: any WorldSource
  private let clients: Set<ClientID>
  private let bound: Double?
  private let state = Locked(State())

  /// Creates a judge for the deliveries to these clients.
  ///
  /// - Parameter bound: the maximum accepted error in metres; nil for the accuracy that the client requests.
  init(world: any WorldSource, clients: Set<ClientID>, bound: Double?) {
    self.world = world
    self.clients = clients
    self.bound = bound
  }

  /// Returns the score of all seconds up to the end of the run.
  func score(at end: Instant) -> TuningScore {
    state.withLock { state in
      for id in state.watches.keys.sorted() { Self.judge(id, until: end, in: &state) }
      return state.score
    }
  }

  func raised(_ demand: Demand, at instant: Instant) {
    guard clients.contains(demand.client), demand.target.path.hasPrefix("location."),
      let bound = bound ?? demand.wants.accuracy
    else { return }
    state.withLock { state in
      do throws(Problem) {
        state.watches[demand.id] = Watch(
          bound: bound, view: try world.makeView(), next: Self.secondFrom(instant))
      } catch {
        // The track was read once before the run. If it is no longer readable, the demand is not scored.
        return
      }
    }
  }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    guard batch.device.path.hasPrefix("location.") else { return }
    state.withLock { state in
      guard state.watches[demand.id] != nil else { return }
      Self.judge(demand.id, until: instant, in: &state)
      for sample in batch.samples {
        guard let position = Coordinate(latitude: sample.first, longitude: sample.second),
          state.watches[demand.id]?.latest.map({ $0.instant <= sample.instant }) ?? true
        else { continue }
        state.watches[demand.id]?.latest = (position, sample.instant)
      }
    }
  }

  func released(_ demand: Demand, at instant: Instant) {
    state.withLock { state in
      Self.judge(demand.id, until: instant, in: &state)
      state.watches[demand.id] = nil
    }
  }

  private static func judge(_ id: DemandID, until instant: Instant, in state: inout State) {
    guard var watch = state.watches[id] else { return }
    while watch.next < instant.nanoseconds {
      let truth = watch.view.state(at: Instant(nanoseconds: watch.next))
      watch.next += 1_000_000_000
      state.score.seconds += 1
      guard let latest = watch.latest else { continue }
      let distance = latest.position.distance(to: truth.position)
      state.score.errorSum += distance
      state.score.errorSeconds += 1
      if distance <= watch.bound { state.score.goodSeconds += 1 }
    }
    state.watches[id] = watch
  }

  /// Returns the first whole second at or after an instant, in nanoseconds.
  private static func secondFrom(_ instant: Instant) -> Int64 {
    let whole = instant.nanoseconds / 1_000_000_000 * 1_000_000_000
    return whole < instant.nanoseconds ? whole + 1_000_000_000 : whole
  }
}
