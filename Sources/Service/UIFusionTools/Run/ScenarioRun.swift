import FusionCommandLine
import FusionHTTPMessages
import FusionStrictJSON
import UIFusionKit

/// A run of a scenario's steps, up to the first that fails.
struct ScenarioRun: Sendable {
  let steps: [ScenarioStep]
  let service: ScenarioService
  /// The time for what a step waits for, unless it says another.
  var limit = Duration.seconds(10)
  /// The shell command that restarts the service.
  var restart: String?
  /// Whether the session that was created stays.
  var keepsSession = false

  struct Result: Sendable {
    let step: ScenarioStep
    let duration: Duration
    /// The lines that say why the step failed; nil for one that passed.
    let failure: [String]?
  }

  /// The times at which Inputs are due, and what notes how long each took from then; nil for a run as fast as it goes.
  struct Pace: Sendable {
    /// Waits until the next Input is due, and returns when that is; nil once the run is over.
    let next: @Sendable () async -> Duration?
    let note: @Sendable (Duration) -> Void
  }

  /// Runs the steps, and reports each.
  ///
  /// - Returns: the id of the session; nil if it could not be created.
  @discardableResult
  func callAsFunction(
    at pace: Pace? = nil,
    _ report: (Result) throws -> Void
  ) async rethrows -> String? {
    var session: ScenarioSession?
    var isNew = false
    steps: for step in steps {
      let start = service.time.now
      var failure: [String]?
      do throws(StepFailure) {
        let deadline = start + (step.limit ?? limit)
        switch step.action {
        case .create(let viewModel, let name, let parameters):
          (session, isNew) = try await ScenarioSession.make(
            viewModel,
            name: name,
            parameters: parameters,
            as: step.person,
            service,
            until: deadline
          )
        case .send(let input, let refusal):
          var due: Duration?
          if let pace {
            due = await pace.next()
            if due == nil { break steps }
          }
          let deadline = service.time.now + (step.limit ?? limit)
          try await session?.send(
            input,
            as: step.person,
            refusal: refusal,
            isExact: pace == nil,
            until: deadline
          )
          if let due { pace?.note(service.time.now - due) }
        case .expect(let pattern): try await session?.expect(pattern, until: deadline)
        case .pulse(let path, let value):
          try await session?.expectPulse(path, value, until: deadline)
        case .settled: try await session?.settle(until: deadline)
        case .reconnect: try await session?.reconnect(until: deadline)
        case .restart:
          try await restartService(until: deadline)
          try await session?.reconnect(until: deadline)
        case .advance(let time): try? await service.time.sleep(for: time)
        }
      } catch {
        failure = error.lines
      }
      do {
        try report(Result(step: step, duration: service.time.now - start, failure: failure))
      } catch {
        if isNew, !keepsSession { await session?.delete() }
        throw error
      }
      if failure != nil { break }
    }
    if isNew, !keepsSession { await session?.delete() }
    return session?.id
  }

  private func restartService(until deadline: Duration) async throws(StepFailure) {
    guard let restart else { throw StepFailure(["say how: --restart COMMAND"]) }
    let process: Subprocess
    do throws(CommandError) {
      // A pipe would keep a service that it starts from writing after the run.
      process = try Subprocess(["sh", "-c", "exec >&2\n\(restart)"])
    } catch {
      throw StepFailure(["\(error)"])
    }
    while process.status == nil {
      guard service.time.now < deadline,
        (try? await service.time.sleep(for: .milliseconds(20))) != nil
      else {
        process.stop(within: .milliseconds(200))
        throw StepFailure(["the command of --restart did not end in time"])
      }
    }
    guard process.status == 0 else {
      throw StepFailure(["the command of --restart ended with \(process.status ?? -1)"])
    }
    let answer = try await service.ask(.get, "/readyz", as: nil, until: deadline)
    guard answer.status == 200 else { throw StepFailure([answer.text]) }
  }
}
