public import StintLanguage
import StintModel
public import StintPluginKit
import StintRuntime
public import StintUnits

/// Searches the ranges of a policy's parameters for values that save energy or improve the quality. Each set
/// of values is tested in simulated runs on recorded tracks.
///
/// Some tracks are held out: they do not affect the choice, but the chosen values are tested on them at the
/// end. The report depends only on the request, not on the number of threads.
public struct PolicyTuning: Sendable {
  let request: TuningRequest
  let source: SourceText
  let parameters: [TunedParameter]
  let split: TrackSplit
  /// The simulated devices: those of a site or of the reference phone, and those of a manifest folder. Nil
  /// for the unchanged reference phone.
  private let devices: PolicyDevices?

  /// Reads the policy and finds the tracks; `run()` starts the search.
  ///
  /// - Parameter linked: the plugins that a site file may name.
  /// - Throws: `Problem` when the policy or the tracks cannot be read.
  public init(_ request: TuningRequest, linked: [LinkedPlugin] = []) throws(Problem) {
    self.request = request
    devices = try PolicyDevices(simulating: request.site, manifests: request.manifests, linked: linked)
    let sources = try PolicyFiles.read([request.policy])
    guard sources.count == 1, let source = sources.first else {
      throw Problem(
        .unknownName, place: request.policy, cause: "expected one policy, found \(sources.count)",
        remedy: "name the file of the policy to tune")
    }
    self.source = source
    parameters = TunedParameter.all(of: source, units: devices?.vocabulary.units ?? .standard)
    split = try TrackSplit(
      try TrackSplit.tracks(in: request.traces), request.holdBack, place: request.traces)
  }

  /// Tests parameter sets and returns the best sets.
  ///
  /// - Parameters:
  ///   - progress: called before each round of runs, with the completed share; nil when it is unknown.
  ///   - isInterrupted: called between two runs, on any thread. After it returns true, the report contains
  ///     only complete results.
  /// - Throws: an error when the policy has errors or no parameter with a range, or when a track cannot be
  ///   read. The function also throws when no client of the scenario has a demand that can be scored.
  public func run(
    progress: (_ share: Double?, _ detail: String) -> Void = { _, _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> TuningReport {
    try check()
    let runner = TuningRunner(request: request, devices: devices, isInterrupted: isInterrupted)
    var search = TuningSearch(
      counts: parameters.map(\.choices.count), written: parameters.map(\.written), budget: request.trials)
    var trials: [TuningTrial] = []
    var refused = 0
    progress(0, "as written")
    // First the policy runs with its present values on all tracks, so that problems with a track appear
    // before the search.
    guard let base = try runAsWritten(search.next(after: []), runner) else {
      return report(nil, [], trials: 0, refused: 0, isWhole: false)
    }
    trials.append(base)
    while case let places = search.next(after: trials), !places.isEmpty, !isInterrupted() {
      progress(
        Double(trials.count + refused) / Double(request.trials),
        "\(trials.count + refused) of at most \(request.trials) settings")
      let (fresh, failed) = try attempt(places, on: split.training, runner)
      trials += fresh
      refused += failed
    }
    let isWhole = !isInterrupted()
    let frontier = TuningFrontier.of(trials)
    if !isWhole { return report(base, frontier, trials: trials.count, refused: refused, isWhole: false) }
    if !split.heldOut.isEmpty { progress(nil, "held-back tracks: \(split.heldOut.count)") }
    let confirmed = try confirm(frontier, base, runner)
    return report(base, confirmed, trials: trials.count, refused: refused, isWhole: !isInterrupted())
  }

  // MARK: Checks

  /// Checks that the policy loads and has a parameter with a range.
  private func check() throws {
    let stage = try SimulationStage(
      scenario: request.scenario, trace: split.training.first, timeZone: nil, seed: request.seed,
      profile: request.profile, openSky: request.openSky, devices: devices)
    _ = try stage.load([source])
    guard parameters.isEmpty else { return }
    let fixed = Parser.parse(source, units: devices?.vocabulary.units ?? .standard).file.items.compactMap {
      item -> String? in
      if case .parameter(let parameter) = item { parameter.name.text } else { nil }
    }
    throw Problem(
      .content, place: source.file,
      cause: fixed.isEmpty
        ? "this policy has no “param” with a range"
        : "the range of \(fixed.joined(separator: ", ")) contains only one value",
      remedy: "write a “param” with a range of several values, as in: param reach = 40 m in 10 m .. 100 m")
  }

  // MARK: Runs

  /// Runs the policy with its present values on all tracks. Nil when the run was interrupted.
  private func runAsWritten(_ places: [[Int]], _ runner: TuningRunner) throws -> TuningTrial? {
    guard let place = places.first else { return nil }
    let jobs = (split.training + split.heldOut).map { TuningRunner.Job(source: source, track: $0) }
    let results = try runner.run(jobs)
    var scores: [TuningScore] = []
    for result in results {
      // `get()` throws the error of a failed run. A nil result means that the run was interrupted.
      if let score = try result?.get() { scores.append(score) }
    }
    guard scores.count == jobs.count else { return nil }
    let training = Array(scores.prefix(split.training.count))
    guard TuningScore.sum(training).isJudged else {
      throw Problem(
        .content, place: request.scenario,
        cause: "no client requests positions with an accuracy, or transfers, on these tracks",
        remedy:
          "name a scenario whose clients do, as in --scenario tracker, or give the accepted position error, "
          + "as in --bound 50m")
    }
    return TuningTrial(
      values: values(at: place), place: place, byTrack: training,
      heldOutByTrack: split.heldOut.isEmpty ? nil : Array(scores.dropFirst(split.training.count)))
  }

  /// Runs parameter sets on tracks. Counts the sets with which the policy does not load, and skips the sets
  /// that were interrupted.
  private func attempt(
    _ places: [[Int]], on tracks: [String], _ runner: TuningRunner
  ) throws -> (trials: [TuningTrial], refused: Int) {
    let jobs = places.flatMap { place in
      let source = text(with: values(at: place))
      return tracks.map { TuningRunner.Job(source: source, track: $0) }
    }
    let results = try runner.run(jobs)
    var trials: [TuningTrial] = []
    var refused = 0
    for (number, place) in places.enumerated() {
      var scores: [TuningScore] = []
      do {
        for result in results[(number * tracks.count)..<((number + 1) * tracks.count)] {
          if let score = try result?.get() { scores.append(score) }
        }
      } catch is PolicyRefusal {
        refused += 1
        continue
      }
      guard scores.count == tracks.count else { continue }
      trials.append(TuningTrial(values: values(at: place), place: place, byTrack: scores))
    }
    return (trials, refused)
  }

  /// Returns the best parameter sets with their results on the held-out tracks.
  private func confirm(
    _ frontier: [TuningTrial], _ base: TuningTrial, _ runner: TuningRunner
  ) throws -> [TuningTrial] {
    guard !split.heldOut.isEmpty else { return frontier }
    let open = frontier.filter { $0.place != base.place }
    let found = try attempt(open.map(\.place), on: split.heldOut, runner).trials
    return frontier.map { trial in
      if trial.place == base.place { return base }
      guard let confirmed = found.first(where: { $0.place == trial.place }) else { return trial }
      return TuningTrial(
        values: trial.values, place: trial.place, byTrack: trial.byTrack, heldOutByTrack: confirmed.byTrack)
    }
  }

  private func report(
    _ base: TuningTrial?, _ frontier: [TuningTrial], trials: Int, refused: Int, isWhole: Bool
  ) -> TuningReport {
    TuningReport(
      policy: source.file, profile: request.profile, parameters: parameters.map(\.name), written: base,
      frontier: frontier, choice: base.flatMap { TuningFrontier.choice(among: frontier, over: $0) },
      trials: trials, refused: refused, training: split.training, heldOut: split.heldOut, isWhole: isWhole)
  }

  // MARK: Policy texts

  private func values(at place: [Int]) -> [String] {
    zip(parameters, place).map { parameter, index in parameter.choices[index].text }
  }

  /// Returns the policy with these parameter values in place of its present values.
  public func text(with values: [String]) -> SourceText {
    var bytes = source.bytes
    for (parameter, value) in zip(parameters, values).sorted(by: { $0.0.span.start > $1.0.span.start }) {
      bytes.replaceSubrange(parameter.span.start..<parameter.span.end, with: Array(value.utf8))
    }
    return SourceText(file: source.file, bytes: bytes)
  }
}
