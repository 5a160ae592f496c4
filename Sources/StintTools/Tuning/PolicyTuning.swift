import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// Moves the parameters of a policy inside their ranges against recorded tracks.
///
/// Every third track is held back: nothing is chosen by it, and what was chosen is tried on it in the end. First each
/// parameter moves alone, then what is on the frontier is combined, for as many trials as were asked for. The same
/// request gives the same report.
public struct PolicyTuning: Sendable {
  let request: TuningRequest
  let source: SourceText
  let parameters: [TunedParameter]
  let training: [String]
  let heldBack: [String]

  /// Reads the policy and finds the tracks; nothing runs yet.
  public init(_ request: TuningRequest) throws(ToolError) {
    self.request = request
    let sources = try PolicyFiles.read([request.policy])
    guard sources.count == 1, let source = sources.first else {
      throw ToolError(
        .unknownName, place: request.policy, cause: "\(sources.count) policies are here",
        nextStep: "name the one whose parameters move")
    }
    self.source = source
    parameters = Parser.parse(source).file.items.compactMap { item in
      if case .parameter(let parameter) = item { TunedParameter(parameter) } else { nil }
    }
    guard !parameters.isEmpty else {
      throw ToolError(
        .content, place: source.file, cause: "no “param” with a range is in this policy",
        nextStep: "write one, as in: param reach = 40 m in 10 m .. 100 m")
    }
    let tracks = try Self.tracks(in: request.traces)
    let held = tracks.count == 1 ? [] : tracks.enumerated().filter { $0.offset % 3 == 1 }.map(\.element)
    heldBack = held
    training = tracks.filter { !held.contains($0) }
  }

  private static func tracks(in folder: String) throws(ToolError) -> [String] {
    var tracks: [String] = []
    do throws(FileError) {
      for suffix in [".csv", ".gpx", ".nmea"] { tracks += try Folder.files(in: folder, suffix: suffix) }
    } catch {
      throw ToolError(error)
    }
    guard !tracks.isEmpty else {
      throw ToolError(
        .file, place: folder, cause: "no track is in this folder",
        nextStep: "name a folder with .csv, .gpx or .nmea files")
    }
    return tracks.sorted()
  }

  /// Tries settings; `progress` hears how far it is.
  public func run(progress: (String) -> Void = { _ in }) throws -> TuningReport {
    var trials: [TuningTrial] = []
    func attempt(_ values: [Quantity]) throws {
      guard trials.count < request.trials, !trials.contains(where: { $0.values == values }) else { return }
      trials.append(TuningTrial(values: values, score: try score(values, on: training)))
      progress("trial \(trials.count) of at most \(request.trials)")
    }
    let written = parameters.map(\.written)
    try attempt(written)
    try vary(written, attempt)
    // What the frontier has is varied in turn, until nothing new comes of it.
    var known = 0
    while known < trials.count, trials.count < request.trials {
      known = trials.count
      for trial in Self.frontier(of: trials) { try vary(trial.values, attempt) }
    }
    var frontier = Self.frontier(of: trials)
    var base = trials[0]
    if !heldBack.isEmpty {
      progress("the tracks that were held back")
      base.heldBack = try score(written, on: heldBack)
      for place in frontier.indices {
        frontier[place].heldBack =
          frontier[place].values == written ? base.heldBack : try score(frontier[place].values, on: heldBack)
      }
    }
    return TuningReport(
      policy: source.file, profile: request.profile, parameters: parameters.map(\.name), written: base,
      frontier: frontier, trials: trials.count, training: training, heldBack: heldBack)
  }

  private func vary(_ values: [Quantity], _ attempt: ([Quantity]) throws -> Void) throws {
    for (place, parameter) in parameters.enumerated() {
      for choice in parameter.choices {
        var varied = values
        varied[place] = choice
        try attempt(varied)
      }
    }
  }

  /// Those that none beats, by energy; of equals the first.
  static func frontier(of trials: [TuningTrial]) -> [TuningTrial] {
    var seen: [TuningTrial.Score] = []
    let best = trials.filter { trial in
      guard !seen.contains(trial.score), !trials.contains(where: { $0.score.beats(trial.score) }) else {
        return false
      }
      seen.append(trial.score)
      return true
    }
    return best.sorted { $0.score.energy < $1.score.energy }
  }

  // MARK: Runs

  private func score(_ values: [Quantity], on tracks: [String]) throws -> TuningTrial.Score {
    let source = try text(with: values)
    var energy = Energy.zero
    var quality = 0.0
    for track in tracks {
      let request = SimulationRequest(
        policies: [request.policy], scenario: request.scenario, trace: track, seed: request.seed,
        profile: request.profile, openSky: request.openSky)
      let report = try SimulationRun(request, sources: [source]).run().report
      energy += report.ledger.total - (report.ledger.byRule[.floor] ?? .zero)
      quality += Self.quality(of: report)
    }
    return TuningTrial.Score(energy: energy, quality: quality / Double(tracks.count))
  }

  private static func quality(of report: SimulationReport) -> Double {
    let shares = report.accuracy.sorted { $0.key < $1.key }.compactMap(\.value.withinBound)
    if !shares.isEmpty { return shares.reduce(0, +) / Double(shares.count) }
    let all = report.transfers.carried + report.transfers.late
    return all == 0 ? 1 : 1 - Double(report.transfers.late) / Double(all)
  }

  /// The policy with these values in place of those that it writes.
  func text(with values: [Quantity]) throws(ToolError) -> SourceText {
    var bytes = source.bytes
    let edits = zip(parameters, values).sorted { $0.0.span.start > $1.0.span.start }
    for (parameter, value) in edits where value != parameter.written {
      bytes.replaceSubrange(parameter.span.start..<parameter.span.end, with: Array(value.description.utf8))
    }
    return SourceText(file: source.file, bytes: bytes)
  }
}
