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
  name: "PowerSupply",
  products: [.library(name: "PowerSupply", targets: ["PowerSupply"])],
  dependencies: [.package(name: "Stint", path: "../..")],
  targets: [
    .target(
      name: "PowerSupply", dependencies: [.product(name: "StintPluginKit", package: "Stint")], path: ".",
      exclude: ["README.md", "Tests"], sources: ["Sources"], resources: [.embedInCode("manifest.json")],
      swiftSettings: settings),
    .testTarget(
      name: "PowerSupplyTests",
      dependencies: ["PowerSupply", .product(name: "StintPluginKit", package: "Stint")],
      path: "Tests", exclude: ["Hardware"],
      // Stint links the same files into its program, as a module with its own name in front: no two modules of a
      // build may have one name.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintPowerSupply=PowerSupply"])]),
  ]
)
