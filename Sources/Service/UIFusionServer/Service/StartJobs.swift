import FusionSessionAPI
import UIFusionKit

/// The program's jobs that are done before the first request for a session is answered.
struct StartJobs: Sendable {
  /// The longest pause before the jobs are done again after a failure.
  private static let longestPause = Duration.seconds(10)

  let jobs: [@Sendable (_ sessions: HostedSessions) async throws -> Void]
  let gate: StartGate
  let time: any TimeSource
  let log: Log

  /// Does all jobs, again and again until none of them throws, and opens the gate; returns early if the task is
  /// cancelled.
  func run(_ sessions: HostedSessions) async {
    var pause = Duration.seconds(1)
    while !Task.isCancelled {
      do {
        try await StartGate.$isPassed.withValue(true) {
          for job in jobs { try await job(sessions) }
        }
        return gate.open()
      } catch {
        if Task.isCancelled { return }
        log.error(
          "a job at the start failed; it is tried again",
          ("error", "\(error)"),
          ("seconds", "\(pause.components.seconds)")
        )
        gate.refuse()
      }
      try? await time.sleep(for: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }
}
