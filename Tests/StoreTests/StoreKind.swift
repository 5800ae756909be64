import Foundation
import FusionPostgreSQLServer
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import FusionStoreDoubles
import Testing

/// The stores that have to fulfil the contract.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite
  case postgresql

  /// The stores that this machine can run; the suites of PostgreSQL report if it is missing.
  static var allCases: [StoreKind] {
    PostgreSQLServer.isInstalled ? [.memory, .sqlite, .postgresql] : [.memory, .sqlite]
  }

  /// Whether several nodes can share the store, which then lists no sessions at the start.
  var isShared: Bool { self == .postgresql }

  var testDescription: String { "\(self)" }

  /// Calls a test with an empty store.
  func run(_ test: (any SessionStore) async throws -> Void) async throws {
    switch self {
    case .memory: try await test(MemorySessionStore())
    case .sqlite:
      let folder = try Folder()
      defer { folder.remove() }
      let store = try SQLiteSessionStore(folder: folder.path)
      defer { store.close() }
      try await test(store)
    case .postgresql:
      try await withNodes("a") { (stores, _) in try await test(stores[0]) }
    }
  }
}

/// A new folder for one test.
struct Folder {
  let path: String

  init() throws {
    let url = URL.temporaryDirectory.appending(path: "uifusion-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  var database: String { path + "/sessions.sqlite" }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
