import StintFormats
import StintModel
import StintUnits
import Testing

@Suite struct TransferOrderTests {
  private static let exchange = TransferExchange(
    task: "a", attempt: 2, key: "mail/sync/a",
    request: TransferRequest(.download(from: "https://mail.example/a"), bytesDown: 9000), offset: 1500)
  private static let upload = TransferExchange(
    task: "b", attempt: 1, key: "mail/sync/b",
    request: TransferRequest(.upload(file: "/out/b", to: "https://mail.example/b"), bytesUp: 70), offset: 0)

  static let orders: [TransferOrder] = [
    .open(exchange), .start(exchange, on: "radio.lora"), .start(upload, on: "radio.wifi"), .complete(upload),
    .close(exchange, keepsPart: true), .close(upload, keepsPart: false), .discard("/spool/a"),
  ]

  @Test("an order is equal after encoding as JSON and decoding", arguments: orders)
  func roundTrip(_ order: TransferOrder) throws {
    let line = try JSONCoding.line(of: order)
    #expect(try JSONCoding.decode(TransferOrder.self, from: Array(line.utf8), file: "") == order)
  }

  @Test(
    "a report is equal after encoding as JSON and decoding",
    arguments: [
      .progress(4096), .reply(404), .finished(file: "/spool/a"), .finished(file: nil), .failed(.connection),
      .failed(.diskFull),
    ] as [TransferReport])
  func report(_ report: TransferReport) throws {
    let sent = AttemptReport(report, key: "mail/sync/a", attempt: 3)
    let line = try JSONCoding.line(of: sent)
    #expect(try JSONCoding.decode(AttemptReport.self, from: Array(line.utf8), file: "") == sent)
  }

  @Test(
    "a report with a missing or unknown value is refused",
    arguments: [
      #"{"report":"progress","key":"a","attempt":1}"#, #"{"report":"done","key":"a","attempt":1}"#,
      #"{"report":"reply","key":"a","attempt":1,"status":"ok"}"#, #"{"report":"finished","attempt":1}"#,
      #"{"report":"failed","key":"a","attempt":1}"#, "[]", "",
    ])
  func invalid(_ text: String) {
    #expect(throws: Problem.self) {
      try JSONCoding.decode(AttemptReport.self, from: Array(text.utf8), file: "")
    }
  }
}
