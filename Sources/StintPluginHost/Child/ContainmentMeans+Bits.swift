import CStintProcess
import StintModel

extension ContainmentMeans {
  /// The bit by which the system's side names it.
  var bit: UInt32 {
    let bits: Int =
      switch self {
      case .userNamespace: stint_means_user_namespace
      case .mountNamespace: stint_means_mount_namespace
      case .processNamespace: stint_means_process_namespace
      case .ipcNamespace: stint_means_ipc_namespace
      case .networkNamespace: stint_means_network_namespace
      case .ownUser: stint_means_own_user
      case .landlock: stint_means_landlock
      case .callFilter: stint_means_call_filter
      case .callNotice: stint_means_call_notice
      case .processLimit: stint_means_process_limit
      case .cgroup: stint_means_cgroup
      }
    return UInt32(bits)
  }

  /// The means in a set of bits, in their order.
  static func all(in bits: UInt32) -> [ContainmentMeans] { allCases.filter { bits & $0.bit != 0 } }

  /// The bits of some means.
  static func bits(of means: [ContainmentMeans]) -> UInt32 { means.reduce(0) { $0 | $1.bit } }
}
