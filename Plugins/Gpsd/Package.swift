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
      // The parent package builds these files as the module `StintGpsd`, because module names must be unique
      // in a build. The tests import `StintGpsd`; in this package, the alias maps that name to `Gpsd`.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintGpsd=Gpsd"])]),
  ]
)
