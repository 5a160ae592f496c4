import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

@testable import StintLab
@testable import StintTools

/// Tests the simulated crashes of a swarm's daemon: the crashes depend on the seed, and saved state survives
/// them. Also tests that `ServiceWatch` reports violations after a restart.
@Suite struct RestartSwarmTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let id = ServiceID("app", "s")

  private func at(_ second: Int64) -> Instant { Self.start + .seconds(second) }

  @Test(
    "crashes depend only on the seed, and their outages neither overlap nor reach the last tenth of the run")
  func crashes() {
    var count = 0
    var within = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      let crashes = RestartSwarm(seed: seed, start: Self.start, duration: .hours(10)).crashes
      #expect(crashes == RestartSwarm(seed: seed, start: Self.start, duration: .hours(10)).crashes)
      count += crashes.count
      within += crashes.count { $0.isWithinWrite }
      var free = Self.start
      for death in crashes {
        #expect(death.at > free && death.outage >= .seconds(1))
        #expect(death.latest == death.at || death.isWithinWrite)
        free = death.latest + death.outage
      }
      #expect(free < Self.start + .hours(9))
    }
    #expect((100...300).contains(count))
    #expect(within > count / 3 && within < count * 2 / 3)
    #expect(RestartSwarm(seed: 1, start: Self.start, duration: .zero).crashes.isEmpty)
  }

  @Test("in at least 50 of 200 swarms, a crash happens while the disk is full")
  func fullDisk() {
    let strike = InjectedFault(
      device: InjectedFault.phone, at: .hours(3), duration: .hours(1), kind: .disk)
    let hit = (1...200 as ClosedRange<UInt64>).count { seed in
      RestartSwarm(seed: seed, start: Self.start, duration: .hours(10), faults: [strike]).crashes.contains {
        at(3 * 3600) <= $0.at && $0.at < at(4 * 3600)
      }
    }
    #expect(hit >= 50)
  }

  @Test("the disk returns the last saved state; a full disk and the disk of a crashed daemon save nothing")
  func disk() throws {
    let disk = SwarmDisk()
    #expect(try disk.services() == nil)
    try disk.keep(Array("first".utf8))
    disk.note(isFull: true)
    #expect(throws: Problem.self) { try disk.keep(Array("second".utf8)) }
    #expect(!disk.hasCrashed)
    disk.note(isFull: false)
    disk.crashAtNextWrite()
    #expect(!disk.hasCrashed)
    #expect(throws: Problem.self) { try disk.keep(Array("second".utf8)) }
    #expect(disk.hasCrashed)
    #expect(throws: Problem.self) { try disk.keep(Array("third".utf8)) }
    disk.restart()
    #expect(disk.content == Array("first".utf8))
    try disk.keep(Array("fourth".utf8))
    #expect(disk.content == Array("fourth".utf8))
  }

  @Test("a disk that was full lacks the latest state, even if the daemon crashes at its next write")
  func behind() throws {
    let disk = SwarmDisk()
    try disk.keep(Array("first".utf8))
    #expect(!disk.isBehind)
    disk.note(isFull: true)
    #expect(throws: Problem.self) { try disk.keep(Array("second".utf8)) }
    disk.crashAtNextWrite()
    #expect(throws: Problem.self) { try disk.keep(Array("third".utf8)) }
    #expect(disk.hasCrashed && disk.isBehind)
    disk.note(isFull: false)
    disk.restart()
    #expect(!disk.isBehind)
    try disk.keep(Array("fourth".utf8))
    #expect(!disk.isBehind)
  }

  // MARK: Violations that the checker finds

  private func board(_ request: (any ServiceRequest)?) throws -> ServiceBoard {
    var board = ServiceBoard(Vocabulary(manifests: try ReferencePhone.manifests()), at: at(0))
    var inputs = [ServiceInput.attach("app", permissions: .always, mayBackground: true)]
    if let request { inputs.append(.ask(Self.id, request, receivers: .both)) }
    _ = board.step(inputs, at: at(0))
    return board
  }

  private func watch() throws -> ServiceWatch {
    ServiceWatch(start: Self.start, manifests: try ReferencePhone.manifests())
  }

  @Test("a saved service that is not restored is reported as a violation")
  func lost() throws {
    let watch = try watch()
    let kept = try board(VisitsRequest())
    let content = try ServicesFile.content(for: kept.saved)
    watch.recalled(content, kept, at: at(10))
    #expect(watch.broken.isEmpty)
    watch.recalled(content, try board(nil), at: at(10))
    #expect(watch.broken.map(\.rule) == [.keeping])
    watch.recalled(Array(#"{"services":{"services":[3]}}"#.utf8), kept, at: at(11))
    watch.lost("the disk lacks state of the services", at: at(12))
    #expect(watch.broken.map(\.rule) == [.keeping, .keeping, .keeping])
  }

  @Test(
    "after a restart, a repeated notice of a region is a violation only if the first notice could be saved"
  )
  func regions() throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    func told(isBehind: Bool) throws -> [BrokenInvariant.Rule] {
      let watch = try watch()
      watch.record([.attach("app", permissions: .always, mayBackground: true)], at: at(0))
      watch.record(
        [.ask(Self.id, RegionsRequest([Region("a", centre: place, radius: .meters(100))]), receivers: .both)],
        at: at(0))
      watch.served(.notice(Self.id, RegionNotice.known(region: "a", isInside: true)), at: at(1))
      watch.lose(isBehind: isBehind, at: at(2))
      watch.record([.attach("app", permissions: .always, mayBackground: true)], at: at(3))
      watch.served(.notice(Self.id, RegionNotice.known(region: "a", isInside: true)), at: at(4))
      return watch.broken.map(\.rule)
    }
    #expect(try told(isBehind: false) == [.notices])
    #expect(try told(isBehind: true).isEmpty)
  }

  @Test(
    "a task that ends both before and after a crash is a violation, and a lost task is a violation, too"
  )
  func tasks() throws {
    let watch = try watch()
    watch.record([.attach("app", permissions: .always, mayBackground: true)], at: at(0))
    watch.record([.ask(Self.id, TransferConfiguration(), receivers: .both)], at: at(0))
    for notice in [TransferNotice.accepted("a"), .accepted("b"), .finished("a", file: nil)] {
      watch.served(.notice(Self.id, notice), at: at(1))
    }
    watch.lose(isBehind: true, at: at(2))
    watch.record([.attach("app", permissions: .always, mayBackground: true)], at: at(3))
    watch.served(.notice(Self.id, TransferNotice.finished("a", file: nil)), at: at(4))
    #expect(watch.broken.map(\.rule) == [.tasks])
    let board = try board(TransferConfiguration())
    watch.finish(
      board, Governor(vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()), at: at(0)),
      at: at(60))
    #expect(watch.broken.map(\.rule) == [.tasks, .tasks])
  }

  @Test("observers receive no events of a daemon after its crash")
  func mortality() throws {
    let watch = try watch()
    let disk = SwarmDisk()
    let observer = CrashableObserver(watch, until: disk)
    observer.served(.notice(Self.id, LocationNotice.resumed), at: at(1))
    #expect(watch.broken.map(\.rule) == [.notices])
    disk.crash()
    observer.served(.notice(Self.id, LocationNotice.resumed), at: at(2))
    #expect(watch.broken.count == 1)
    #expect(watch.notices == 1)
  }
}
