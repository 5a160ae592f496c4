// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "Gpsd",
  products: [.library(name: "Gpsd", targets: ["Gpsd"])],
  dependencies: [.package(name: "Stint", path: "../..")],
  targets: [
    .target(
      name: "Gpsd", dependencies: [.product(name: "StintPluginKit", package: "Stint")], path: ".",
      exclude: ["README.md", "Tests", "site.json"], sources: ["Sources"],
      resources: [.embedInCode("manifest.json")],
      swiftSettings: settings),
    .testTarget(
      name: "GpsdTests", dependencies: ["Gpsd", .product(name: "StintPluginKit", package: "Stint")],
      path: "Tests", exclude: ["Hardware", "Site"],
      // Stint links the same files into its program, as a module with its own name in front: no two modules of a
      // build may have one name.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintGpsd=Gpsd"])]),
  ]
)
