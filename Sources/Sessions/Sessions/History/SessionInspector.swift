/// Reads sessions' histories beside the host, on a thread of its own, as an archive waits.
package final class SessionInspector: @unchecked Sendable {
  // Guard: `run`, the only place where the archive is opened and used.
  private var archive: (any SessionArchive)?
  private let open: @Sendable () throws -> any SessionArchive
  private let run: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// Opens the archive for the first reading, and anew after a failure; `run` runs work on a thread, in order.
  package init(
    on run: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void,
    open: @escaping @Sendable () throws -> any SessionArchive
  ) {
    (self.run, self.open) = (run, open)
  }

  /// Reads from the archive; `done` is called on that thread, and must not block.
  package func read<Found>(
    _ body: @escaping @Sendable (any SessionArchive) throws -> Found,
    _ done: @escaping @Sendable (Result<Found, any Error>) -> Void
  ) {
    run { [self] in
      let result = Result {
        let archive = try archive ?? open()
        self.archive = archive
        return try body(archive)
      }
      if case .failure = result { archive = nil }
      done(result)
    }
  }
}
