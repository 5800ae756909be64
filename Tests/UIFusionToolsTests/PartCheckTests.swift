import Foundation
import FusionCommandLine
import FusionSQLiteSessions
import FusionSessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer

@testable import UIFusionTools

@Suite struct `The check of a folder's sessions in this process` {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "uifusion-part-\(UUID().uuidString)"
  ).path

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Stores sessions of a view model whose State is a number, in format 1.
  private func store(_ sessions: StoredSession...) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let copy = try FolderCopy(folder + "/data", secret: [1, 2, 3])
    for session in sessions { try copy.add(session) }
    try copy.finish()
  }

  private func session(_ number: UInt64, state: String = "7") -> StoredSession {
    StoredSession(
      id: SessionID(high: 0, low: number),
      viewModel: "sum",
      created: .now,
      used: .now,
      head: StoredHead(sequence: 0, version: 1, format: 1, state: Array(state.utf8))
    )
  }

  /// Checks the folder; returns the lines without the ids' common beginning.
  private func lines(
    part: Part = Part(),
    skipped: SkippedSessions = SkippedSessions(),
    output: String? = nil
  ) async throws -> [String] {
    var catalog = ViewModelCatalog()
    catalog.host("sum", summary: "") { _ in Sum() }
    let written = Mutex<[UInt8]>([])
    let check = SessionCheck(catalog, Dependencies(), dropsMembers: false)
    let store = StoreLocation(storage: .folder(folder + "/data"))
    var partCheck = PartCheck(store: store, check: check) { bytes in
      written.withLock { $0 += bytes }
    }
    (partCheck.part, partCheck.skipped, partCheck.output) = (part, skipped, output)
    try await partCheck.run()
    let text = String(decoding: written.withLock { $0 }, as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  private func found(_ lines: [String], _ word: String) -> Int {
    lines.filter { $0.contains(#""result":"\#(word)""#) }.count
  }

  @Test func `names each session before its finding`() async throws {
    defer { remove() }
    try store(session(1), session(2))
    let lines = try await lines()
    #expect(lines.map { $0.hasPrefix(#"{"checking":"#) } == [true, false, true, false])
    #expect(lines[0] == #"{"checking":"AAAAAAAAAAAAAAAAAAAAAQ","viewModel":"sum"}"#)
    #expect(
      lines[1].hasPrefix(#"{"session":"AAAAAAAAAAAAAAAAAAAAAQ","viewModel":"sum","result":"same""#)
    )
  }

  @Test func `goes on behind a session that is damaged`() async throws {
    defer { remove() }
    var damaged = session(1)
    damaged.entries = [.init(sequence: 2, version: 2, time: .now, outcome: .unchanged)]
    try store(damaged, session(2))
    let lines = try await lines()
    #expect(found(lines, "damaged") == 1 && found(lines, "same") == 1, "\(lines)")
    #expect(lines[0].contains("an entry is missing"))
  }

  @Test func `leaves out the sessions of other parts, and those to skip`() async throws {
    defer { remove() }
    try store(session(1), session(2), session(3), session(4))
    #expect(found(try await lines(part: Part(number: 1, count: 2)), "same") == 2)
    var skipped = SkippedSessions()
    skipped.insert(SessionID(high: 0, low: 3))
    #expect(found(try await lines(skipped: skipped), "same") == 3)
    skipped.insert(viewModel: "sum")
    let lines = try await lines(skipped: skipped)
    #expect(found(lines, "unchecked") == 3 && lines.count == 3)
  }

  @Test func `writes the sessions that can be read as they are stored today`() async throws {
    defer { remove() }
    try store(session(1), session(2, state: #""seven""#))
    let output = folder + "/output"
    let lines = try await lines(output: output)
    #expect(found(lines, "same") == 1 && found(lines, "unreadable") == 1)
    let archive = try SQLiteSessionArchive(folder: output)
    #expect(try archive.count() == 1)
    let head = try archive.load(SessionID(high: 0, low: 1))?.head
    #expect(head?.format == 2)
    #expect(head.map { String(decoding: $0.state, as: UTF8.self) } == #"{"sum":7}"#)
  }

  @Test func `says which folder it cannot write`() async throws {
    defer { remove() }
    try store(session(1))
    await #expect(throws: CommandError.self) { try await lines(output: folder + "/data") }
  }
}

private struct Sum: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable { var sum = 0 }

  static var stateFormat: Int { 2 }

  static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    State(sum: try stored.decode(Int.self))
  }

  var state = State()

  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) { state.sum += action }
}
