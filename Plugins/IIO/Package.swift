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
  name: "IIO",
  products: [.library(name: "IIO", targets: ["IIO"])],
  dependencies: [.package(name: "Stint", path: "../..")],
  targets: [
    .target(
      name: "IIO", dependencies: [.product(name: "StintPluginKit", package: "Stint")], path: ".",
      exclude: ["README.md", "Tests", "site.json"], sources: ["Sources"],
      resources: [.embedInCode("Manifests")],
      swiftSettings: settings),
    .testTarget(
      name: "IIOTests", dependencies: ["IIO", .product(name: "StintPluginKit", package: "Stint")],
      path: "Tests", exclude: ["Hardware"],
      // The parent package builds these files as the module `StintIIO`, because module names must be unique
      // in a build. The tests import `StintIIO`; in this package, the alias maps that name to `IIO`.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintIIO=IIO"])]),
  ]
)
