import StintPluginKit
import StintUnits

/// A buffer of the kernel that is on, and how its bytes are read.
struct IIOStream: Sendable {
  let descriptor: Int32
  /// Which one it is of the buffers that were turned on.
  var number = 0
  let layout: IIOScanLayout
  /// The time between two scans, as the device says that it is.
  let period: TimeSpan
  /// How many scans come before anybody is woken, as the kernel says that it is.
  let watermark: Int
  /// What was asked, to tell whether anything is to be done when it is asked again.
  let wanted: (period: TimeSpan, latency: TimeSpan)
  /// The bytes of a scan that has not come whole.
  private var rest: [UInt8] = []

  init(
    descriptor: Int32, layout: IIOScanLayout, period: TimeSpan, watermark: Int,
    wanted: (period: TimeSpan, latency: TimeSpan)
  ) {
    self.descriptor = descriptor
    self.layout = layout
    self.period = period
    self.watermark = watermark
    self.wanted = wanted
  }

  /// Takes bytes in and returns the scans that they complete.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [IIOScanLayout.Scan] {
    rest += bytes
    var scans: [IIOScanLayout.Scan] = []
    var start = 0
    while rest.count - start >= layout.size {
      scans.append(layout.scan(rest[start..<start + layout.size]))
      start += layout.size
    }
    rest.removeFirst(start)
    return scans
  }
}
