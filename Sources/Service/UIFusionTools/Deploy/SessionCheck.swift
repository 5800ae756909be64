import FusionSessions
import UIFusionKit
import UIFusionServer

/// The check of stored sessions with this program's view models: whether each can be read, and whether its recorded
/// actions lead to the same States.
struct SessionCheck: Sendable {
  private let viewModels: [String: HostedViewModel]
  private let dependencies: Dependencies
  private let dropsMembers: Bool

  /// Creates the check; `dropsMembers` is what the flag `--drop-members` of `serve` says.
  init(_ catalog: ViewModelCatalog, _ dependencies: Dependencies, dropsMembers: Bool) {
    viewModels = Dictionary(catalog.viewModels.map { ($0.name, $0) }) { first, _ in first }
    self.dependencies = dependencies
    self.dropsMembers = dropsMembers
  }

  /// Checks one session with all that is left of its log.
  func finding(_ session: StoredSession, _ log: [LogEntry]) async -> SessionFinding {
    let result = { (kind, lines) in
      SessionFinding(session: session.id, viewModel: session.viewModel, kind: kind, lines: lines)
    }
    guard let viewModel = viewModels[session.viewModel] else {
      return result(.unreadable, ["no view model of that name is hosted"])
    }
    let history: SessionHistory
    do {
      history = try SessionHistory(session, log: log)
    } catch {
      return result(.damaged, ["\(error)"])
    }
    let changes: StateChanges
    do {
      changes = try viewModel.changes(
        in: session,
        dropsMembers: dropsMembers,
        dependencies.forReplay
      )
    } catch {
      return result(.unreadable, ["\(error)"])
    }
    var finding = await replay(history, viewModel, result)
    finding.changes.formUnion(changes)
    return finding
  }

  private func replay(
    _ history: SessionHistory,
    _ viewModel: HostedViewModel,
    _ result: (SessionFinding.Kind, [String]) -> SessionFinding
  ) async -> SessionFinding {
    let alarms = history.session.alarms.compactMap { fault(of: $0, viewModel) }
    do {
      let check = try await StateCheck(history, dependencies) {
        try viewModel.replay(history.session.parameters, $0)
      }
      let lines = alarms + check.faults.prefix(Self.most).flatMap(\.lines)
      var finding = result(lines.isEmpty ? .same : .different, lines)
      finding.same = check.agreeing
      finding.skipped = check.skipped.reduce(into: [:]) { $0[$1.reason, default: 0] += 1 }
      finding.changes = check.changes
      return finding
    } catch {
      return alarms.isEmpty ? result(.notReplayed, ["\(error)"]) : result(.different, alarms)
    }
  }

  /// Returns what keeps an alarm from ringing; nil if nothing does, and for messages and records.
  private func fault(of stored: StoredAlarm, _ viewModel: HostedViewModel) -> String? {
    let name = AlarmName(bytes: stored.name)
    guard !name.isMessage, !name.isRefusal, !stored.isRecord else { return nil }
    do {
      let alarm = Alarm(name, at: stored.time.milliseconds, stored: stored.action)
      _ = try viewModel.actionCoding.decode(alarm.action)
      return nil
    } catch {
      return "the alarm for \(stored.time.text) has an action that cannot be read: \(error)"
    }
  }

  /// The most versions of a session that are named.
  private static let most = 3

  /// Returns a session with its newest State as this program stores it, and without its history.
  ///
  /// - Throws: An error if the State cannot be read.
  func rewritten(_ session: StoredSession) throws -> StoredSession? {
    try viewModels[session.viewModel]?.rewritten(
      session,
      dropsMembers: dropsMembers,
      dependencies.forReplay
    )
  }
}

extension StateCheck.Fault {
  /// The version and its differences, for people.
  fileprivate var lines: [String] {
    guard case .difference(let difference) = kind else {
      return ["version \(version) \(kind.text)"]
    }
    return ["version \(version) \(kind.text)"] + difference.lines.map { "  \($0)" }
  }
}
