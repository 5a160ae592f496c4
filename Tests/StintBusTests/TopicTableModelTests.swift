import StintModel
import StintUnits
import Testing

@testable import StintBus

/// Random operations on a topic table, compared with plain arrays of subscribers.
@Suite struct TopicTableModelTests {
  private struct Listener {
    var id: SubscriberID
    var channel: BatchChannel
    var device: DeviceID
    var expected: [UInt64] = []
  }

  private static let devices: [DeviceID] = ["location.gnss", "motion.gyro", "radio.wifi"]

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `every subscriber gets exactly the batches that were published during its subscription`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = TopicTable()
    var listeners: [Listener] = []
    var gone: [Listener] = []
    for sequence in 0..<300 as Range<UInt64> {
      let device = Self.devices[Int.random(in: 0..<3, using: &generator)]
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let channel = BatchChannel(.dropOldest(capacity: 400))
        listeners.append(
          Listener(id: table.subscribe(channel, to: device), channel: channel, device: device))
      case 1 where !listeners.isEmpty:
        let left = listeners.remove(at: Int.random(in: 0..<listeners.count, using: &generator))
        #expect(table.unsubscribe(left.id) != nil)
        gone.append(left)
      default:
        let sample = Sample(instant: .epoch, sequence: sequence, 1)
        let publication = table.publish(Batch(device: device, samples: [sample], reason: .immediate))
        for index in listeners.indices where listeners[index].device == device {
          listeners[index].expected.append(sequence)
        }
        #expect(publication.reached == listeners.count { $0.device == device })
      }
    }
    #expect(table.devices == Set(listeners.map(\.device)).sorted())
    for listener in listeners + gone {
      #expect(listener.channel.drainAll().map { $0.samples[0].sequence } == listener.expected)
    }
    for device in Self.devices {
      #expect(table.subscribers(of: device) == listeners.filter { $0.device == device }.map(\.id))
    }
  }
}
