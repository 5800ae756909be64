import Foundation
import Testing

/// What each target may import beyond the standard library: the architecture, as a table.
///
/// The compiler does not catch an import of something that is only there because a dependency
/// depends on it; this does.
private let allowed: [String: Set<String>] = [
  "UIFusionKit": ["Synchronization", "FoundationEssentials", "Glibc", "Darwin"],
  "UIFusionTesting": [
    "StrictJSON", "TypeShapes", "UIFusionKit", "Synchronization", "FoundationEssentials", "Testing",
  ],
  "HTTPMessages": ["Synchronization"],
  "StrictJSON": ["Synchronization"],
  "JSONPatch": ["StrictJSON"],
  // The standard library's reflection has to be asked for.
  "TypeShapes": ["StrictJSON", "UIFusionKit", "Swift"],
  "Gzip": ["CZlib"],
  "KeyedDigest": ["CNettle"],
  "TLSClient": ["CGnuTLS"],
  "Metrics": ["Synchronization"],
  "MicrohttpdServer": ["CMicrohttpd", "HTTPMessages", "Synchronization", "Dispatch", "Glibc"],
  "Sessions": ["UIFusionKit", "Synchronization", "FoundationEssentials"],
  "SQLiteSessions": ["CSQLite", "KeyedDigest", "Sessions", "Dispatch", "Glibc", "Synchronization"],
  "SessionAPI": [
    "Gzip", "HTTPMessages", "JSONPatch", "KeyedDigest", "Metrics", "Sessions", "StrictJSON",
    "TypeShapes", "UIFusionKit", "Synchronization",
    "FoundationEssentials",
  ],
  "UIFusionServer": [
    "HTTPMessages", "JSONPatch", "Metrics", "MicrohttpdServer", "SQLiteSessions", "SessionAPI",
    "Sessions",
    "StrictJSON", "TLSClient", "UIFusionKit", "Dispatch", "FoundationEssentials", "Glibc",
    "Synchronization",
  ],
  "UIFusionTools": [
    "JSONPatch", "SQLiteSessions", "Sessions", "StrictJSON", "UIFusionKit", "UIFusionServer",
    "FoundationEssentials", "Glibc",
  ],
  "ExampleViewModels": ["UIFusionKit"],
  "uifusion": ["UIFusionServer", "UIFusionTools", "UIFusionKit", "ExampleViewModels"],
]

/// The most lines that a file may have.
private let ceiling = (sources: 400, tests: 500)

struct `The architecture` {
  @Test(arguments: allowed.keys.sorted())
  func `a target imports only what its row allows`(target: String) throws {
    let files = try swiftFiles(in: "Sources/\(target)")
    #expect(!files.isEmpty)
    for file in files {
      let imports = try Set(importedModules(of: file))
      let extra = imports.subtracting(allowed[target] ?? [])
      #expect(extra.isEmpty, "\(file.lastPathComponent) imports \(extra.sorted())")
    }
  }

  @Test func `the table names every target that has Swift in it`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources")
    let targets = try folders.filter { try !swiftFiles(in: "Sources/\($0)").isEmpty }
    #expect(Set(targets) == Set(allowed.keys))
  }

  @Test func `a file stays below the ceiling`() throws {
    for (folder, most) in [("Sources", ceiling.sources), ("Tests", ceiling.tests)] {
      for file in try swiftFiles(in: folder) {
        let lines = try text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= most, "\(file.lastPathComponent) has \(lines.count) lines")
      }
    }
  }

  @Test func `every unsafe claim names its guard in the next line`() throws {
    for file in try swiftFiles(in: "Sources") {
      let lines = try text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
      for (line, next) in zip(lines, lines.dropFirst()) where claimsSafety(line) {
        #expect(next.contains("// Guard: "), "\(file.lastPathComponent): \(line)")
      }
    }
  }

  private func claimsSafety(_ line: Substring) -> Bool {
    let code = line.prefix { $0 != "/" }
    return code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)")
  }
}

private let root = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

private func swiftFiles(in folder: String) throws -> [URL] {
  let folder = root.appending(path: folder)
  let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
  return names.filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
}

private func text(of file: URL) throws -> String {
  try String(contentsOf: file, encoding: .utf8)
}

private func importedModules(of file: URL) throws -> [String] {
  let statement =
    /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |private )?import (?:\w+ )?(\w+)/
    .anchorsMatchLineEndings()
  return try text(of: file).matches(of: statement).map { String($0.output.1) }
}
