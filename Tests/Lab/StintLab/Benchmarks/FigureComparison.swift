import StintFormats
import StintRuntime
import StintTools
import StintUnits

/// Compares the figures of a benchmark with saved figures: the ratio of each current value to its
/// saved value.
enum FigureComparison {
  /// Returns a table of the figures that are in both the output and the saved file. The file contains the
  /// output of `--json`, or an object that has this output as the member with the name of the benchmark.
  static func text(
    of json: String, benchmark: String, saved path: String, _ paint: Paint = .plain
  ) throws(Problem) -> String {
    let now = try JSONReader.value(of: json, source: "bench \(benchmark)")
    let file = try JSONReader.value(of: FileText.read(path), source: path)
    let saved = figures(file[benchmark] ?? file, "")
    var table = TextTable()
    table.add(["", "now", "saved", "ratio"], .heading)
    var count = 0
    for (name, value) in figures(now, "") {
      guard let before = saved.first(where: { $0.name == name })?.value, before > 0 else { continue }
      count += 1
      let ratio = (value / before * 100).rounded() / 100
      table.add(
        [name, Self.text(value, name), Self.text(before, name), "\(ratio)"], ratio > 1.5 ? .total : .plain)
    }
    guard count > 0 else {
      throw Problem(
        .content, place: path, cause: "the file has no figures of bench \(benchmark)",
        remedy: "save the output of bench \(benchmark) --json under “\(benchmark)”")
    }
    return table.text(paint)
  }

  /// Returns the measured times and memory sizes in file order.
  private static func figures(_ value: JSONValue, _ path: String) -> [(name: String, value: Double)] {
    if let members = value.members {
      return members.flatMap { figures($0.value, path.isEmpty ? $0.name : "\(path).\($0.name)") }
    }
    if let items = value.items {
      return items.enumerated().flatMap { place, item in
        figures(item, path + "\(item["rules"]?.integer ?? Int64(place))")
      }
    }
    guard let number = value.number, path.contains("_ns") || path.hasSuffix("_bytes") else { return [] }
    return [(path, number)]
  }

  private static func text(_ value: Double, _ name: String) -> String {
    name.hasSuffix("_bytes") ? Amounts.count(Int(value)) + " B" : Timing.text(value)
  }
}
