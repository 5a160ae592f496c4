import StintGovernor
import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintDaemon
@testable import StintRuntime
@testable import StintTools

/// Tests a daemon whose policy loader waits until `gate` is true, which simulates a slow check.
@Suite("Runs while a policy is checked") struct HeldLoadTests {
  private final class Bench: Sendable {
    let host: Host
    let policies: PolicyStore
    let answers: ControlAnswers
    let gate = Monitor(false)
    let loads = Monitor<[String]>([])
    let ready = Monitor(0)
    let loop: LoopExecutor
    let start: Instant

    init(_ temporaryFiles: TemporaryFiles) throws {
      loop = try LoopExecutor()
      let stage = try SimulationStage(scenario: try temporaryFiles.walk(), trace: nil, timeZone: nil, seed: 1)
      let loaded = try stage.load(policies: [try temporaryFiles.policy()])
      let files = FileWorker(on: loop, log: .none)
      let gate = gate
      let loads = loads
      let ready = ready
      let access = PolicyTexts(stage.vocabulary).access(to: "walk.stint")
      let setup = stage.setup(meter: EnergyMeter(), seed: 1)
      policies = PolicyStore(
        setup: setup,
        wallClock: WallClock(
          stage.scenario.timeZone,
          clock: RunClock(start: stage.scenario.start, anchor: MonotonicInstant(nanoseconds: 0)),
          reading: nil),
        loaded: loaded, kept: nil, in: nil, on: loop, files: files, watched: "policies",
        notify: { ready.changeForAll { $0 += 1 } },
        load: { sources in
          loads.changeForAll { $0.append(sources.map(\.text).joined()) }
          _ = gate.wait { $0 ? true : nil }
          return try access.load(sources)
        }, log: .none)
      answers = ControlAnswers(
        policies: policies, setup: setup, decisions: DecisionStore(in: nil, on: loop) {}, files: files,
        log: .none)
      start = stage.scenario.start
      host = Host(
        governor: Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: start),
        plugins: try stage.plugins(meter: EnergyMeter(), seed: 1))
    }

    /// Applies prepared edits to the host after each notification, until `isDone` returns true.
    func settle(at instant: Instant, until isDone: @Sendable () -> Bool) async {
      var seen = 0
      while !isDone() {
        seen = await Spawner.runOnThread { [ready, seen] in ready.wait { $0 > seen ? $0 : nil } }
        await policies.applyPrepared(host, at: instant)
      }
    }

    func ask(
      _ question: String, isTrusted: Bool = true, mayRead: Bool = true, at instant: Instant
    ) async -> String? {
      let reply = Locked<String?>(nil)
      await answers.answer(
        ControlQuestion(question), isTrusted: isTrusted, mayRead: mayRead, host, at: instant
      ) { text in
        reply.withLock { $0 = text }
      }
      return reply.withLock { $0 }
    }
  }

  private static func policy(_ version: Int) -> String {
    """
    policy "walk" version \(version)
    use location.gnss as gps required
    rule hold while app.state is background { batch gps until 1 min }
    """
  }

  @Test("a member of the socket's group gets the status and the reasons, and cannot change policies")
  func readers() throws {
    let bench = try Bench(TemporaryFiles())
    let start = bench.start
    let replies = Locked<[String]>([])
    Spawner.run(on: bench.loop) {
      await bench.host.open()
      for mayRead in [true, false] {
        for question in ["status", "why-not", "rollback", "push"] {
          let text =
            await bench.ask(
              "{\"ask\": \"\(question)\", \"thing\": \"location.gnss\"}", isTrusted: false, mayRead: mayRead,
              at: start) ?? ""
          replies.withLock { $0.append(text) }
        }
      }
      await bench.host.close(at: start)
    }.get()
    let isDone = replies.withLock { $0.map { $0.contains("\"ok\":true") } }
    #expect(isDone == [true, true, false, false, false, false, false, false], "\(replies.withLock { $0 })")
    #expect(replies.withLock { $0[2].contains("may change policies") })
  }

  @Test(
    "during the check of a policy, steps and status answers continue; then the policy comes into force")
  func held() throws {
    let bench = try Bench(TemporaryFiles())
    let start = bench.start
    let outcome = Locked<PolicyStore.Outcome?>(nil)
    Spawner.run(on: bench.loop) {
      await bench.host.open()
      await bench.policies.begin(bench.host, recalling: nil, at: start)
      let push = PolicyEdit(kind: .push(SourceText(file: "walk.stint", text: Self.policy(7)))) { result in
        outcome.withLock { $0 = result }
      }
      await bench.policies.submit(push, bench.host)
      // The loader waits at the gate on its own thread.
      await bench.host.run(until: start + .minutes(5))
      #expect(await bench.host.now == start + .minutes(5))
      let status = await bench.ask(#"{"ask":"status"}"#, at: start + .minutes(5))
      #expect(status?.contains("walk version 1") == true)
      #expect(outcome.withLock { $0 == nil })

      bench.gate.changeForAll { $0 = true }
      await bench.settle(at: start + .minutes(5)) { outcome.withLock { $0 != nil } }
      #expect(outcome.withLock { $0?.isDone } == true)
      let after = await bench.ask(#"{"ask":"status"}"#, at: start + .minutes(5))
      #expect(after?.contains("walk version 7") == true)
    }.get()
  }

  @Test("of several file edits during a check, the newest comes into force and the others are skipped")
  func newest() throws {
    let bench = try Bench(TemporaryFiles())
    let start = bench.start
    let text = Locked(Self.policy(2))
    Spawner.run(on: bench.loop) {
      await bench.host.open()
      await bench.policies.begin(bench.host, recalling: nil, at: start)
      let answers = Locked<[String]>([])
      @Sendable func edit() -> PolicyEdit {
        PolicyEdit(kind: .files { [SourceText(file: "walk.stint", text: text.withLock { $0 })] }) { result in
          answers.withLock { $0.append(result?.text ?? "") }
        }
      }
      await bench.policies.submit(edit(), bench.host)
      _ = await Spawner.runOnThread { [loads = bench.loads] in loads.wait { $0.isEmpty ? nil : true } }
      for version in 3...9 {
        text.withLock { $0 = Self.policy(version) }
        await bench.policies.submit(edit(), bench.host)
      }
      bench.gate.changeForAll { $0 = true }
      await bench.settle(at: start) { answers.withLock { $0.count == 2 } }
      #expect(bench.loads.wait { $0 } == [Self.policy(2), Self.policy(9)])
      let status = await bench.ask(#"{"ask":"status"}"#, at: start)
      #expect(status?.contains("walk version 9") == true)
    }.get()
  }

  @Test("a push with an error is refused with its diagnostics, and the next edit is prepared")
  func refused() throws {
    let bench = try Bench(TemporaryFiles())
    let start = bench.start
    bench.gate.changeForAll { $0 = true }
    Spawner.run(on: bench.loop) {
      await bench.host.open()
      await bench.policies.begin(bench.host, recalling: nil, at: start)
      let answers = Locked<[PolicyStore.Outcome]>([])
      for text in ["policy \"walk\" version 1\nrule r every 1 ns { flush location.gnss }\n", Self.policy(4)] {
        let edit = PolicyEdit(kind: .push(SourceText(file: "walk.stint", text: text))) { result in
          if let result { answers.withLock { $0.append(result) } }
        }
        await bench.policies.submit(edit, bench.host)
      }
      await bench.settle(at: start) { answers.withLock { $0.count == 2 } }
      let outcomes = answers.withLock { $0 }
      #expect(outcomes.map(\.isDone) == [false, true])
      #expect(outcomes.first?.text.contains("P0306") == true)
    }.get()
  }
}
