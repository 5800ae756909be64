import FoundationEssentials
import FusionCommandLine
import FusionSessions
import Glibc
import UIFusionServer

/// The processes of a program that check all stored sessions between them: a session whose view model traps ends only
/// the process that checks it, which is started again behind that session.
struct ProcessPool {
  /// The program, which has the command `deploy check`.
  let program: String
  let store: StoreLocation
  let parts: [Part]
  let timeout: Duration
  /// Further flags of `deploy check`.
  var flags: [String] = []
  /// The folder for the processes' files.
  let folder: String

  /// The number of crashes after which the other sessions of a view model are no longer checked.
  private static let mostCrashes = 3

  /// Returns the folder that one part's sessions are written to, for a pool whose `writes` is set.
  func output(of part: Part) -> String { "\(folder)/sessions-\(part.number)" }

  /// Whether each process writes its sessions as the program stores them.
  var writes = false

  /// Checks all sessions.
  ///
  /// - Parameters:
  ///   - skipped: the sessions to leave out.
  ///   - tick: called every few milliseconds.
  ///   - found: called with the finding of each session, once.
  /// - Throws: ``CommandError`` if the sessions cannot be read.
  func run(
    skipping skipped: SkippedSessions = SkippedSessions(),
    tick: () -> Void,
    found: (SessionFinding) -> Void
  ) throws(CommandError) {
    var runs: [PartRun] = []
    for part in parts { runs.append(PartRun(part, try start(part, skipped, attempt: 0))) }
    while !runs.allSatisfy(\.isFinished) {
      for index in runs.indices where !runs[index].isFinished {
        for event in try runs[index].process.events() {
          switch event {
          case .found(let finding):
            if runs[index].found.insert(finding.session).inserted { found(finding) }
          case .finished: runs[index].isFinished = true
          case .crashed(let finding):
            if runs[index].found.insert(finding.session).inserted { found(finding) }
            runs[index].note(crashOf: finding)
            let rest = runs[index].rest(skipped, writes, Self.mostCrashes)
            runs[index].attempts += 1
            runs[index].process = try start(runs[index].part, rest, attempt: runs[index].attempts)
          }
        }
      }
      tick()
      usleep(5_000)
    }
  }

  private func start(
    _ part: Part,
    _ skipped: SkippedSessions,
    attempt: Int
  ) throws(CommandError) -> CheckProcess {
    let file = "\(folder)/skip-\(part.number)-\(attempt)"
    try Files.write(Array(skipped.text.utf8), to: file)
    var words = [program, "deploy", "check", "--format", "sessions", "--part", "\(part)"]
    words += ["--skip", file] + flags
    if writes {
      // What a crashed process has left there is not complete.
      try? FileManager.default.removeItem(atPath: output(of: part))
      words += ["--output", output(of: part)]
    }
    // Not a flag, as everybody may read those of a process. The variables of other flags are for this process.
    let variables = ["DATA": store.text, "OLD": "none", "OUTPUT": "none"]
    return try CheckProcess(
      words,
      Dictionary(uniqueKeysWithValues: variables.map { ("UIFUSION_" + $0.key, $0.value) }),
      timeout: timeout
    )
  }
}

/// A part with its process.
private struct PartRun {
  let part: Part
  var process: CheckProcess
  var isFinished = false
  var attempts = 0
  var found: Set<SessionID> = []
  private var crashed: Set<SessionID> = []
  private var crashes: [String: Int] = [:]

  init(_ part: Part, _ process: CheckProcess) {
    self.part = part
    self.process = process
  }

  mutating func note(crashOf finding: SessionFinding) {
    crashed.insert(finding.session)
    crashes[finding.viewModel, default: 0] += 1
  }

  /// Returns the sessions that the next process leaves out; one that writes sessions begins anew.
  func rest(_ skipped: SkippedSessions, _ writes: Bool, _ mostCrashes: Int) -> SkippedSessions {
    var rest = skipped
    for id in writes ? crashed : found { rest.insert(id) }
    for (name, count) in crashes where count >= mostCrashes { rest.insert(viewModel: name) }
    return rest
  }
}

extension StoreLocation {
  /// The value of `--data`, with the password of a database.
  fileprivate var text: String {
    switch storage {
    case .memory: "memory"
    case .folder(let path): path
    case .postgresql(let string): string
    }
  }
}
