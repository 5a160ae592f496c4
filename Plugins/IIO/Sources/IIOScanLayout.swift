/// The byte layout of a scan: the enabled elements in the order of their indexes.
///
/// Each element is aligned to its size, and a scan's size is a multiple of the size of its largest element.
struct IIOScanLayout: Sendable {
  /// The decoded values of one scan.
  struct Scan: Hashable, Sendable {
    /// The raw numbers of the axes, in the requested order.
    var axes: [Int64]
    /// The device's timestamp in nanoseconds, on the clock that the device uses; nil without a timestamp.
    var timestamp: Int64?
  }

  /// The size of a scan in bytes.
  let size: Int
  private let axes: [(offset: Int, type: IIOScanType)]
  private let timestamp: (offset: Int, type: IIOScanType)?

  /// Computes the layout of the enabled elements.
  ///
  /// - Parameter names: the axes in the requested order; each must be among the elements.
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

  /// Decodes the scan in these `size` bytes.
  func scan(_ bytes: ArraySlice<UInt8>) -> Scan {
    let read = { (place: (offset: Int, type: IIOScanType)) in
      let start = bytes.startIndex + place.offset
      return place.type.value(in: bytes[start..<start + place.type.size])
    }
    return Scan(axes: axes.map(read), timestamp: timestamp.map(read))
  }
}
