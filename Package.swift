// swift-tools-version: 6.2
import PackageDescription

/// A system library written in C, found by pkg-config.
func library(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: "CFusion\(name)",
    path: "Sources/C/" + name,
    pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])]
  )
}

/// The libraries of a program that hosts view models.
let host: [Target.Dependency] = ["UIFusionKit", "UIFusionServer", "UIFusionTools"]

let package = Package(
  name: "UIFusion",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.executable(name: "uifusion", targets: ["uifusion"])]
    + ["UIFusionKit", "UIFusionTesting", "UIFusionServer", "UIFusionTools"].map {
      .library(name: $0, targets: [$0])
    },
  traits: [
    .trait(
      name: "Foundation",
      description: "SendableError reads what only Foundation knows of an error: NSError, URLError."
    ),
    .default(enabledTraits: ["Foundation"]),
  ],
  targets: [
    // The C libraries, and a shim for functions that Swift cannot call.
    library("Curl", "libcurl", apt: "libcurl4-gnutls-dev", brew: "curl"),
    library("GnuTLS", "gnutls", apt: "libgnutls28-dev", brew: "gnutls"),
    library("Microhttpd", "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    library("Nettle", "nettle", apt: "nettle-dev", brew: "nettle"),
    library("PostgreSQL", "libpq", apt: "libpq-dev", brew: "libpq"),
    library("SQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    library("Zlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
    .systemLibrary(name: "CFusionMalloc", path: "Sources/C/Malloc"),

    // The library in which view models are written.
    .target(name: "UIFusionKit", path: "Sources/Kit/UIFusionKit"),

    // Value types and their encodings.
    .target(name: "FusionHTTPMessages", path: "Sources/HTTP/HTTPMessages"),
    .target(
      name: "FusionStrictJSON",
      dependencies: ["UIFusionKit"],
      path: "Sources/Formats/StrictJSON"
    ),
    .target(
      name: "FusionJSONPatch",
      dependencies: ["FusionStrictJSON", "UIFusionKit"],
      path: "Sources/Formats/JSONPatch"
    ),
    .target(name: "FusionMetrics", path: "Sources/Formats/Metrics"),
    .target(name: "FusionGzip", dependencies: ["CFusionZlib"], path: "Sources/Formats/Gzip"),
    .target(
      name: "FusionKeyedDigest",
      dependencies: ["CFusionNettle"],
      path: "Sources/Formats/KeyedDigest"
    ),

    // The client for browsers, embedded in the executable: nothing else needs to be installed.
    .target(name: "CFusionWebClient", path: "Sources/C/WebClient"),
    .target(
      name: "FusionWebClient",
      dependencies: ["CFusionWebClient"],
      path: "Sources/API/WebClient",
      exclude: [
        "Alone", "Bindings", "Bundle", "Console", "Expressions", "Fields", "Gestures", "Lists",
        "Login", "More", "Notices", "Page", "Schemas", "Service", "Session", "Tabs", "client.js",
        "console.css", "console.html", "main.js", "uifusion.d.ts",
      ]
    ),

    // The JSON that Swift types describe, and the library for tests.
    .target(
      name: "FusionTypeShapes",
      dependencies: ["FusionStrictJSON", "UIFusionKit"],
      path: "Sources/Formats/TypeShapes"
    ),
    .target(
      name: "UIFusionTesting",
      dependencies: ["FusionStrictJSON", "FusionTypeShapes", "UIFusionKit"],
      path: "Sources/Kit/UIFusionTesting"
    ),

    // The host, its HTTP interface, and the server beneath it.
    .target(
      name: "FusionMicrohttpdServer",
      dependencies: ["CFusionMicrohttpd", "FusionHTTPMessages"],
      path: "Sources/HTTP/MicrohttpdServer"
    ),
    .target(name: "FusionTLS", dependencies: ["CFusionGnuTLS"], path: "Sources/HTTP/TLS"),
    .target(
      name: "FusionHTTPToolkit",
      dependencies: ["FusionGzip", "FusionHTTPMessages", "FusionMetrics", "FusionStrictJSON"],
      path: "Sources/HTTP/HTTPToolkit"
    ),
    .target(
      name: "FusionSessions",
      dependencies: ["UIFusionKit"],
      path: "Sources/Sessions/Sessions"
    ),
    .target(
      name: "FusionSQLiteSessions",
      dependencies: ["CFusionSQLite", "FusionKeyedDigest", "FusionSessions"],
      path: "Sources/Sessions/SQLiteSessions"
    ),
    .target(
      name: "FusionPostgreSQLSessions",
      dependencies: ["CFusionPostgreSQL", "FusionSessions"],
      path: "Sources/Sessions/PostgreSQLSessions"
    ),
    .target(
      name: "FusionSessionAPI",
      dependencies: [
        "FusionGzip", "FusionHTTPMessages", "FusionHTTPToolkit", "FusionJSONPatch",
        "FusionKeyedDigest", "FusionMetrics", "FusionSessions", "FusionStrictJSON",
        "FusionTypeShapes", "FusionWebClient", "UIFusionKit",
      ],
      path: "Sources/API/SessionAPI"
    ),

    // Several nodes that share a store: no other target knows how they find each other.
    .target(
      name: "FusionCluster",
      dependencies: [
        "CFusionCurl", "FusionHTTPMessages", "FusionHTTPToolkit", "FusionKeyedDigest",
        "FusionMetrics", "FusionMicrohttpdServer", "FusionSessionAPI", "FusionSessions",
        "FusionStrictJSON", "UIFusionKit",
      ],
      path: "Sources/Cluster/Cluster"
    ),
    .target(name: "FusionCommandLine", path: "Sources/Service/CommandLine"),
    .target(
      name: "UIFusionServer",
      dependencies: [
        "CFusionMalloc", "FusionCluster", "FusionCommandLine", "FusionHTTPMessages",
        "FusionHTTPToolkit", "FusionJSONPatch", "FusionKeyedDigest", "FusionMetrics",
        "FusionMicrohttpdServer", "FusionPostgreSQLSessions", "FusionSQLiteSessions",
        "FusionSessionAPI", "FusionSessions", "FusionStrictJSON", "FusionTLS", "FusionTypeShapes",
        "UIFusionKit",
      ],
      path: "Sources/Service/UIFusionServer"
    ),

    // Optional commands for stored sessions, deployments and new packages.
    .target(
      name: "FusionDoctor",
      dependencies: ["FusionCommandLine", "FusionStrictJSON", "UIFusionKit"],
      path: "Sources/Service/Doctor"
    ),
    .target(
      name: "UIFusionTools",
      dependencies: [
        "FusionCluster", "FusionCommandLine", "FusionDoctor", "FusionHTTPMessages",
        "FusionPostgreSQLSessions", "FusionSQLiteSessions", "FusionSessionAPI", "FusionSessions",
        "FusionStrictJSON", "FusionWebClient", "UIFusionKit", "UIFusionServer",
      ],
      path: "Sources/Service/UIFusionTools"
    ),

    // The executable, which hosts the examples.
    .target(
      name: "FusionExampleViewModels",
      dependencies: ["UIFusionKit"],
      path: "Sources/Examples/ExampleViewModels"
    ),
    .executableTarget(
      name: "uifusion",
      dependencies: ["FusionExampleViewModels", "UIFusionKit", "UIFusionServer", "UIFusionTools"],
      path: "Sources/Examples/uifusion"
    ),

    // For tests: a client for requests that no ordinary client sends, threads that may block, and a PostgreSQL server.
    .target(name: "FusionRawHTTP", path: "Tests/RawHTTP"),
    .systemLibrary(name: "CFusionSpawnActions", path: "Tests/SpawnActions"),
    .target(name: "CFusionTestPool", path: "Tests/TestPool"),
    .target(name: "FusionSpawning", dependencies: ["CFusionSpawnActions"], path: "Tests/Spawning"),
    .target(name: "FusionInflater", dependencies: ["CFusionZlib"], path: "Tests/Inflater"),
    .target(
      name: "FusionPostgreSQLServer",
      dependencies: ["CFusionPostgreSQL", "FusionSpawning"],
      path: "Tests/PostgreSQLServer"
    ),

    // Stores in memory, with the behaviour that is required of every store.
    .target(
      name: "FusionStoreDoubles",
      dependencies: ["FusionSessions"],
      path: "Tests/StoreDoubles"
    ),

    // The service on a virtual clock and a seeded scheduler, and a command that runs it.
    .target(
      name: "FusionSimulation",
      dependencies: [
        "FusionCluster", "FusionHTTPMessages", "FusionHTTPToolkit", "FusionJSONPatch",
        "FusionMetrics", "FusionSessionAPI", "FusionSessions", "FusionStoreDoubles",
        "FusionStrictJSON", "UIFusionKit", "UIFusionServer",
      ],
      path: "Tests/Simulation"
    ),
    .executableTarget(name: "simulate", dependencies: ["FusionSimulation"], path: "Tests/Simulate"),

    // The service on real threads and failing disks, and a command that runs it.
    .target(name: "CFusionFaultingVFS", dependencies: ["CFusionSQLite"], path: "Tests/FaultingVFS"),
    .target(name: "CFusionFaultingCalls", path: "Tests/FaultingCalls"),
    .target(
      name: "FusionFaultInjection",
      dependencies: [
        "CFusionSQLite", "CFusionFaultingCalls", "CFusionFaultingVFS", "FusionPostgreSQLServer",
        "FusionRawHTTP", "FusionSpawning", "FusionStrictJSON", "UIFusionKit", "UIFusionServer",
      ],
      path: "Tests/FaultInjection"
    ),
    .executableTarget(
      name: "faults",
      dependencies: ["FusionFaultInjection", "UIFusionServer", "UIFusionTools"],
      path: "Tests/FaultsCommand"
    ),

    // The service with types and values drawn at random.
    .executableTarget(
      name: "hostile",
      dependencies: host + [
        "FusionFaultInjection", "FusionRawHTTP", "FusionSpawning", "FusionStrictJSON",
      ],
      path: "Tests/Hostile"
    ),

    // Services with thousands of rows, for the benchmarks, and with view models that trap.
    .executableTarget(name: "rows", dependencies: host, path: "Tests/Benchmark/Rows"),
    .executableTarget(name: "traps", dependencies: host, path: "Tests/Traps"),

    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "HTTPMessagesTests", dependencies: ["FusionHTTPMessages"]),
    .testTarget(
      name: "HTTPToolkitTests",
      dependencies: ["FusionHTTPMessages", "FusionHTTPToolkit", "FusionStrictJSON"]
    ),
    .testTarget(name: "MetricsTests", dependencies: ["FusionMetrics"]),
    .testTarget(
      name: "GzipTests",
      dependencies: ["FusionGzip", "FusionInflater", "FusionSpawning"]
    ),
    .testTarget(name: "KeyedDigestTests", dependencies: ["FusionKeyedDigest"]),
    .testTarget(name: "StrictJSONTests", dependencies: ["FusionStrictJSON", "UIFusionKit"]),
    .testTarget(
      name: "JSONPatchTests",
      dependencies: ["FusionJSONPatch", "FusionStrictJSON", "UIFusionKit"]
    ),
    .testTarget(
      name: "TypeShapesTests",
      dependencies: ["FusionStrictJSON", "FusionTypeShapes", "UIFusionKit"]
    ),
    .testTarget(name: "UIFusionKitTests", dependencies: ["UIFusionKit", "UIFusionTesting"]),
    .testTarget(name: "UIFusionTestingTests", dependencies: ["UIFusionKit", "UIFusionTesting"]),
    .testTarget(
      name: "GuideTests",
      dependencies: host + ["FusionRawHTTP", "FusionStrictJSON", "UIFusionTesting"],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .testTarget(name: "PlainSwiftTests", dependencies: ["UIFusionKit", "UIFusionTesting"]),
    .testTarget(
      name: "SeedTests",
      dependencies: ["UIFusionKit", "UIFusionTesting"],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .testTarget(
      name: "MainActorTests",
      dependencies: ["UIFusionKit", "UIFusionTesting"],
      swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]
    ),
    .testTarget(
      name: "ExampleViewModelsTests",
      dependencies: [
        "FusionExampleViewModels", "FusionStrictJSON", "UIFusionKit", "UIFusionTesting",
      ]
    ),
    .testTarget(
      name: "MicrohttpdServerTests",
      dependencies: [
        "CFusionMicrohttpd", "FusionHTTPMessages", "FusionMicrohttpdServer", "FusionRawHTTP",
      ]
    ),
    .testTarget(
      name: "SessionsTests",
      dependencies: [
        "FusionCluster", "FusionSessions", "FusionStoreDoubles", "UIFusionKit", "UIFusionTesting",
      ]
    ),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "CFusionSQLite", "CFusionFaultingVFS", "FusionKeyedDigest", "FusionPostgreSQLServer",
        "FusionPostgreSQLSessions", "FusionSessions", "FusionSQLiteSessions", "FusionStoreDoubles",
      ],
      exclude: ["Folders"]
    ),
    .testTarget(
      name: "SessionAPITests",
      dependencies: [
        "FusionExampleViewModels", "FusionGzip", "FusionHTTPMessages", "FusionHTTPToolkit",
        "FusionInflater", "FusionMetrics", "FusionSessionAPI", "FusionSessions",
        "FusionStoreDoubles", "FusionStrictJSON", "UIFusionKit", "UIFusionServer",
        "UIFusionTesting",
      ]
    ),
    .testTarget(
      name: "ClusterNodeTests",
      dependencies: [
        "FusionCluster", "FusionExampleViewModels", "FusionHTTPMessages", "FusionHTTPToolkit",
        "FusionMetrics", "FusionMicrohttpdServer", "FusionRawHTTP", "FusionSessionAPI",
        "FusionSessions", "FusionSpawning", "FusionStoreDoubles", "FusionStrictJSON", "UIFusionKit",
        "UIFusionServer", "UIFusionTesting",
      ]
    ),
    .testTarget(
      name: "WebClientTests",
      dependencies: ["FusionGzip", "FusionWebClient"]
    ),
    .testTarget(name: "SimulationTests", dependencies: ["FusionSpawning", "simulate"]),
    .testTarget(
      name: "FaultInjectionTests",
      dependencies: [
        "CFusionSQLite", "FusionFaultInjection", "CFusionFaultingVFS", "FusionPostgreSQLServer",
        "UIFusionServer", "faults",
      ]
    ),
    .testTarget(
      name: "UIFusionServerTests",
      dependencies: host + [
        "FusionCluster", "FusionCommandLine", "FusionDoctor", "FusionExampleViewModels",
        "FusionHTTPMessages", "FusionInflater", "FusionMetrics", "FusionMicrohttpdServer",
        "FusionPostgreSQLServer", "FusionRawHTTP", "FusionSessions", "FusionSpawning", "FusionTLS",
        "UIFusionTesting", "traps", "uifusion",
      ]
    ),
    .testTarget(
      name: "DoctorTests",
      dependencies: ["FusionCommandLine", "FusionDoctor", "FusionStrictJSON", "UIFusionKit"]
    ),
    .testTarget(
      name: "UIFusionToolsTests",
      dependencies: host + [
        "FusionCommandLine", "FusionExampleViewModels", "FusionSQLiteSessions", "FusionSessionAPI",
        "FusionSessions", "FusionStoreDoubles", "FusionStrictJSON", "UIFusionTesting",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Targets that are checked for memory safety: each unsafe construct is marked.
let checked: Set = [
  "FusionHTTPMessages", "FusionGzip", "FusionKeyedDigest", "FusionTypeShapes",
  "FusionMicrohttpdServer", "FusionTLS", "FusionSQLiteSessions", "FusionPostgreSQLSessions",
  "FusionCluster",
]
for target in package.targets where checked.contains(target.name) {
  target.swiftSettings = [.strictMemorySafety()]
}
for test in package.targets where test.type == .test { test.dependencies.append("CFusionTestPool") }

// Targets that stand for a user's package, which need not enable these features.
let plain: Set = ["GuideTests", "MainActorTests", "PlainSwiftTests", "SeedTests"]
let features = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
  "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
]
for target in package.targets where target.type != .system && !plain.contains(target.name) {
  let settings = (target.swiftSettings ?? []) + features.map { .enableUpcomingFeature($0) }
  target.swiftSettings =
    settings + [
      .treatAllWarnings(as: .error),
      .treatWarning("ExplicitSendable", as: .error),
    ]
}

// `UIFUSION_TESTS` names the test targets that are wanted, separated by spaces: with it nothing is compiled but these
// and what they need.
if let names = Context.environment["UIFUSION_TESTS"] {
  var kept: Set<String> = []
  var found = names.split(separator: " ").map(String.init)
  while let name = found.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { found.append(name) }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}
