import Dispatch
import FusionCommandLine
import FusionSQLiteSessions
import FusionSessions
import FusionStrictJSON
import Synchronization
import UIFusionServer

/// The check of a part of the stored sessions in this process, written as lines of JSON: each session is named before
/// its check, so that whoever reads the lines knows at which one the process has ended.
struct PartCheck: Sendable {
  let store: StoreLocation
  let check: SessionCheck
  var part = Part()
  var skipped = SkippedSessions()
  /// The folder for the sessions as this program stores them; nil for none.
  var output: String?
  let write: @Sendable ([UInt8]) throws -> Void

  /// Checks each session, and returns when all are checked.
  ///
  /// - Throws: ``CommandError`` if the sessions cannot be read, or their folder not be written.
  func run() async throws {
    try await withCheckedThrowingContinuation { continuation in
      // A queue of its own, as an archive belongs to one thread, which waits for each check.
      DispatchQueue(label: "deploy check").async {
        continuation.resume(with: Result { try readAll() })
      }
    }
  }

  private func readAll() throws {
    let copy: FolderCopy? = try store.read { archive in
      try archive.read { secret in
        try output.map { (folder) throws(StoreOpenError) in try FolderCopy(folder, secret: secret) }
      } wanted: { id in
        part.contains(id) && !skipped.contains(id)
      } damaged: { _, id, error in
        let finding = SessionFinding(
          session: id,
          viewModel: "",
          kind: .damaged,
          lines: [error.text]
        )
        try show(finding.json)
      } _: { copy, session, log in
        guard try show(session, log), copy != nil else { return }
        if let rewritten = try check.rewritten(session) { try copy?.add(rewritten) }
      }
    }
    guard let copy else { return }
    do {
      try copy.finish()
    } catch {
      throw CommandError("cannot write the sessions: \(error)")
    }
  }

  /// Checks a session; returns whether a service could go on with it.
  private func show(_ session: StoredSession, _ log: [LogEntry]) throws -> Bool {
    let (id, name) = (session.id, session.viewModel)
    if skipped.contains(viewModel: name) {
      try show(SessionFinding(session: id, viewModel: name, kind: .unchecked).json)
      return false
    }
    try show(["checking": .string("\(id)"), "viewModel": .string(name)])
    let finding = waitForResult { [check] in await check.finding(session, log) }
    try show(finding.json)
    return !finding.kind.isRefused
  }

  private func show(_ line: JSONTree) throws { try write(line.bytes + [UInt8(ascii: "\n")]) }
}

/// One of several parts of all sessions, by their ids: `2/4` is the second of four.
struct Part: Sendable, Equatable, CustomStringConvertible {
  var number = 1
  var count = 1

  var description: String { "\(number)/\(count)" }

  func contains(_ id: SessionID) -> Bool { id.low % UInt64(count) == UInt64(number - 1) }
}

extension Part {
  /// Parses two numbers with a slash; nil for anything else.
  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      1...1_000 ~= count, 1...count ~= number
    else { return nil }
    self.init(number: number, count: count)
  }
}

/// Runs an asynchronous function while the calling thread waits; for threads that may be blocked.
private func waitForResult<Found: Sendable>(_ body: @escaping @Sendable () async -> Found) -> Found
{
  let done = DispatchSemaphore(value: 0)
  let found = Mutex<Found?>(nil)
  Task {
    let result = await body()
    found.withLock { $0 = result }
    done.signal()
  }
  while true {
    done.wait()
    if let found = found.withLock({ $0 }) { return found }
  }
}
