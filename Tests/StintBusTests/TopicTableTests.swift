import StintModel
import StintUnits
import Testing

@testable import StintBus

@Suite struct TopicTableTests {
  private func batch(_ number: UInt64, from device: DeviceID) -> Batch {
    Batch(device: device, samples: [Sample(instant: .epoch, sequence: number, 1)], reason: .immediate)
  }

  @Test func `a batch reaches only the subscribers of its device`() {
    var table = TopicTable()
    let near = BatchChannel(.dropOldest(capacity: 4))
    let far = BatchChannel(.dropOldest(capacity: 4))
    let other = BatchChannel(.dropOldest(capacity: 4))
    let ids = [
      table.subscribe(near, to: "location.gnss"), table.subscribe(far, to: "location.gnss"),
      table.subscribe(other, to: "location.cell"),
    ]
    #expect(ids == ids.sorted())
    let publication = table.publish(batch(1, from: "location.gnss"))
    #expect(publication.reached == 2)
    #expect(near.drainAll() == far.drainAll())
    #expect(other.drainAll().isEmpty)
    #expect(table.publish(batch(1, from: "motion.gyro")) == Publication())
    #expect(table.devices == ["location.cell", "location.gnss"])
  }

  @Test func `a subscriber with an abandoned channel is removed and reported once`() {
    var table = TopicTable()
    let leaving = BatchChannel(.latest)
    let id = table.subscribe(leaving, to: "location.gnss")
    _ = leaving.offer(batch(0, from: "location.gnss"))
    _ = leaving.stream()
    #expect(leaving.end == .abandoned)
    #expect(table.publish(batch(1, from: "location.gnss")).departed == [id])
    #expect(table.publish(batch(2, from: "location.gnss")) == Publication())
    #expect(table.devices.isEmpty)
  }

  @Test func `batches that a slow subscriber loses are counted by device`() {
    var table = TopicTable()
    _ = table.subscribe(BatchChannel(.latest), to: "location.gnss")
    _ = table.subscribe(BatchChannel(.dropOldest(capacity: 2)), to: "location.gnss")
    let displaced = (1...4).map { table.publish(batch($0, from: "location.gnss")).displaced }
    #expect(displaced == [0, 1, 2, 2])
    #expect(table.lost(of: "location.gnss") == Tally(batches: 5, samples: 5))
  }

  @Test func `unsubscribing returns the open channel; finishing a device ends its channels`() {
    var table = TopicTable()
    let kept = BatchChannel(.latest)
    let ended = BatchChannel(.latest)
    let id = table.subscribe(kept, to: "location.gnss")
    _ = table.subscribe(ended, to: "location.gnss")
    #expect(table.unsubscribe(id) != nil)
    #expect(table.unsubscribe(id) == nil)
    table.finish("location.gnss", throwing: ChannelPair.failure)
    #expect(kept.end == nil)
    #expect(ended.end == .failed(ChannelPair.failure))
    #expect(table.subscribers(of: "location.gnss").isEmpty)
  }
}
