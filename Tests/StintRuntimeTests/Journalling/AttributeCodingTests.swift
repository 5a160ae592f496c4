import StintGovernor
import StintJournal
import StintModel
import StintUnits
import Testing

@testable import StintRuntime

@Suite("Demands with attributes in journals")
struct AttributeCodingTests {
  @Test("a demand of a client or a service is read back with its attributes and with `isForTargetOnly`")
  func demand() throws {
    var wants = DemandSettings(accuracy: 10)
    wants.attributes = ["gain": "high", "window": "60 ms", "chopped": true]
    var demand = Demand(id: DemandID(3), client: "app", target: "bench.adc", wants: wants)
    for service in [nil, ServiceOrigin(.moves)] as [ServiceOrigin?] {
      demand.service = service
      demand.isForTargetOnly = service == nil
      var writer = ByteWriter()
      Input.raise(demand).write(to: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(try Input(from: &reader) == .raise(demand))
    }
  }

  @Test("a demand for its target only, without attributes, is read as it was written")
  func targetOnly() throws {
    let demand = Demand(
      id: DemandID(4), client: "app", target: "location.gnss", wants: DemandSettings(), isForTargetOnly: true)
    var writer = ByteWriter()
    Input.raise(demand).write(to: &writer)
    var reader = ByteReader(writer.bytes)
    #expect(try Input(from: &reader) == .raise(demand))
    var wrong = ByteReader([15, 15, 15, 3])
    #expect(throws: CodingFault.self) { try Input(from: &wrong) }
  }

  @Test("a damaged record with many nested marks of attributes is an error, not an endless recursion")
  func nested() {
    var writer = ByteWriter()
    for _ in 0..<200_000 {
      writer.byte(14)
      writer.integer(0)
    }
    var reader = ByteReader(writer.bytes)
    #expect(throws: CodingFault.self) { try Input(from: &reader) }
  }
}
