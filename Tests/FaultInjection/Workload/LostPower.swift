import CFusionFaultingVFS
import FusionRawHTTP

/// A run with one acknowledged Input, and a loss of power that takes every write that was not synced.
package struct LostPower {
  private let service: ServiceInProcess

  package init(_ service: ServiceInProcess) {
    self.service = service
  }

  package func run() async throws -> History {
    try await service.start()
    let session = try await onThread { [service] in try service.newSession(of: .viewModel) }
    let round = Round(service, Recorder([session: .viewModel]), answers: .max, isLast: true)
    try await onThread {
      Sender(1, to: session, Generator(seed: 1)).send(.add, batch: 1, in: round) { _ in false }
    }
    try await service.kill(FVFS_POWER_TAKES_ALL)
    try await service.start()
    try await onThread { _ = try round.look(at: session) }
    try await service.kill()
    return round.recorder.finish(service.effects())
  }
}
