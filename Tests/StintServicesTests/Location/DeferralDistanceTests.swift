import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite("Distance of a deferral")
struct DeferralDistanceTests {
  private func deferral(odometer: Double?) -> Deferral {
    Deferral(1, distance: 1000, time: nil, at: .epoch, odometer: odometer)
  }

  @Test("the distance is summed over successive serving devices with different odometers")
  func changes() {
    var deferral = deferral(odometer: 5000)
    #expect(deferral.reached(at: .epoch, odometer: 5600).isEmpty)
    // The odometer of the second device is far ahead of the first device's odometer. After the change back,
    // the first device's odometer is therefore behind.
    deferral.changeDevice(leaving: 5700, arriving: 90_000)
    #expect(deferral.reached(at: .epoch, odometer: 90_200).isEmpty)
    deferral.changeDevice(leaving: 90_200, arriving: 5700)
    #expect(deferral.reached(at: .epoch, odometer: 5799).isEmpty)
    #expect(deferral.reached(at: .epoch, odometer: 5800) == [.distance(1000)])
  }

  @Test("a device adds no distance before the first reading of its odometer")
  func unknown() {
    var deferral = deferral(odometer: nil)
    #expect(deferral.reached(at: .epoch, odometer: nil).isEmpty)
    #expect(deferral.reached(at: .epoch, odometer: 700).isEmpty)
    deferral.changeDevice(leaving: nil, arriving: nil)
    #expect(deferral.reached(at: .epoch, odometer: 10_000).isEmpty)
    #expect(deferral.reached(at: .epoch, odometer: 11_000) == [.distance(1000)])
  }
}
