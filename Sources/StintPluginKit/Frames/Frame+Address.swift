import StintUnits

/// A message about one of several devices of a process. Its body consists of the index of the device (2
/// bytes), the kind of the inner message (2), zero (4), and the body of the inner message.
extension Frame {
  /// Returns the frame with the address of a device.
  ///
  /// - Parameter kind: `FrameLayout.hostAddressKind` or `FrameLayout.pluginAddressKind`.
  /// - Precondition: the result has at most `FrameLayout.largest` bytes.
  package func addressed(to device: Int, kind: UInt16) -> Frame {
    var writer = ByteWriter()
    writer.append(UInt16(clamping: device))
    writer.append(self.kind)
    writer.zero(4)
    return Frame(kind: kind, sequence: sequence, body: writer.bytes + body)
  }

  /// Returns the address and the message that it precedes. For a frame whose kind is not `kind`, the address
  /// is nil and the message is this frame.
  ///
  /// - Throws: a fault when the address is malformed or precedes another address.
  package func resolved(_ kind: UInt16) throws(FrameFault) -> (device: Int?, frame: Frame) {
    guard self.kind == kind else { return (nil, self) }
    var bytes = ByteReader(body)
    let device = Int(try bytes.integer(UInt16.self))
    let inner = try bytes.integer(UInt16.self)
    try bytes.zero(4)
    guard inner != kind else { throw FrameFault(.form, "sent two addresses for one message") }
    return (
      device, Frame(kind: inner, sequence: sequence, body: Array(body.dropFirst(FrameLayout.addressSize)))
    )
  }
}
