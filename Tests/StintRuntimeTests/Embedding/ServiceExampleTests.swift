import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

private func follow(_ app: Client, home: Coordinate) async throws -> (here: Fix?, way: [Fix]) {
  let request = FixRequest(accuracy: .meters(50), maxAge: .minutes(1))
  let here: Fix? = try await app.withService("here", request) { notices in
    for await notice in notices { if case LocationNotice.answer(let fix) = notice { return fix } }
    return nil
  }
  var way: [Fix] = []
  try await app.withService("way", LocationUpdates(accuracy: .meters(10), activity: .fitness)) { notices in
    for await notice in notices {
      if case LocationNotice.fixes(let fixes) = notice { way += fixes.filter { !$0.isStale } }
      if way.count >= 60 { break }
    }
  }
  // These services continue until the app ends them.
  _ = try await app.ask("regions", for: RegionsRequest([Region("home", centre: home, radius: .meters(150))]))
  _ = try await app.ask("visits", for: VisitsRequest())
  _ = try await app.ask("shaking", for: MotionRequest(.acceleration, .pull, interval: .milliseconds(100)))
  try await app.send("shaking", MotionCommand.read)
  _ = try await app.ask("sync", for: TransferConfiguration())
  let mail = TransferRequest(.download(from: "https://mail.example/new"), bytesDown: 9000)
  try await app.send("sync", TransferCommand.create("mail", mail))
  try await app.send("sync", TransferCommand.resume("mail"))
  return (here, way)
}

/// Compiles and runs the example of services in the embedding guide.
@Suite struct ServiceExampleTests {
  @Test("the services of the guide deliver a fix, a path, a region, a motion sample and a file")
  func runs() async throws {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let (orders, said) = AsyncStream.makeStream(of: TransferOrder.self)
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)),
      onOrder: { client, session, order in
        #expect(client == "trail-app" && session == "sync")
        if let order = order as? TransferOrder { said.yield(order) }
      })
    let app = try await bus.attach("trail-app", authorized: .always)
    async let _ = bus.flow()
    let (here, way) = try await follow(app, home: scenario.origin)
    #expect(try #require(here).accuracy <= 50)
    #expect(way.count >= 60 && way.allSatisfy { !$0.isStale })

    var regions = await app.notices(of: "regions").makeAsyncIterator()
    var first: RegionNotice?
    while first == nil, let notice = await regions.next() { first = notice as? RegionNotice }
    guard case .known(region: "home", _)? = first else {
      Issue.record("\(String(describing: first))")
      return
    }
    var shaking = await app.notices(of: "shaking").makeAsyncIterator()
    guard case .latest? = await shaking.next() as? MotionNotice else {
      Issue.record("the pull has no answer")
      return
    }
    async let carried: Void = carry(orders, for: app)
    var isFetched = false
    for await notice in await app.notices(of: "sync") {
      if case TransferNotice.finished("mail", file: "/tmp/new")? = notice as? TransferNotice {
        isFetched = true
      }
      if isFetched { break }
    }
    said.finish()
    try await carried
    #expect(isFetched)
    await bus.close()
  }

  /// Simulates the process that communicates with servers.
  private func carry(_ orders: AsyncStream<TransferOrder>, for app: Client) async throws {
    for await order in orders {
      guard case .complete(let exchange) = order else { continue }
      let done = TransferReport.finished(file: "/tmp/new")
      try await app.send("sync", TransferCommand.report(exchange.task, attempt: exchange.attempt, done))
    }
  }

  @Test("the embedding guide contains exactly the function `follow` of this file")
  func shown() throws {
    func plain(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    let guide = try FileText.read(Repository.path("Sources/Stint/Stint.docc/Embedding.md"))
    let test = try FileText.read(
      Repository.path("Tests/StintRuntimeTests/Embedding/ServiceExampleTests.swift"))
    let blocks = String(decoding: guide, as: UTF8.self).components(betweenFences: "swift")
    let example = try #require(blocks.first { $0.contains("func follow(") })
    let code = try #require(example.split(separator: "func follow(").last)
    #expect(plain(String(decoding: test, as: UTF8.self)).contains(plain("func follow(" + code)))
  }
}

extension String {
  /// Returns the text of the fenced code blocks that begin with this word.
  fileprivate func components(betweenFences word: String) -> [String] {
    split(separator: "```" + word + "\n").dropFirst().compactMap { part in
      part.split(separator: "```").first.map(String.init)
    }
  }
}
