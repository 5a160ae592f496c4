/// How one scan lies in the bytes of a buffer: the enabled elements in the order of their indexes, each at a multiple
/// of its own size, and the whole a multiple of the largest.
struct IIOScanLayout: Sendable {
  /// What one scan said.
  struct Scan: Hashable, Sendable {
    /// The raw numbers of the axes, in the order of the axes that were asked for.
    var axes: [Int64]
    /// Nanoseconds of whatever clock the device is set to; nil without a timestamp.
    var timestamp: Int64?
  }

  /// How many bytes one scan takes.
  let size: Int
  private let axes: [(offset: Int, type: IIOScanType)]
  private let timestamp: (offset: Int, type: IIOScanType)?

  /// Lays out what is enabled.
  ///
  /// - Parameter names: the axes in the order in which they are wanted; each must be among the elements.
  init(_ elements: [IIOScanElement], axes names: [String]) throws(IIOFault) {
    var offset = 0
    var largest = 1
    var places: [String: (Int, IIOScanType)] = [:]
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let size = element.type.size
      offset = (offset + size - 1) / size * size
      guard places.updateValue((offset, element.type), forKey: element.name) == nil else {
        throw IIOFault("\(element.name) is in a scan twice")
      }
      offset += size
      largest = max(largest, size)
    }
    var axes: [(Int, IIOScanType)] = []
    for name in names {
      guard let place = places[name] else { throw IIOFault("\(name) is not in the scans") }
      axes.append(place)
    }
    self.axes = axes.map { (offset: $0.0, type: $0.1) }
    timestamp = places["in_timestamp"].map { (offset: $0.0, type: $0.1) }
    size = (offset + largest - 1) / largest * largest
  }

  /// Reads the scan that these bytes are; there are `size` of them.
  func scan(_ bytes: ArraySlice<UInt8>) -> Scan {
    let read = { (place: (offset: Int, type: IIOScanType)) in
      let start = bytes.startIndex + place.offset
      return place.type.value(in: bytes[start..<start + place.type.size])
    }
    return Scan(axes: axes.map(read), timestamp: timestamp.map(read))
  }
}
