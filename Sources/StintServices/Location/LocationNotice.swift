public import StintModel
public import StintUnits

/// A notice of a location service to its client.
public enum LocationNotice: ServiceNotice, Hashable {
  /// Positions, oldest first, at least one.
  case fixes([Fix])
  /// The answer to a request for one fix.
  case answer(Fix)
  /// The request for one fix failed. `best` is the most accurate fix that arrived; nil when no fix arrived.
  case unanswered(ServiceFailure, best: Fix?)
  /// Updates pause because the position is unlikely to change. Updates resume automatically when the
  /// position changes.
  case paused
  /// Updates have resumed after a pause.
  case resumed
  /// Updates are suspended because no good fix arrived. The next attempt is at `next`.
  case suspended(next: Instant)
  /// A deferral ended; there is one notice for each request to defer.
  case deferralEnded(Int, DeferralEnd)
  /// The answer to `LocationCommand.askDeferral`.
  case canDefer(Bool)

  /// Returns the notice for delivery at an instant: fixes that are too old by then are flagged as stale.
  public func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice {
    func judged(_ fix: Fix) -> Fix {
      var copy = fix
      copy.isStale = fix.isStale || !fix.isFresh(at: instant, maxAge: maxAge)
      return copy
    }
    switch self {
    case .fixes(let fixes): return LocationNotice.fixes(fixes.map(judged))
    case .answer(let fix): return LocationNotice.answer(judged(fix))
    case .unanswered(let failure, let best): return LocationNotice.unanswered(failure, best: best.map(judged))
    case .paused, .resumed, .suspended, .deferralEnded, .canDefer: return self
    }
  }

  public var coarsened: any ServiceNotice {
    switch self {
    case .fixes(let fixes): return LocationNotice.fixes(fixes.map(\.coarsened))
    case .answer(let fix): return LocationNotice.answer(fix.coarsened)
    case .unanswered(let failure, let best):
      return LocationNotice.unanswered(failure, best: best.map(\.coarsened))
    case .paused, .resumed, .suspended, .deferralEnded, .canDefer: return self
    }
  }
}

/// A command of a client to its running updates.
public enum LocationCommand: ServiceCommand, Hashable {
  /// Sets whether updates continue in the background, which needs an app that declares background use.
  case setBackground(Bool)
  /// Sets the user's activity, which determines when updates may pause.
  case setActivity(LocationActivity)
  /// Sets the wanted accuracy, a 95 % radius; nil for the default.
  case setAccuracy(Length?)
  /// Sets the least distance between two deliveries. With nil, every fix is delivered.
  case setFilter(Length?)
  /// Sets whether updates may pause while the position is unlikely to change.
  case setPausing(Bool)
  /// Defers delivery until a distance or a time has passed, whichever is first; nil means no bound.
  ///
  /// Deferral applies while the app is in the background, but time and movement in the foreground also count
  /// towards the bounds. The client chooses a number; the notice of the end contains this number. Each
  /// deferral has exactly one end.
  case deferUpdates(Int, distance: Length? = nil, time: Duration? = nil)
  /// Requests `LocationNotice.canDefer`: whether updates can be deferred.
  case askDeferral

  public var needsBackground: Bool { if case .setBackground(true) = self { true } else { false } }
}

/// The settings that a command message changes for running updates. A length of `null` resets a setting to
/// its default.
public struct LocationChanges: CommandMessage {
  public let commands: [any ServiceCommand]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case accuracy, filter, pause, background
  }

  /// A key of any name.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    // Unknown keys are reported by the decoder, with a suggestion.
    let isEmpty = try decoder.container(keyedBy: AnyKey.self).allKeys.isEmpty
    let changes = try decoder.container(keyedBy: CodingKeys.self)
    var commands: [LocationCommand] = []
    if changes.contains(.accuracy) {
      commands.append(.setAccuracy(try changes.decodeIfPresent(LengthForm.self, forKey: .accuracy)?.value))
    }
    if changes.contains(.filter) {
      commands.append(.setFilter(try changes.decodeIfPresent(LengthForm.self, forKey: .filter)?.value))
    }
    if changes.contains(.pause) {
      commands.append(.setPausing(try changes.decode(Bool.self, forKey: .pause)))
    }
    if changes.contains(.background) {
      commands.append(.setBackground(try changes.decode(Bool.self, forKey: .background)))
    }
    if isEmpty {
      throw Problem(
        .missing, cause: "the command changes nothing", remedy: "add accuracy, filter, pause or background")
    }
    self.commands = commands
  }
}

/// The reason for the end of a deferral.
public enum DeferralEnd: Hashable, Sendable {
  /// The requested distance or time, or both, were reached.
  case reached([HoldBound])
  /// The device has no space for further fixes, or memory is low.
  case full
  /// The client requested another deferral.
  case cancelled
  /// The requested accuracy is too coarse: it needs no satellite receiver, and only satellite receivers can
  /// hold fixes.
  case accuracyTooLow
  /// A distance filter is set.
  case distanceFiltered
  /// Updates are not running: they ended, paused, were suspended or are not allowed.
  case notUpdating
  /// The device failed or was removed.
  case failed
  /// No available device can hold fixes.
  case unsupported
}
