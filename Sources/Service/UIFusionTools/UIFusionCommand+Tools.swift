public import UIFusionServer

extension UIFusionCommand.Tools {
  /// Every tool: `sessions list`, `show`, `export`, `import`, `delete` and `backup`, `replay`, `nodes`,
  /// `new`, `dev` and `doctor`.
  ///
  /// ```swift
  /// await UIFusionCommand.main(catalog, tools: .all)
  /// ```
  public static let all = UIFusionCommand.Tools(
    [
      ReplayCommand.self, ListCommand.self, ShowCommand.self, ExportCommand.self,
      ImportCommand.self, DeleteCommand.self, BackupCommand.self, NodesCommand.self,
      NewCommand.self,
      DevCommand.self, DoctorCommand.self,
    ],
    notes: """
      The tools that only read, and backup, work beside a service; import and delete want a folder that
      none has, or a session in PostgreSQL that no node has, and import --from a place that nobody serves.
      They exit with 1 where something is in the way; replay --check with 1 for a State that differs, with
      2 for what cannot be checked. dev takes the flags of serve, too. doctor exits with 1 where
      something is wrong.
      """
  )
}
