package import Foundation
import Synchronization

extension Process {
  private static let starting = Mutex(())

  /// Runs the process; one at a time is started.
  ///
  /// Foundation's `run()` (6.3) may end with SIGSEGV where two tests call it at once.
  package func start() throws {
    try Self.starting.withLock { _ in try run() }
  }
}
