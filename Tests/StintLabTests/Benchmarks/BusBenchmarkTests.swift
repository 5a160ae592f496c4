import StintRuntime
import Testing

@testable import StintLab
@testable import StintTools

/// Tests that the bus benchmark measures correctly. No test checks a speed.
@Suite struct BusBenchmarkTests {
  @Test(
    "every bus mechanism delivers every sample to every subscriber",
    arguments: [(1, 64), (4, 64), (1, 1), (3, 5)])
  func carriers(subscribers: Int, size: Int) throws {
    let load = BusLoad(subscribers: subscribers, size: size, batches: 200)
    #expect(load.batches == 192, "the batches are a multiple of a burst")
    let loop = try LoopExecutor()
    let carriers: [any BusMechanism.Type] = [
      ChannelCarrier.self, BoundActorHopCarrier.self, ActorHopCarrier.self, StreamCarrier.self,
    ]
    for carrier in carriers {
      let sum = Spawner.run(on: loop) { await carrier.carry(load, on: loop) }
      #expect(sum == .success(load.checksum), "\(carrier.name)")
    }
  }

  @Test("the output of the libzmq program is parsed; other texts give nil")
  func messageQueue() throws {
    let answers = try #require(MessageQueueProgram.answers(in: "4 64 1 100.0 50.0\n1 1 0 90.0 20.0\n"))
    #expect(answers.map(\.subscribers) == [4, 1])
    #expect(answers[0].rate == 64 * 1e9 / 400)
    #expect(answers[0].nanosecondsOfWork == 50.0 / 64)
    // In this run without threads, other processes may have used the CPU, so the rate is based on CPU time.
    #expect(answers[1].rate == 1e9 / 20)
    for text in ["", "4 64 1 100.0", "4 64 1 0 50.0", "four 64 1 100.0 50.0"] {
      #expect(MessageQueueProgram.answers(in: text) == nil, "\(text)")
    }
  }

  @Test("at least half of the latencies are at most the median, and at least 99 % are at most `tail`")
  func latency() {
    let latency = Latency((1...1000).reversed().map { Int64($0) })
    #expect(latency.median == 501)
    #expect(latency.tail == 991)
    #expect(Latency([7]) == Latency([7, 7]))
  }

  @Test("the time from a fact to a device's setting is positive, and the tail is at least the median")
  func governed() throws {
    let bench = try GovernedBench.within(50, on: try LoopExecutor())
    #expect(bench.median > 0)
    #expect(bench.tail >= bench.median)
  }

  @Test("the benchmark shows all its figures as a table and as JSON")
  func figures() throws {
    let benchmark = try BusBenchmark(batches: 64, wakes: 40)
    #expect(benchmark.loads.map(\.size) == [64, 64, 1, 1])
    #expect(benchmark.within.count == 4 && benchmark.fromThread.count == 3)
    let text = benchmark.text()
    for word in ["AsyncStream", "actor hop", "4 subscribers", "single samples", "governor", "queue behind"] {
      #expect(text.contains(word), "\(word)")
    }
    #expect(text.contains("libzmq"), "measured, or reported as missing")
    #expect(benchmark.jsonText.contains("\"median_ns\""))
    #expect(!benchmark.jsonText.contains("\n"))
  }
}
