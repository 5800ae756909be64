import CFusionFaultingVFS
import CFusionSQLite
import FusionRawHTTP

/// A run with a failed sync, a kill of the process, a restart and a loss of power.
///
/// After the failed sync the data may remain in the page cache and never reach the disk (fsync(2), EIO).
package struct FailedSync {
  private let service: ServiceInProcess

  package init(_ service: ServiceInProcess) {
    self.service = service
  }

  package func run() async throws -> History {
    try await service.start()
    let session = try await onThread { [service] in try service.newSession(of: .viewModel) }
    let recorder = Recorder([session: .viewModel])
    let round = Round(service, recorder, answers: .max, isLast: true)
    let sender = Sender(1, to: session, Generator(seed: 1))
    try await onThread { [service] in
      sender.send(.add, batch: 1, in: round) { !$0.isAcknowledged }
      service.disk.setRule(.fail(FVFS_SYNC, with: SQLITE_IOERR | 4 << 8))
      sender.send(.add, batch: 1, in: round) { _ in false }
    }
    try await service.kill(FVFS_POWER_STAYS)
    try await service.start()
    try await onThread {
      try round.look(at: session)
      sender.disconnect()
      sender.send(.add, batch: 1, in: round) { !$0.isAcknowledged }
    }
    try await service.kill(FVFS_POWER_FAILS)
    try await service.start()
    try await onThread { _ = try round.look(at: session) }
    try await service.kill()
    return recorder.finish(service.effects())
  }
}
