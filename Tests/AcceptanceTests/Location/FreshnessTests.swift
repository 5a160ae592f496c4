import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// The age and accuracy of delivered positions. Positions older than `max_age` are not delivered as current,
/// and coarser positions than requested carry a flag.
@Suite struct FreshnessTests {
  /// Returns late, timely, repeated, reordered, coarse and fine samples; some are from the future or have no
  /// valid accuracy.
  private func samples(_ random: inout SeededRandom, _ client: HandFedClient) throws -> [Sample] {
    var samples: [Sample] = []
    for _ in 0...Int.random(in: 0...4, using: &random) {
      var age = TimeSpan.zero
      switch Int.random(in: 0..<8, using: &random) {
      case 0: age = .seconds(Int64.random(in: 3600...40_000, using: &random))
      case 1: age = .seconds(Int64.random(in: 61...3600, using: &random))
      case 2: age = .seconds(Int64.random(in: 1...61, using: &random))
      case 3: age = .seconds(-Int64.random(in: 1...400, using: &random))
      default: age = .milliseconds(Int64.random(in: 0...900, using: &random))
      }
      let radius = random.pick([.nan, 3, 4, 5, 9, 20, 45, 90, 400, 2000] as [Double])
      samples.append(
        try client.sample(
          age, north: Double.random(in: -150_000...150_000, using: &random), accuracy: radius,
          sequence: UInt64.random(in: 0..<6, using: &random)))
    }
    return samples
  }

  private func story(
    _ random: inout SeededRandom, _ client: inout HandFedClient, _ request: any ServiceRequest
  ) throws {
    client.ask(request)
    for _ in 0..<Int.random(in: 2...8, using: &random) {
      client.run(for: .milliseconds(Int64.random(in: 0...20_000, using: &random)))
      client.deliver(try samples(&random, client), Bool.random(using: &random) ? .immediate : .full)
      if Int.random(in: 0..<6, using: &random) == 0 {
        let state: FactValue = .symbol(Int.random(in: 0...1, using: &random))
        client.serve(.fact("app.state", state))
      }
    }
    client.run(for: .minutes(2))
  }

  private let ages = [TimeSpan.zero, .seconds(1), .seconds(10), .seconds(60), .minutes(10), .hours(2)]

  @Test("F14 R17: in random traces of updates each old or coarse fix has its flag")
  func updates() throws {
    let vocabulary = try HandFedClient.vocabulary()
    var told = (current: 0, stale: 0, poor: 0)
    let trials = Trials(10_000)
    for seed in trials.rounds {
      var random = SeededRandom(seed)
      let maxAge = random.pick(ages)
      let asked = random.pick([5, 10, 100, 1000] as [Double])
      var client = HandFedClient(vocabulary)
      try story(
        &random, &client,
        LocationUpdates(
          accuracy: .meters(asked), filter: random.pick([nil, .meters(10), .meters(500)] as [Length?]),
          maxAge: maxAge.duration,
          background: Bool.random(using: &random), pausing: Bool.random(using: &random),
          fuzz: Int.random(in: 0..<5, using: &random) == 0))
      var last = Instant(nanoseconds: .min)
      var isTold = false
      for (at, fix) in client.fixes {
        let violations = [
          fix.instant > at, !fix.isStale && at - fix.instant > maxAge, !fix.isStale && fix.instant < last,
          fix.isPoor != (fix.accuracy > asked), fix.isCached && fix.isStale && isTold,
        ]
        #expect(!violations.contains(true), "seed \(seed): \(fix) at \(at), asked \(maxAge), \(asked) m")
        told.poor += fix.isPoor ? 1 : 0
        told.stale += fix.isStale ? 1 : 0
        guard !fix.isStale else { continue }
        told.current += 1
        isTold = true
        last = fix.instant
      }
    }
    #expect(
      told.current > trials.share(of: 10_000) && min(told.stale, told.poor) > trials.share(of: 1000),
      "\(told)")
  }

  @Test("F14 R17: in random traces of requests for one fix no answer is older than its request allows")
  func oneShots() throws {
    let vocabulary = try HandFedClient.vocabulary()
    var told = (answers: 0, cached: 0, partial: 0)
    let trials = Trials(10_000)
    for seed in trials.rounds {
      var random = SeededRandom(seed)
      let maxAge: TimeSpan? = random.pick(ages.map(Optional.some) + [nil, nil, nil])
      let asked = random.pick([5, 10, 100, 1000] as [Double])
      var client = HandFedClient(vocabulary)
      if Bool.random(using: &random) {
        try know(.seconds(Int64.random(in: 0...900, using: &random)), &client)
      }
      let began = client.now
      try story(&random, &client, FixRequest(accuracy: .meters(asked), maxAge: maxAge?.duration))
      #expect(client.fixes.count <= 1)
      guard let (at, fix) = client.fixes.first else { continue }
      let isAnswer = client.notices.contains {
        if case LocationNotice.answer = $0.notice { true } else { false }
      }
      let age = at - fix.instant
      let violations = [
        fix.instant > at, isAnswer && fix.isStale,
        isAnswer && age > maxAge ?? LocationDefaults.maxAge.timeSpan,
        isAnswer && maxAge == nil && fix.instant < began, fix.isPoor != (fix.accuracy > asked),
        !fix.isCached && fix.instant < began, !isAnswer && fix.isCached,
        !fix.isStale && age > maxAge ?? LocationDefaults.maxAge.timeSpan,
        isAnswer && fix.accuracy > max(asked, 10),
      ]
      #expect(!violations.contains(true), "seed \(seed): \(fix) at \(at), asked \(maxAge as Any), \(asked) m")
      told.answers += isAnswer ? 1 : 0
      told.cached += isAnswer && fix.isCached ? 1 : 0
      told.partial += isAnswer ? 0 : 1
    }
    #expect(
      told.answers > trials.share(of: 2000) && min(told.cached, told.partial) > trials.share(of: 300),
      "\(told)")
  }

  @Test("F14 R17: in random traces of a region watch no old position causes a crossing")
  func places() throws {
    let vocabulary = try HandFedClient.vocabulary()
    let home = try #require(HandFedClient.home)
    var known = 0
    let trials = Trials(10_000)
    for seed in trials.rounds {
      var random = SeededRandom(seed)
      var client = HandFedClient(vocabulary)
      client.ask(RegionsRequest([Region("home", centre: home, radius: .meters(150))]))
      for number in 0..<6 as Range<UInt64> {
        client.run(for: .seconds(Int64.random(in: 1...600, using: &random)))
        // The phone was at home, and is far away now.
        var samples: [Sample] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let age = TimeSpan.seconds(Int64.random(in: 11...40_000, using: &random))
          samples.append(try client.sample(age, accuracy: 5, sequence: number))
        }
        if Bool.random(using: &random) || samples.isEmpty {
          samples.append(try client.sample(.zero, north: 130_000, accuracy: 50, sequence: number))
        }
        samples.shuffle(using: &random)
        client.deliver(samples)
      }
      for (_, notice) in client.notices {
        guard let notice = notice as? RegionNotice else { continue }
        known += 1
        #expect(notice == .known(region: "home", isInside: false), "seed \(seed): \(notice)")
      }
    }
    #expect(known > trials.share(of: 5000), "\(known)")
  }

  // This case comes from a report about flutter_background_geolocation. The platform first delivers an
  // accurate position that is hours old and 130 km away, and then the current position with a lower accuracy.
  // A client that compares only accuracies uses the old position.

  @Test("F14 W5: when an old, more accurate position comes first, the current position is the answer")
  func oldAndFine() throws {
    for maxAge in [nil, .zero, .seconds(60), .hours(2)] as [TimeSpan?] {
      var client = HandFedClient(try HandFedClient.vocabulary())
      try know(.hours(3), &client)
      client.ask(FixRequest(accuracy: .meters(50), maxAge: maxAge?.duration))
      #expect(client.demands.count == 1, "the known position is too old")
      client.run(for: .seconds(1))
      client.deliver([try client.sample(.hours(3), north: 130_000, accuracy: 3)])
      #expect(client.notices.isEmpty)
      client.run(for: .seconds(3))
      client.deliver([
        try client.sample(.hours(3), north: 130_000, accuracy: 3, sequence: 1),
        try client.sample(.zero, accuracy: 20, sequence: 2),
      ])
      let (_, fix) = try #require(client.fixes.first)
      #expect(client.fixes.count == 1 && client.demands.isEmpty)
      #expect(fix.sequence == 2 && fix.accuracy == 20 && !fix.isCached && !fix.isStale && !fix.isPoor)
    }
  }

  @Test(
    "F14 W5: in updates, the old position is flagged, does not affect the filter, and is not repeated")
  func oldAndFineStream() throws {
    var client = HandFedClient(try HandFedClient.vocabulary())
    client.ask(LocationUpdates(accuracy: .meters(50), filter: .meters(500), maxAge: .seconds(60)))
    client.run(for: .seconds(1))
    client.deliver([try client.sample(.hours(3), north: 100, accuracy: 3)])
    client.run(for: .seconds(1))
    client.deliver([try client.sample(.zero, accuracy: 80, sequence: 1)])
    client.run(for: .seconds(1))
    client.deliver([try client.sample(.hours(2), north: 130_000, accuracy: 3, sequence: 2)])
    client.run(for: .seconds(1))
    client.deliver([try client.sample(.zero, north: 600, accuracy: 20, sequence: 3)])
    let fixes = client.fixes.map(\.fix)
    #expect(fixes.map(\.isStale) == [true, false, false])
    #expect(fixes.map(\.isCached) == [true, false, false])
    #expect(fixes.map(\.isPoor) == [false, true, false])
  }

  @Test(
    "F14: a sufficiently recent and accurate known position answers a request without powering a device")
  func knownAlready() throws {
    let cases: [(age: TimeSpan, accuracy: Double, maxAge: TimeSpan?, answers: Bool)] = [
      (.seconds(30), 5, .seconds(60), true), (.seconds(60), 5, .seconds(60), true),
      (.seconds(61), 5, .seconds(60), false), (.seconds(30), 80, .seconds(60), false),
      (.seconds(1), 5, nil, false), (.zero, 5, .zero, true),
    ]
    for entry in cases {
      var client = HandFedClient(try HandFedClient.vocabulary())
      try know(entry.age, &client, accuracy: entry.accuracy)
      client.ask(FixRequest(accuracy: .meters(50), maxAge: entry.maxAge?.duration))
      #expect(client.demands.isEmpty == entry.answers, "\(entry)")
      #expect(client.fixes.map(\.fix.isCached) == (entry.answers ? [true] : []), "\(entry)")
    }
  }

  @Test("F14: a client without permission, or in the background, gets no known position")
  func knownToOthers() throws {
    var client = HandFedClient(try HandFedClient.vocabulary())
    try know(.seconds(1), &client)
    client.serve(.authorize("app", .undecided))
    client.ask(FixRequest(accuracy: .meters(50), timeout: .seconds(10), maxAge: .minutes(1)))
    #expect(client.notices.isEmpty)
    client.serve(.authorize("app", .whenInUse))
    #expect(client.fixes.count == 1)
    var hidden = HandFedClient(try HandFedClient.vocabulary())
    try know(.seconds(1), &hidden)
    let schema = try #require(try HandFedClient.vocabulary().schema("app.state"))
    hidden.serve(.fact("app.state", schema.value(from: "background") ?? .unknown))
    hidden.ask(FixRequest(accuracy: .meters(50), maxAge: .minutes(1)))
    #expect(hidden.fixes.isEmpty && hidden.demands.count == 1)
  }

  @Test("F14: a request with a negative maximum age is refused")
  func negative() throws {
    var client = HandFedClient(try HandFedClient.vocabulary())
    client.ask(FixRequest(maxAge: .seconds(-1)))
    client.ask(LocationUpdates(maxAge: .seconds(-1)))
    #expect(client.refusals.map(\.code) == [.invalid, .invalid])
    #expect(client.demands.isEmpty)
  }

  /// Publishes the home position, with this age, as facts of the receiver.
  private func know(_ age: TimeSpan, _ client: inout HandFedClient, accuracy: Double = 5) throws {
    let place = try #require(HandFedClient.home)
    for (name, value) in [
      ("latitude", place.latitude), ("longitude", place.longitude), ("accuracy", accuracy),
    ] {
      client.serve(.known("location.gnss.\(name)", .number(value), since: client.now - age))
    }
  }
}
