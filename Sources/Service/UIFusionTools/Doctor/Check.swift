/// One thing about a deployment that may be right or wrong.
///
/// What it observes and what it makes of that are apart: `judge` is a pure function.
protocol Check: Sendable {
  /// The word before its lines.
  static var name: String { get }

  /// - Throws: `CancellationError`; ``ToolError`` where there is no `curl`; `UsageError` for what the deployment
  ///   cannot be asked.
  static func findings(of deployment: Deployment) async throws -> [Finding]
}
