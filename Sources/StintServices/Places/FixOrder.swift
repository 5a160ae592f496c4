import StintModel
import StintUnits

/// Puts fixes in the order in which they were determined: inside a batch by sorting, across batches by leaving out
/// what is not newer than what was handed over before. A fix from the future is left out too: believed, it would
/// shadow all that come until then.
struct FixOrder: Hashable, Sendable {
  private struct Stamp: Hashable, Comparable {
    var instant: Instant
    var sequence: UInt64

    init(_ fix: PositionFix) {
      instant = fix.determined
      sequence = fix.sequence
    }

    static func < (left: Stamp, right: Stamp) -> Bool {
      (left.instant, left.sequence) < (right.instant, right.sequence)
    }
  }

  private var newest: Stamp?
  /// How many fixes came too late to be handed over, or were no positions at all.
  private(set) var refused = 0

  /// The fixes of a batch that are new, oldest first; may be empty.
  mutating func take(_ batch: Batch, at now: Instant) -> [PositionFix] {
    var fixes = batch.samples.compactMap { PositionFix($0, of: batch.device) }
    refused += batch.samples.count - fixes.count
    fixes.sort { Stamp($0) < Stamp($1) }
    var taken: [PositionFix] = []
    for fix in fixes {
      guard fix.determined <= now, newest.map({ $0 < Stamp(fix) }) ?? true else {
        refused += 1
        continue
      }
      newest = Stamp(fix)
      taken.append(fix)
    }
    return taken
  }
}
