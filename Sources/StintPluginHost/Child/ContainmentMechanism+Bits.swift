import CStintProcess
import StintModel

extension ContainmentMechanism {
  /// The bit of this mechanism in the C interface.
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

  /// Returns the mechanisms in a bit set, in the order of the cases.
  static func all(in bits: UInt32) -> [ContainmentMechanism] { allCases.filter { bits & $0.bit != 0 } }

  static func bits(of means: [ContainmentMechanism]) -> UInt32 { means.reduce(0) { $0 | $1.bit } }
}
