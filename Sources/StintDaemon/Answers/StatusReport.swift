import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

/// A daemon's answer to `status`: its policies, devices, clients and plugins at one instant.
///
/// `text` and `json` contain the same values; `grammar/schemas/status.json` describes the JSON.
struct StatusReport {
  /// A set of policies that is or was in force.
  struct Generation {
    /// A policy file with the SHA-256 of its text, in hexadecimal.
    struct File {
      var name: String
      var hash: String
    }

    /// The policies in force, such as `hiking version 1`; for an earlier generation, the names of its files.
    var names: [String]
    var files: [File]
    var origin: PolicyGeneration.Origin
    var since: LocalMoment
  }

  struct Device {
    /// A demand that the device does not serve.
    struct Unserved {
      var client: ClientID
      var status: Grant.Status
      var rules: [RuleID]
    }

    /// The faults that have the same text, since the start of the run.
    struct Fault {
      var text: String
      var count: Int
      var first, last: LocalMoment
    }

    var device: DeviceID
    var setting: Setting
    /// The demands that the device does not serve, in the order in which they were raised.
    var unserved: [Unserved]
    var isAvailable: Bool
    var power: Power
    /// The energy since the start of the run.
    var energy: Energy
    /// The number of faults since the start of the run.
    var faultCount: Int
    /// The most recent faults, one entry for each text, sorted by the time of the last fault.
    var faults: [Fault]
    /// The number of instants of the run at which an event contradicted the assumptions of the wake-up bound.
    var brokenAssumptions: Int
    /// The samples and fact values that the host dropped because they contradict the manifest: count and
    /// last reason.
    var dropped: DroppedReadings
  }

  /// A published fact with a known value.
  struct Fact {
    var path: String
    var value: String
    /// The device that publishes the fact; nil for facts of clients and of the site or scenario.
    var source: DeviceID?
    var since: LocalMoment
  }

  struct Client {
    var client: ClientStatus
    /// The number of running services of the client.
    var services: Int
    /// The waiting requests of a site or scenario. Each waits for a permission, for a device, or for another
    /// attempt after a fault.
    var waiting: [Waiting]
    /// The requests that have paused themselves.
    var paused: [PausedService]
    var energy: Energy
  }

  /// A waiting request with the reason why it waits.
  struct Waiting {
    var request: String
    var reason: String
  }

  struct Plugin {
    var device: DeviceID
    /// The SHA-256 of the program, in hexadecimal; nil without an approved hash.
    var hash: String?
    var status: ChildStatus
    /// The status as one line of text.
    var text: String
    /// The instant at which the next process starts; nil when no start is planned.
    var nextStart: LocalMoment?
  }

  var title: String
  var info: DaemonInfo
  /// The time since the start of the process.
  var uptime: TimeSpan
  var time: LocalMoment
  /// The last change of the wall clock as a sentence; nil when the wall clock was never changed.
  var clock: String?
  var current: Generation?
  /// The reason why the watched files are not in force; nil when they are in force.
  var refusal: (text: String, at: LocalMoment)?
  /// The earlier generations, newest first.
  var earlier: [Generation]
  /// The rules whose condition is true or that have a directive in force.
  var rules: [RuleID]
  /// The reasons why the journal is not written or is incomplete.
  var diskProblems: [String]
  /// The files with errors, the files that are not saved, and the files that do not respond.
  var fileProblems: [String]
  /// The changes of the site file that take effect only after a restart.
  var waitingChanges: [String]
  var devices: [Device]
  var clients: [Client]
  var facts: [Fact]
  var ledger: Ledger
  /// The requirements that are watched at run time, sorted by name.
  var requirements: [(id: RuleID, activity: RequirementActivity)]
  /// The number of log lines that were dropped because there were too many.
  var droppedLogLines: Int
  /// The counts of data that the host dropped, rejected or lost; nil when all counts are 0.
  var dropped: String?
  var plugins: [Plugin]

  /// Collects the status of a host and its policies.
  init(
    _ policies: PolicyStore, _ setup: DaemonSetup, _ info: DaemonInfo, _ files: FileWorker,
    _ waiting: WaitingChanges, _ host: isolated Host, at instant: Instant
  ) {
    let governor = host.snapshot
    let zone = policies.wallClock.rules
    title = setup.name
    self.info = info
    uptime = SystemClock.monotonic() - info.started
    time = LocalMoment(instant, zone)
    clock = policies.wallClock.lastChange.flatMap { change in
      change.sentence.map { "\(LocalMoment(change.at, change.rules)) \($0)" }
    }
    let generations = policies.generations
    let names = policies.loaded.policies.map { "\($0.name) version \($0.version)" }
    current = generations.current.map { Generation($0, names: names, info.hashes, zone) }
    refusal = policies.refusedFiles.map { ($0.text, LocalMoment($0.at, zone)) }
    earlier = generations.earlier.reversed().map {
      Generation($0, names: $0.policies.map(\.file), info.hashes, zone)
    }
    rules = governor.rulesInForce
    diskProblems = [host.journalProblem].compactMap(\.self)
    fileProblems = files.problems
    waitingChanges = waiting.sentences
    let ledger = governor.ledger(at: max(instant, governor.now))
    self.ledger = ledger
    devices = governor.vocabulary.manifests.filter { $0.kind != .source }.compactMap { manifest in
      governor.status(of: manifest.device).map { status in
        Device(
          status, energy: ledger.byDevice[manifest.device] ?? .zero,
          dropped: host.droppedReadings(of: manifest.device), zone)
      }
    }
    let board = host.serviceBoard
    let pauses = board.pausedServices
    clients = board.clients.filter { !$0.isPolicy }.map { client in
      Client(
        client: client, services: board.runningServices.count { $0.client == client.id },
        waiting: board.waitingRequests.filter { $0.id.client == client.id }.map {
          Waiting(request: $0.id.name, reason: $0.reason.sentence)
        },
        paused: pauses.filter { $0.id.client == client.id },
        energy: ledger.byClient[client.id] ?? .zero)
    }
    facts = governor.vocabulary.facts.indices.prefix(governor.vocabulary.firstComputed).compactMap { index in
      let schema = governor.vocabulary.facts[index]
      let value = governor.value(of: index, at: instant)
      guard value != .unknown else { return nil }
      return Fact(
        path: schema.path, value: schema.text(of: value), source: schema.device,
        since: LocalMoment(governor.facts.instant(index), zone))
    }
    facts += governor.unnamedFacts.map { fact in
      Fact(
        path: fact.schema.path, value: fact.schema.text(of: fact.value), source: fact.schema.device,
        since: LocalMoment(fact.instant, zone))
    }
    requirements = governor.requirementActivity(at: instant).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    droppedLogLines = info.logBudget.dropped.addingSaturated(info.droppedOutput())
    var counts = host.lossCounts
    counts.unreceivedEvents = info.unreceivedEvents()
    dropped = counts.text
    plugins = setup.supervised.map { plugin in
      let status = plugin.status
      return Plugin(
        device: plugin.manifest.device, hash: plugin.programHash, status: status,
        text: plugin.text(of: status, zone), nextStart: status.nextStart.map { LocalMoment($0, zone) })
    }
  }
}

extension StatusReport.Generation {
  init(_ generation: PolicyGeneration, names: [String], _ hashes: TextHashes, _ zone: TimeZoneRules) {
    self.init(
      names: names,
      files: generation.policies.map { File(name: $0.file, hash: hashes.hash(of: $0.text)) },
      origin: generation.origin, since: LocalMoment(generation.since, zone))
  }
}

extension StatusReport.Device {
  init(_ status: DeviceStatus, energy: Energy, dropped: DroppedReadings, _ zone: TimeZoneRules) {
    self.init(
      device: status.manifest.device, setting: status.setting,
      unserved: status.demands.filter { $0.grant.status != .served }.map {
        Unserved(client: $0.demand.client, status: $0.grant.status, rules: $0.grant.rules)
      },
      isAvailable: status.isAvailable, power: status.power, energy: energy, faultCount: status.faults,
      faults: status.faultHistory.entries.map {
        Fault(
          text: $0.text, count: $0.count, first: LocalMoment($0.first, zone),
          last: LocalMoment($0.last, zone))
      },
      brokenAssumptions: status.brokenAssumptions, dropped: dropped)
  }
}
