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
      name: "PowerSupply",
      dependencies: [
        .product(name: "StintPluginKit", package: "Stint"), .product(name: "StintDBus", package: "Stint"),
      ],
      path: ".",
      exclude: ["README.md", "Tests"], sources: ["Sources"], resources: [.embedInCode("manifest.json")],
      swiftSettings: settings),
    .testTarget(
      name: "PowerSupplyTests",
      dependencies: [
        "PowerSupply", .product(name: "StintPluginKit", package: "Stint"),
        .product(name: "StintDBus", package: "Stint"),
      ],
      path: "Tests", exclude: ["Hardware"],
      // The parent package builds these files as the module `StintPowerSupply`, because module names must be
      // unique in a build. The tests import `StintPowerSupply`; in this package, the alias maps that name to
      // `PowerSupply`.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintPowerSupply=PowerSupply"])]),
  ]
)
