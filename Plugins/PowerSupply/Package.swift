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
      // Stint builds these files as the module `StintPowerSupply`, because the module names of a build must
      // be unique. The tests import this name; here it means the module `PowerSupply`.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintPowerSupply=PowerSupply"])]),
  ]
)
