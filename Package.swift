// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "UIFusion",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "UIFusionKit", targets: ["UIFusionKit"]),
    .library(name: "UIFusionTesting", targets: ["UIFusionTesting"]),
    .library(name: "UIFusionServer", targets: ["UIFusionServer"]),
    .library(name: "UIFusionTools", targets: ["UIFusionTools"]),
    .executable(name: "uifusion", targets: ["uifusion"]),
  ],
  targets: [
    // The C libraries, and a shim for what Swift cannot call.
    .systemLibrary(
      name: "CMicrohttpd",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CNettle",
      pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]
    ),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(
      name: "CGnuTLS",
      pkgConfig: "gnutls",
      providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])]
    ),

    // The pattern: what a view model is written with.
    .target(name: "UIFusionKit"),

    // Values and their bytes.
    .target(name: "HTTPMessages", swiftSettings: [.strictMemorySafety()]),
    .target(name: "StrictJSON"),
    .target(name: "JSONPatch", dependencies: ["StrictJSON"]),
    .target(name: "Metrics"),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: [.strictMemorySafety()]),
    .target(
      name: "KeyedDigest",
      dependencies: ["CNettle"],
      swiftSettings: [.strictMemorySafety()]
    ),

    // What the types themselves say about their JSON.
    .target(
      name: "TypeShapes",
      dependencies: ["StrictJSON", "UIFusionKit"],
      swiftSettings: [.strictMemorySafety()]
    ),
    .target(
      name: "UIFusionTesting",
      dependencies: ["StrictJSON", "TypeShapes", "UIFusionKit"]
    ),

    // The host, its HTTP interface, and the server beneath it.
    .target(
      name: "MicrohttpdServer",
      dependencies: ["CMicrohttpd", "HTTPMessages"],
      swiftSettings: [.strictMemorySafety()]
    ),
    .target(
      name: "TLSClient",
      dependencies: ["CGnuTLS"],
      swiftSettings: [.strictMemorySafety()]
    ),
    .target(name: "Sessions", dependencies: ["UIFusionKit"]),
    .target(
      name: "SQLiteSessions",
      dependencies: ["CSQLite", "KeyedDigest", "Sessions"],
      swiftSettings: [.strictMemorySafety()]
    ),
    .target(
      name: "SessionAPI",
      dependencies: [
        "Gzip", "HTTPMessages", "JSONPatch", "KeyedDigest", "Metrics", "Sessions", "StrictJSON",
        "TypeShapes", "UIFusionKit",
      ]
    ),
    .target(
      name: "UIFusionServer",
      dependencies: [
        "CMalloc", "HTTPMessages", "JSONPatch", "Metrics", "MicrohttpdServer", "SQLiteSessions",
        "SessionAPI", "Sessions", "StrictJSON", "TLSClient", "UIFusionKit",
      ]
    ),

    // The commands for stored sessions, for programs that ask for them.
    .target(
      name: "UIFusionTools",
      dependencies: [
        "JSONPatch", "SQLiteSessions", "Sessions", "StrictJSON", "UIFusionKit", "UIFusionServer",
      ]
    ),

    // The executable: the examples, hosted.
    .target(name: "ExampleViewModels", dependencies: ["UIFusionKit"]),
    .executableTarget(
      name: "uifusion",
      dependencies: ["ExampleViewModels", "UIFusionKit", "UIFusionServer", "UIFusionTools"]
    ),

    // A client of the tests', for what no ordinary client would send.
    .target(name: "RawHTTP", path: "Tests/RawHTTP"),

    // The service on a virtual clock, under one scheduler that a seed decides, and a command that runs it.
    .target(
      name: "Simulation",
      dependencies: [
        "HTTPMessages", "JSONPatch", "SessionAPI", "Sessions", "StrictJSON", "UIFusionKit",
        "UIFusionServer",
      ],
      path: "Tests/Simulation"
    ),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate"),

    // The service on real threads, over disks that fail, and a command that runs it.
    .target(name: "FaultingVFS", dependencies: ["CSQLite"], path: "Tests/FaultingVFS"),
    .target(name: "FaultingCalls", path: "Tests/FaultingCalls"),
    .target(
      name: "FaultInjection",
      dependencies: [
        "CSQLite", "FaultingCalls", "FaultingVFS", "RawHTTP", "StrictJSON", "UIFusionKit",
        "UIFusionServer",
      ],
      path: "Tests/FaultInjection"
    ),
    .executableTarget(
      name: "faults",
      dependencies: ["FaultInjection"],
      path: "Tests/FaultsCommand"
    ),

    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "HTTPMessagesTests", dependencies: ["HTTPMessages"]),
    .testTarget(name: "MetricsTests", dependencies: ["Metrics"]),
    .testTarget(name: "GzipTests", dependencies: ["Gzip"]),
    .testTarget(name: "KeyedDigestTests", dependencies: ["KeyedDigest"]),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"]),
    .testTarget(name: "JSONPatchTests", dependencies: ["JSONPatch", "StrictJSON"]),
    .testTarget(
      name: "TypeShapesTests",
      dependencies: ["StrictJSON", "TypeShapes", "UIFusionKit"]
    ),
    .testTarget(name: "UIFusionKitTests", dependencies: ["UIFusionKit", "UIFusionTesting"]),
    .testTarget(name: "UIFusionTestingTests", dependencies: ["UIFusionKit", "UIFusionTesting"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "RawHTTP", "StrictJSON", "UIFusionKit", "UIFusionServer", "UIFusionTesting",
        "UIFusionTools",
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .testTarget(name: "PlainSwiftTests", dependencies: ["UIFusionKit", "UIFusionTesting"]),
    .testTarget(
      name: "ExampleViewModelsTests",
      dependencies: ["ExampleViewModels", "StrictJSON", "UIFusionKit", "UIFusionTesting"]
    ),
    .testTarget(
      name: "MicrohttpdServerTests",
      dependencies: ["HTTPMessages", "MicrohttpdServer", "RawHTTP"]
    ),
    .testTarget(
      name: "SessionsTests",
      dependencies: ["Sessions", "UIFusionKit", "UIFusionTesting"]
    ),
    .testTarget(
      name: "StoreTests",
      dependencies: ["CSQLite", "FaultingVFS", "KeyedDigest", "Sessions", "SQLiteSessions"],
      exclude: ["Folders"]
    ),
    .testTarget(
      name: "SessionAPITests",
      dependencies: [
        "ExampleViewModels", "HTTPMessages", "Metrics", "SessionAPI", "Sessions", "StrictJSON",
        "UIFusionKit", "UIFusionServer", "UIFusionTesting",
      ]
    ),
    .testTarget(name: "SimulationTests", dependencies: ["simulate"]),
    .testTarget(
      name: "FaultInjectionTests",
      dependencies: ["CSQLite", "FaultInjection", "FaultingVFS", "UIFusionServer", "faults"]
    ),
    .testTarget(
      name: "UIFusionServerTests",
      dependencies: [
        "ExampleViewModels", "RawHTTP", "Sessions", "UIFusionKit", "UIFusionServer",
        "UIFusionTesting", "UIFusionTools", "uifusion",
      ]
    ),
    .testTarget(
      name: "UIFusionToolsTests",
      dependencies: [
        "ExampleViewModels", "Sessions", "StrictJSON", "UIFusionKit", "UIFusionServer",
        "UIFusionTesting", "UIFusionTools",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// These two stand for a user's package, which need not have them.
let plain: Set = ["GuideTests", "PlainSwiftTests"]
for target in package.targets where target.type != .system && !plain.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      .treatAllWarnings(as: .error),
      .treatWarning("ExplicitSendable", as: .error),
    ]
}
