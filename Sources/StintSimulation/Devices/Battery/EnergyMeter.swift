public import StintUnits
import Synchronization

/// What the phone has drawn so far: the driver of a simulation stores it, the battery reads it.
public final class EnergyMeter: Sendable {
  private let nanojoules = Atomic<Int64>(0)

  /// Stands at zero.
  public init() {}

  /// The ledger's total.
  public var total: Energy {
    get { Energy(nanojoules: nanojoules.load(ordering: .relaxed)) }
    // No battery holds 64 bits of nanojoules.
    set { nanojoules.store(Int64(clamping: newValue.nanojoules), ordering: .relaxed) }
  }
}
