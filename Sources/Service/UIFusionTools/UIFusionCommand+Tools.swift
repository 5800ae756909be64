package import FusionDoctor
package import UIFusionKit
public import UIFusionServer

extension UIFusionCommand.Tools {
  /// All tools: `sessions list`, `show`, `export`, `import`, `delete`, `resume`, `backup`, `fork` and `recover`,
  /// `replay`, `run`, `deploy check`, `client typescript`, `nodes`, `token`, `new`, `dev` and `doctor`.
  ///
  /// ```swift
  /// await UIFusionCommand.main(catalog, tools: .all)
  /// ```
  public static let all = UIFusionCommand.Tools(
    [
      ReplayCommand.self, RunCommand.self, DeployCheckCommand.self, ListCommand.self,
      ShowCommand.self, ExportCommand.self, ImportCommand.self, DeleteCommand.self,
      ResumeCommand.self, BackupCommand.self,
      ForkCommand.self, RecoverCommand.self, NodesCommand.self, TokenCommand.self, NewCommand.self,
      DevCommand.self, DoctorCommand.self, ClientTypeScriptCommand.self,
    ],
    notes: """
      Tools that only read, resume and backup work beside a service. import, delete and recover need a
      folder that no service has in use, or a session in PostgreSQL that no node owns; fork needs such a
      folder; import --from, and recover without --session, need a place that no service uses. A tool
      exits with 1 if it fails; recover also if a history does not reach back; replay --check also for
      a State that differs, and with 2 for a check that is impossible; doctor also for a finding that is
      a failure. deploy check exits with 1 if a session could not go on, 3 if only States come out
      otherwise, 4 if the old program could not go on with what this one stores. run exits with 1 if a
      step failed. dev takes the flags of
      serve, too.
      """
  )
}

extension DoctorCommand: Command {
  package func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32
  {
    try await run(dependencies.time)
  }
}
