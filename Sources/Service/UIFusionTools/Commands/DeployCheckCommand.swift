import FoundationEssentials
import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import Glibc
import UIFusionKit
import UIFusionServer

/// Checks all stored sessions with this program before it is deployed, and on demand whether an older program could
/// go on with what this one stores.
struct DeployCheckCommand: Command {
  static let name = "deploy check"
  static let summary = "read and replay all stored sessions, before a deploy"
  static var flags: [Flag<Self>] {
    [
      .store(\.store),
      Flag("old", "PROGRAM", "the deployed program; checks whether going back is safe", \.old),
      Flag("drop-members", onOff: "check as serve with that flag", \.dropsMembers),
      Flag("jobs", "N", "number of processes", \.jobs, 1...64),
      Flag("timeout", "longest time for one session", \.timeout, atLeast: 1),
      Flag("skip", "FILE", "sessions to leave out: a line session ID for each", \.skip),
      Flag(
        "format",
        "json has a line a view model; sessions one a session",
        \.format
      ),
      Flag(
        "part",
        "N/COUNT",
        "part of the sessions; for --format sessions",
        \.part,
        defaultValue: "1/1",
        expected: "two numbers such as 2/4"
      ) { Part($0) },
      Flag(
        "output",
        "FOLDER",
        "new folder for what this program stores; for --format sessions",
        \.output
      ),
    ]
  }

  enum Format: String, Sendable, CaseIterable { case text, json, sessions }

  var store = StoreLocation()
  var old: String?
  var dropsMembers = false
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var timeout = Duration.seconds(60)
  var skip: String?
  var format = Format.text
  var part = Part()
  var output: String?

  func validate() throws(UsageError) {
    if format == .sessions {
      guard old == nil else { throw UsageError("--old needs --format text or json") }
    } else if part != Part() || output != nil {
      throw UsageError("--part and --output need --format sessions")
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let skipped = try skip.map { (file) throws(CommandError) in try SkippedSessions(file: file) }
    guard format != .sessions else {
      // A service on this machine goes first.
      _ = nice(10)
      let check = SessionCheck(catalog, dependencies, dropsMembers: dropsMembers)
      var part = PartCheck(store: store, check: check) { try Files.write($0) }
      (part.part, part.output) = (self.part, output)
      if let skipped { part.skipped = skipped }
      try await part.run()
      return 0
    }
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let count = try store.read { try $0.count() }
    var pool = pool("/proc/self/exe", store, in: folder)
    pool.writes = old != nil
    var result = DeployCheckResult(new: try report(pool, count, skipped ?? SkippedSessions()))
    if let old { result.old = try reportOfGoingBack(old, pool) }
    try show(format == .text ? result.text(of: store) : result.jsonLines)
    return result.status
  }

  private func pool(_ program: String, _ store: StoreLocation, in folder: String) -> ProcessPool {
    let parts = (1...jobs).map { Part(number: $0, count: jobs) }
    var pool = ProcessPool(
      program: program,
      store: store,
      parts: parts,
      timeout: timeout,
      folder: folder
    )
    if dropsMembers { pool.flags = ["--drop-members", "on"] }
    return pool
  }

  private func report(
    _ pool: ProcessPool,
    _ count: Int,
    _ skipped: SkippedSessions = SkippedSessions()
  ) throws(CommandError) -> DeployReport {
    var report = DeployReport()
    var progress = CheckProgress(of: count)
    defer { progress.end() }
    try pool.run(skipping: skipped) {
      progress.show(report.count)
    } found: {
      report.add($0)
    }
    return report
  }

  /// Returns what the old program finds in the sessions that this one has written.
  private func reportOfGoingBack(_ old: String, _ new: ProcessPool) throws -> DeployReport {
    let stores = new.parts.map { StoreLocation(storage: .folder(new.output(of: $0))) }
    let count = try stores.map { try $0.read { try $0.count() } }.reduce(0, +)
    var report = DeployReport()
    var progress = CheckProgress(of: count)
    defer { progress.end() }
    for store in stores {
      do {
        try pool(old, store, in: new.folder).run {
          progress.show(report.count)
        } found: {
          report.add($0)
        }
      } catch {
        throw CommandError("\(old) cannot check what this program stores: \(error)")
      }
    }
    return report
  }

  /// Makes a folder that only this user may read, as it may get the sessions.
  private func temporaryFolder() throws(CommandError) -> String {
    let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(place)/uifusion-deploy-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandError("cannot make a folder in \(place): \(systemError())")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
