package import StintGovernor
package import StintModel
package import StintServices
package import StintUnits

/// Two observers of one host. `first` receives each event before `second`.
package struct ObserverPair: HostObserver {
  private let first: any HostObserver
  private let second: any HostObserver

  package init(_ first: any HostObserver, _ second: any HostObserver) {
    self.first = first
    self.second = second
  }

  private func both(_ call: (any HostObserver) -> Void) {
    call(first)
    call(second)
  }

  package func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    both { $0.delivered(batch, to: demand, at: instant) }
  }

  package func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {
    both { $0.reported(outcome, of: manifest, at: instant) }
  }

  package func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant) {
    both { $0.transfersStarted(demands, on: device, at: instant) }
  }

  package func raised(_ demand: Demand, at instant: Instant) {
    both { $0.raised(demand, at: instant) }
  }

  package func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    both { $0.demanded(demand, by: service, at: instant) }
  }

  package func granted(
    _ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant
  ) {
    first.granted(grant, to: demand, in: governor, at: instant)
    second.granted(grant, to: demand, in: governor, at: instant)
  }

  package func released(_ demand: Demand, at instant: Instant) {
    both { $0.released(demand, at: instant) }
  }

  package func served(_ effect: ServiceEffect, at instant: Instant) {
    // This function is called for each notice, so it avoids the cost of a closure.
    first.served(effect, at: instant)
    second.served(effect, at: instant)
  }

  package func acted(_ act: Act, by rule: RuleID, at instant: Instant) {
    both { $0.acted(act, by: rule, at: instant) }
  }

  package func refused(_ sentence: String, at instant: Instant) {
    both { $0.refused(sentence, at: instant) }
  }

  package func logged(_ message: RunMessage, at instant: Instant) {
    both { $0.logged(message, at: instant) }
  }

  package func faulted(_ device: DeviceID, _ sentence: String, at instant: Instant) {
    both { $0.faulted(device, sentence, at: instant) }
  }

  package func decided(_ event: RunEvent, _ line: String, at instant: Instant) {
    both { $0.decided(event, line, at: instant) }
  }

  package var carriesTransfers: Bool { first.carriesTransfers || second.carriesTransfers }

  package var observesDeliveries: Bool { first.observesDeliveries || second.observesDeliveries }

  package var observesIdle: Bool { first.observesIdle || second.observesIdle }

  package func becameIdle(_ governor: borrowing Governor, at instant: Instant) {
    first.becameIdle(governor, at: instant)
    second.becameIdle(governor, at: instant)
  }

  package func settled(_ governor: borrowing Governor, at instant: Instant) {
    first.settled(governor, at: instant)
    second.settled(governor, at: instant)
  }
}
