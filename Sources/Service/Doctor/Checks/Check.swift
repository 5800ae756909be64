import FusionCommandLine

/// A check of one aspect of a deployment.
///
/// Each check observes the deployment first; its `judge` functions are pure.
protocol Check: Sendable {
  /// The check's name in the report.
  static var name: String { get }

  /// Observes the deployment and judges it.
  ///
  /// - Throws: `CancellationError`; ``CommandError`` without `curl`; ``UsageError`` for options that do not fit
  ///   the deployment.
  static func findings(of deployment: Deployment) async throws -> [Finding]
}
