import StintUnits
import Testing

@testable import StintGovernor

@Suite("The device agenda, without a governor") struct DeviceAgendaTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  @Test("a round visits each marked device once; without marks there is no round")
  func rounds() {
    var agenda = DeviceAgenda(devices: 4)
    var began = DeviceAgenda.Work.allCases.map { agenda.beginRound($0) }
    #expect(began == [false, false, false])
    agenda.mark(2, .setting)
    agenda.mark(2, .setting)
    agenda.mark(0, .setting)
    began = DeviceAgenda.Work.allCases.map { agenda.beginRound($0) }
    #expect(began == [false, true, false])
    let met = (0..<4).filter { agenda.removeMark($0, .setting) }
    #expect(met == [0, 2])
    let again = agenda.beginRound(.setting)
    #expect(!again)
  }

  @Test("a mark on a device that the round has already visited is kept for the next round")
  func during() {
    var agenda = DeviceAgenda(devices: 3)
    agenda.markAll(.grants)
    _ = agenda.beginRound(.grants)
    for device in 0..<3 where agenda.removeMark(device, .grants) {
      if device == 2 { agenda.mark(0, .grants) }
    }
    let again = agenda.beginRound(.grants)
    let met = (0..<3).filter { agenda.removeMark($0, .grants) }
    #expect(again && met == [0])
  }

  @Test("the next timer is the earliest timer of all devices, even after a device's timer was postponed")
  func timers() {
    var agenda = DeviceAgenda(devices: 3)
    #expect(!agenda.mayHaveExpired(at: start))
    agenda.setTimer(1, to: start + .seconds(5))
    agenda.setTimer(2, to: start + .seconds(3))
    var next = agenda.nextTimer()
    #expect(next == start + .seconds(3))
    #expect(!agenda.mayHaveExpired(at: start) && agenda.mayHaveExpired(at: start + .seconds(3)))
    #expect(agenda.hasExpired(2, at: start + .seconds(3)) && !agenda.hasExpired(1, at: start + .seconds(3)))
    agenda.setTimer(2, to: .distantFuture)
    #expect(agenda.mayHaveExpired(at: start))
    next = agenda.nextTimer()
    #expect(next == start + .seconds(5))
  }
}
