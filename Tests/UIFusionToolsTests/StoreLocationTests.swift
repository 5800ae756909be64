import Foundation
import FusionSQLiteSessions
import FusionSessions
import Testing
import UIFusionServer

@testable import UIFusionTools

/// The tools' access to a folder that no service uses.
struct `A store that the tools write` {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "uifusion-\(UUID().uuidString)").path
  private let time = WallTime(milliseconds: 0)

  private func session(_ number: UInt64) -> StoredSession {
    StoredSession(
      id: SessionID(high: 1, low: number),
      viewModel: "v",
      created: time,
      used: time,
      head: StoredHead(sequence: 0, version: 1, format: 1, state: Array("{}".utf8))
    )
  }

  private func entries(_ count: Int, _ trace: String = "") -> [LogEntry] {
    (1...count).map { number in
      LogEntry(
        sequence: number,
        version: 1,
        time: time,
        outcome: .unchanged,
        trace: Array(trace.utf8)
      )
    }
  }

  private func make() throws -> StoreLocation {
    try SQLiteSessionStore(folder: path).close()
    return StoreLocation(storage: .folder(path))
  }

  @Test func `keeps all history, which only the service drops`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let place = try make()
    let count = SQLiteSessionStore.Options().historyLimit + 1_000
    try place.write(in: path) { store in
      for number in [UInt64(1), 2] { try store.perform(.create(session(number))) }
      var append = StoreChange.Append(session(1).id, after: 0, entries(count))
      append.head = session(1).head
      append.head?.sequence = count
      try store.perform(.append(append))
    }
    try place.delete(session(2).id)
    #expect(try place.history(of: session(1).id).steps.count == count)
  }

  @Test func `frees the space of a deleted session`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let place = try make()
    let trace = String(repeating: "x", count: 1_000)
    try place.write(in: path) { store in
      try store.perform(.create(session(1)))
      try store.perform(.append(.init(session(1).id, after: 0, entries(30_000, trace))))
    }
    #expect(try size() > 30_000_000)
    try place.delete(session(1).id)
    #expect(try size() < 15_000_000)
  }

  /// Returns the size of the folder's files in bytes.
  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path).reduce(0) { size, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return size + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
  }
}
