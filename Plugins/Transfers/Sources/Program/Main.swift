import StintPluginKit
import StintUnits
import Transfers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The program that Stint starts; see README.md.
@main enum Main {
  static func main() {
    // A server that closes its connection early must not end the process.
    signal(SIGPIPE, SIG_IGN)
    exit(
      PluginProcess.serve(HTTPCarrier.embeddedManifest) { settings, clock throws(Problem) in
        try HTTPCarrier(settings, clock: clock)
      })
  }
}
