import UIFusionKit

/// The running part of a session that is awake: its engine, and the log that commits the engine's results.
///
/// When the store fails, the instance is discarded, and another begins with what the store has.
struct Instance: Sendable {
  let engine: Engine
  let log: CommitLog

  /// - Throws: what is wrong with the parameters, or with the State to go on from.
  init(
    _ viewModel: HostedViewModel,
    _ start: HostedViewModel.Start,
    _ log: CommitLog,
    _ context: SessionContext
  ) throws {
    self.log = log
    var dependencies = context.dependencies
    dependencies.interceptors = dependencies.interceptors.map {
      $0.following(session: log.id.redacted)
    }
    if let report = context.inputReport {
      dependencies.inputReport = { [session = log.id] in report(session, $0) }
    }
    engine = try viewModel.open(
      start,
      HostedViewModel.Opening(
        mailboxLimit: context.limits.queuedInputs,
        dependencies: dependencies,
        committer: log,
        isRecorded: context.store != nil,
        stateLimit: context.limits.state,
        unfit: log.report
      )
    )
  }
}
