import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("A device whose name in the site differs from its name in the plugin")
struct RenamedDeviceTests {
  private static let now = Instant.epoch + .seconds(100)

  private static func manifest(_ device: DeviceID) -> Manifest {
    Manifest(
      device: device, kind: .radio, title: "", states: [PowerState(name: "off", power: .zero, isOn: false)],
      facts: [FactSchema(path: "\(device).signal", type: .quantity(.none), device: device)],
      statedRoles: [.carrier, .transfers])
  }

  /// Returns a conversation with a plugin that has the device `radio.one`. The site names it `radio.two`.
  private func conversation(_ description: FrameManifest) throws(FrameFault) -> ChildConversation {
    var conversation = ChildConversation(
      [ProgramDevice(Self.manifest("radio.two"), own: Self.manifest("radio.one"))], firstSamples: [0],
      faults: FaultBudget(at: Self.now), at: Self.now)
    conversation.receive(PluginFrame.welcome(major: 1, minor: 4).frame(0).bytes[...])
    _ = try conversation.next(at: Self.now)
    conversation.receive(PluginFrame.manifest(description).frame(1).bytes[...])
    _ = try conversation.next(at: Self.now)
    return conversation
  }

  @Test(
    "a manifest with the plugin's own device name is accepted; a manifest with the site's name is refused")
  func description() throws {
    _ = try conversation(FrameManifest(of: Self.manifest("radio.one")))
    let fault = #expect(throws: FrameFault.self) {
      try conversation(FrameManifest(of: Self.manifest("radio.two")))
    }
    #expect(fault?.sentence == "declares the device “radio.two”")
  }

  @Test("in an order, the plugin's radio has the plugin's own name, and other radios keep their names")
  func order() throws {
    var conversation = try conversation(FrameManifest(of: Self.manifest("radio.one")))
    let exchange = TransferExchange(
      task: "a", attempt: 1, key: "a", request: TransferRequest(.download(from: "a"), bytesDown: 1), offset: 0
    )
    for (radio, name) in [("radio.two", "radio.one"), ("radio.wifi", "radio.wifi")] {
      let bytes = conversation.handle(.start(exchange, on: DeviceID(radio)), at: Self.now)
      #expect(String(decoding: bytes, as: UTF8.self).contains("\"radio\":\"\(name)\""))
    }
  }
}
