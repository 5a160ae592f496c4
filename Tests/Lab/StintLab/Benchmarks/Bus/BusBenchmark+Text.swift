import StintFormats
import StintTools
import StintUnits

extension BusBenchmark {
  /// Returns the figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(
      ["Bus", "samples/s per subscriber", "slowest … fastest", "CPU per sample", "bus, times as fast"],
      .heading)
    for load in loads {
      let size = load.size == 1 ? "single samples" : "batches of \(load.size)"
      table.add(["  \(size), \(load.subscribers) \(load.subscribers == 1 ? "subscriber" : "subscribers")"])
      for carrying in load.carryings {
        table.add([
          "    \(carrying.name)", Self.rate(carrying.rate),
          "\(Self.rate(carrying.slowest)) … \(Self.rate(carrying.fastest))", Timing.text(carrying.work),
          load.ratio(to: carrying).map { "\(Self.times($0)) ×" } ?? "",
        ])
      }
    }
    table.add(["Published → setting", "median", "99 % within"], .heading)
    for (name, wakings) in [("on one executor", within), ("from a thread", fromThread)] {
      table.add(["  \(name)"])
      for waking in wakings {
        table.add([
          "    \(waking.name)", Timing.text(waking.latency.median), Timing.text(waking.latency.tail),
        ])
      }
    }
    if !crossings.isEmpty {
      table.add(["Thread to thread", "shared ring", "pipe", "", "ring, times as fast"], .heading)
    }
    for crossing in crossings {
      table.add([
        crossing.size == 1 ? "  single samples" : "  frames of \(crossing.size)",
        "\(Self.rate(1e9 / crossing.ring))", "\(Self.rate(1e9 / crossing.pipe))", "",
        "\(Self.times(crossing.pipe / crossing.ring)) ×",
      ])
    }
    if let boundary {
      table.add(["Process to process", "plugin", "ring, futex", "pipe", "plugin relative to"], .heading)
      for crossing in boundary.crossings {
        table.add([
          crossing.size == 1 ? "  single samples" : "  batches of \(crossing.size)",
          Self.rate(1e9 / crossing.plugin), Self.rate(1e9 / crossing.ring), Self.rate(1e9 / crossing.pipe),
          "\(Self.times(crossing.ring / crossing.plugin)) × the rate of the ring",
        ])
      }
      table.add([
        "  there and back", Timing.text(boundary.pluginTrip), "", Timing.text(boundary.pipeTrip),
        "\(Self.times(boundary.pluginTrip / boundary.pipeTrip)) × the time of the pipe",
      ])
    }
    var lines = [table.text(paint)]
    if boundary == nil {
      lines.append(paint.quiet("  not measured between processes: no C compiler"))
    }
    if let ratio = threadRatio {
      lines.append(
        paint.quiet(
          "  latency from a thread, bus relative to queue: \(Self.times(ratio.median)) × at the median, "
            + "\(Self.times(ratio.tail)) × at 99 %"))
    }
    if let allocations {
      lines.append(paint.quiet("  \(allocations) allocations in 100,000 batches"))
    }
    if !hasMessageQueue {
      lines.append(paint.quiet("  libzmq is not measured: no C compiler, or no zmq.h (libzmq3-dev)"))
    }
    lines.append(paint.quiet("  48 bytes per sample; rates by CPU time; \(machine)"))
    return lines.joined(separator: "\n")
  }

  /// The latency of the bus divided by the latency of the queue behind a lock, both measured from another
  /// thread. Nil when the queue was not measured.
  var threadRatio: (median: Double, tail: Double)? {
    guard let bus = fromThread.first?.latency, let queue = fromThread.last?.latency, queue.median > 0 else {
      return nil
    }
    return (bus.median / queue.median, bus.tail / queue.tail)
  }

  private static func rate(_ rate: Double) -> String { "\(Amounts.decimal(rate / 1e6)) M" }

  private static func times(_ ratio: Double) -> String { "\((ratio * 100).rounded() / 100)" }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "machine": JSONValue(machine), "has_libzmq": JSONValue(hasMessageQueue),
      "allocations": allocations.map { JSONValue($0) } ?? JSONValue.null,
      "loads": JSONValue(loads.map(\.json)), "within": JSONValue(within.map(\.json)),
      "from_thread": JSONValue(fromThread.map(\.json)),
      "thread_to_thread": JSONValue(
        crossings.map { crossing in
          [
            "size": JSONValue(crossing.size), "ring_ns_per_sample": JSONValue(crossing.ring),
            "pipe_ns_per_sample": JSONValue(crossing.pipe),
          ]
        }),
      "process_to_process": boundary?.json ?? JSONValue.null,
      "from_thread_ratio": threadRatio.map { ratio -> JSONValue in
        ["median": JSONValue(ratio.median), "tail": JSONValue(ratio.tail)]
      }
        ?? JSONValue.null,
    ])
  }
}

extension BusBenchmark.Load {
  /// Returns the rate of the bus relative to `carrying`; nil for the bus itself.
  func ratio(to carrying: BusBenchmark.Carrying) -> Double? {
    guard let bus = carryings.first, bus.name != carrying.name, carrying.rate > 0 else { return nil }
    return bus.rate / carrying.rate
  }

  fileprivate var json: JSONValue {
    [
      "subscribers": JSONValue(subscribers), "size": JSONValue(size),
      "carriers": JSONValue(
        carryings.map { carrying -> JSONValue in
          [
            "name": JSONValue(carrying.name), "samples_per_s": JSONValue(carrying.rate),
            "slowest": JSONValue(carrying.slowest), "fastest": JSONValue(carrying.fastest),
            "work_ns": JSONValue(carrying.work),
            "bus_ratio": ratio(to: carrying).map { JSONValue($0) } ?? JSONValue.null,
          ]
        }),
    ]
  }
}

extension BoundaryReport {
  fileprivate var json: JSONValue {
    [
      "crossings": JSONValue(
        crossings.map { crossing in
          [
            "size": JSONValue(crossing.size), "plugin_ns_per_sample": JSONValue(crossing.plugin),
            "ring_ns_per_sample": JSONValue(crossing.ring), "pipe_ns_per_sample": JSONValue(crossing.pipe),
          ]
        }),
      "plugin_trip_ns": JSONValue(pluginTrip), "pipe_trip_ns": JSONValue(pipeTrip),
    ]
  }
}

extension BusBenchmark.Waking {
  fileprivate var json: JSONValue {
    [
      "name": JSONValue(name), "median_ns": JSONValue(latency.median), "tail_ns": JSONValue(latency.tail),
    ]
  }
}
