import StintModel
import StintPluginKit
import StintRuntime
import StintSimulation
import StintTools
import StintTracks
import StintUnits

/// The activities that the motion classifier finds in recordings, counted for each recording and label.
///
/// One result counts per half second, from the first full window on. A window whose confidence is below 0.5
/// also counts as unclear.
struct MotionConfusion {
  /// The results of the windows that have one label.
  struct Counts: Hashable, Sendable {
    var activities: [Activity: Int] = [:]
    var unclear = 0
    var confidence = 0.0

    var total: Int { activities.values.reduce(0, +) }

    mutating func add(_ other: Counts) {
      activities.merge(other.activities, uniquingKeysWith: +)
      unclear += other.unclear
      confidence += other.confidence
    }

    fileprivate func row(_ name: String) -> [String] {
      [name] + Activity.allCases.map { Self.text(activities[$0] ?? 0) }
        + [Self.text(unclear), "\(Int(100 * confidence / Double(max(total, 1)) + 0.5)) %"]
    }

    private static func text(_ count: Int) -> String { count == 0 ? "–" : Amounts.count(count) }
  }

  /// The recordings by path, each with its counts by label. The label of an unlabelled row is empty.
  private(set) var recordings: [(path: String, labels: [String: Counts])] = []

  /// Classifies each table `t_s,ax,ay,az,label` in a folder, in the order of the names.
  init(folder: String) throws(Problem) {
    for path in try Folder.files(in: folder, suffix: ".csv") {
      recordings.append((path, try Self.labels(of: path)))
    }
    guard !recordings.isEmpty else {
      throw Problem(
        .empty, place: folder, cause: "the folder has no file whose name ends in .csv",
        remedy: "give a folder of tables with the columns t_s,ax,ay,az,label")
    }
  }

  /// The counts by label over all recordings.
  var labels: [String: Counts] {
    recordings.reduce(into: [:]) { labels, recording in
      for (label, counts) in recording.labels { labels[label, default: Counts()].add(counts) }
    }
  }

  private static func labels(of path: String) throws(Problem) -> [String: Counts] {
    let recording = try MotionRecording(path: path)
    // Recorded rows are not exactly periodic. The classifier gets the mean period.
    let period = TimeSpan(nanoseconds: recording.duration.nanoseconds / Int64(max(recording.count - 1, 1)))
    var classifier = MotionClassifier(period: period)
    var reader = try MotionReader(path: path)
    var labels: [String: Counts] = [:]
    var due = TimeSpan.zero
    while let point = try reader.next() {
      _ = classifier.add(SIMD3(point.x, point.y, point.z))
      guard let activity = classifier.activity, point.time >= due else { continue }
      due = point.time + .milliseconds(500)
      let confidence = classifier.measureConfidence()
      var counts = Counts(activities: [activity: 1], confidence: confidence)
      if confidence < 0.5 { counts.unclear = 1 }
      labels[point.label ?? "", default: Counts()].add(counts)
    }
    return labels
  }

  /// Returns the counts as a table: a row for each recording and label, and a row for each label.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["recording, label"] + Activity.allCases.map(\.rawValue) + ["unclear", "confidence"], .heading)
    for (path, labels) in recordings {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      for (label, counts) in labels.sorted(by: { $0.key < $1.key }) {
        table.add(counts.row(label.isEmpty ? name : "\(name), \(label)"))
      }
    }
    for (label, counts) in labels.sorted(by: { $0.key < $1.key }) {
      table.add(counts.row(label.isEmpty ? "all without a label" : "all, \(label)"), .total)
    }
    return table.text(paint)
  }
}
