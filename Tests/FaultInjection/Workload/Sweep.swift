package import CFusionFaultingVFS
import FusionRawHTTP

/// A sequence of Inputs; for each the disk fails from one call later than for the Input before, so that
/// every disk call is once the first to fail.
package struct Sweep: Sendable {
  private let service: ServiceInProcess

  package init(_ service: ServiceInProcess) {
    self.service = service
  }

  /// The result of a sweep; `isWhole` tells whether the last Input met no failure.
  package struct Outcome: Sendable {
    package var history: History
    package var isWhole: Bool
  }

  /// Sends Inputs with keys, each again on a working disk until it is acknowledged.
  package func run(
    _ pattern: Pattern,
    _ form: PlannedRequest.Form,
    batch: Int = 1,
    failing call: fvfs_call,
    with code: Int32
  ) async throws -> Outcome {
    try await service.start()
    let (round, session, isWhole) = try await onThread { [service] in
      let session = try service.newSession(of: pattern)
      let round = Round(service, Recorder([session: pattern]), answers: .max, isLast: true)
      let isWhole = send(form, batch, to: session, failing: call, with: code, in: round)
      try round.look(at: session)
      return (round, session, isWhole)
    }
    try await service.kill(FVFS_POWER_FAILS)
    try await service.start()
    try await onThread { _ = try round.look(at: session) }
    try await service.kill()
    return Outcome(history: round.recorder.finish(service.effects()), isWhole: isWhole)
  }

  private func send(
    _ form: PlannedRequest.Form,
    _ batch: Int,
    to session: History.SessionPath,
    failing call: fvfs_call,
    with code: Int32,
    in round: Round
  ) -> Bool {
    let sender = Sender(1, to: session, Generator(seed: 1))
    for skipped in 0..<100 {
      let before = service.disk.faults
      var sendings = 0
      service.disk.setRule(.fail(call, with: code, after: skipped))
      sender.send(form, batch: batch, in: round) { answer in
        service.disk.setRule(nil)
        sendings += 1
        return !answer.isAcknowledged && sendings < 10
      }
      if service.disk.faults == before { return true }
    }
    return false
  }
}
