import StintModel
import StintServices
import StintUnits

extension ClientEvent {
  /// Returns the content of the event for a notice. Nil for a notice that client programs do not get: a
  /// different event reports it, or no command of client programs can cause it.
  static func content(of notice: any ServiceNotice, _ vocabulary: Vocabulary) -> (any ClientEventContent)? {
    switch notice {
    case SampleNotice.samples(let batch): samples(batch.samples, batch.wide, of: batch.device, vocabulary)
    case MotionNotice.samples(let samples, let device): self.samples(samples, nil, of: device, vocabulary)
    case let notice as LocationNotice: location(notice)
    case let notice as MoveNotice: moves(notice)
    case let notice as RegionNotice:
      switch notice {
      case .known(let region, let isInside):
        RegionEvent(region: region, change: isInside ? "inside" : "outside")
      case .entered(let region): RegionEvent(region: region, change: "entered")
      case .exited(let region): RegionEvent(region: region, change: "exited")
      }
    case let notice as BeaconNotice:
      switch notice {
      case .known(let beacon, let isInside):
        BeaconEvent(beacon: beacon, change: isInside ? "inside" : "outside")
      case .entered(let beacon): BeaconEvent(beacon: beacon, change: "entered")
      case .exited(let beacon): BeaconEvent(beacon: beacon, change: "exited")
      case .unknown(let beacon): BeaconEvent(beacon: beacon, change: "unknown")
      }
    case VisitNotice.arrived(let visit, _): VisitEvent("arrived", visit)
    case VisitNotice.departed(let visit, _): VisitEvent("departed", visit)
    case RangingNotice.ranged(let proximity, let signal):
      ProximityEvent(proximity: proximity.rawValue, signal: signal)
    case RangingNotice.ended: ProximityEvent(proximity: Proximity.unknown.rawValue)
    case OrientationNotice.turned(let orientation): OrientationEvent(orientation: orientation.word)
    case let answer as PermissionRequest.Answer: PermissionEvent(permission: answer.capability.rawValue)
    case let notice as TransferNotice: transfer(notice)
    default: nil
    }
  }

  private static func samples(
    _ samples: [Sample], _ wide: WideValues?, of device: DeviceID, _ vocabulary: Vocabulary
  ) -> SamplesEvent {
    let manifest = vocabulary.manifest(device)
    let readings = samples.map { sample in
      SamplesEvent.Reading(
        time: sample.instant,
        channels: (manifest?.values(of: sample, with: wide) ?? []).map { channel, value in
          (name: channel.name, value: SamplesEvent.Value(value))
        })
    }
    return SamplesEvent(device: device.path, samples: readings)
  }

  private static func location(_ notice: LocationNotice) -> (any ClientEventContent)? {
    switch notice {
    case .fixes(let fixes): FixesEvent(fixes: fixes.map { .init($0) })
    case .answer(let answer): FixesEvent(fixes: [.init(answer)])
    case .unanswered(let failure, let best):
      UnansweredEvent(unanswered: .init(failure), best: best.map { .init($0) })
    case .paused: UpdatesEvent(updates: "paused")
    case .resumed: UpdatesEvent(updates: "resumed")
    case .suspended(let next): UpdatesEvent(updates: "suspended", next: next)
    // Client programs have no command for deferrals, so these notices do not concern them.
    case .deferralEnded, .canDefer: nil
    }
  }

  private static func moves(_ notice: MoveNotice) -> any ClientEventContent {
    switch notice {
    case .moved(let fixes): FixesEvent(fixes: fixes.map { .init(move: $0) })
    case .cached(let fix, let age): FixesEvent(fixes: [.init(move: fix)], age: age.timeSpan.seconds)
    case .heartbeat: HeartbeatEvent()
    case .noEffect(let settings): NoEffectEvent(settings: settings)
    }
  }

  private static func transfer(_ notice: TransferNotice) -> any ClientEventContent {
    switch notice {
    case .accepted(let task): TaskEvent(task: task, state: "accepted")
    case .refused(let task, let failure): TaskEvent(task: task, state: "refused", problem: .init(failure))
    case .waiting(let task, let wait):
      TaskEvent(task: task, state: wait == .forced ? "forced" : "waiting", reason: wait.rawValue)
    case .reply(let task, let status): TaskEvent(task: task, state: "reply", status: status)
    case .finished(let task, let file): TaskEvent(task: task, state: "finished", file: file)
    case .failed(let task, let fault): TaskEvent(task: task, state: "failed", fault: fault.name)
    case .credentialsNeeded(let task): TaskEvent(task: task, state: "credentials")
    case .drained: DrainedEvent()
    case .warning(let code, let sentence): WarningEvent(warning: sentence, code: code)
    }
  }
}
