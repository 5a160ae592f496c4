import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Forwards events of a daemon to an observer until the daemon's simulated crash; drops later events.
struct CrashableObserver: HostObserver {
  private let observer: any HostObserver
  private let disk: SwarmDisk

  init(_ observer: any HostObserver, until disk: SwarmDisk) {
    self.observer = observer
    self.disk = disk
  }

  var carriesTransfers: Bool { observer.carriesTransfers }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    if !disk.hasCrashed { observer.delivered(batch, to: demand, at: instant) }
  }

  func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {
    if !disk.hasCrashed { observer.reported(outcome, of: manifest, at: instant) }
  }

  func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant) {
    if !disk.hasCrashed { observer.transfersStarted(demands, on: device, at: instant) }
  }

  func raised(_ demand: Demand, at instant: Instant) {
    if !disk.hasCrashed { observer.raised(demand, at: instant) }
  }

  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    if !disk.hasCrashed { observer.demanded(demand, by: service, at: instant) }
  }

  func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant) {
    if !disk.hasCrashed { observer.granted(grant, to: demand, in: governor, at: instant) }
  }

  func released(_ demand: Demand, at instant: Instant) {
    if !disk.hasCrashed { observer.released(demand, at: instant) }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    if !disk.hasCrashed { observer.served(effect, at: instant) }
  }

  func acted(_ act: Act, by rule: RuleID, at instant: Instant) {
    if !disk.hasCrashed { observer.acted(act, by: rule, at: instant) }
  }

  func refused(_ sentence: String, at instant: Instant) {
    if !disk.hasCrashed { observer.refused(sentence, at: instant) }
  }

  func logged(_ message: RunMessage, at instant: Instant) {
    if !disk.hasCrashed { observer.logged(message, at: instant) }
  }

  func decided(_ event: RunEvent, _ line: String, at instant: Instant) {
    if !disk.hasCrashed { observer.decided(event, line, at: instant) }
  }

  var observesIdle: Bool { observer.observesIdle }

  func becameIdle(_ governor: borrowing Governor, at instant: Instant) {
    if !disk.hasCrashed { observer.becameIdle(governor, at: instant) }
  }

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    if !disk.hasCrashed { observer.settled(governor, at: instant) }
  }
}
