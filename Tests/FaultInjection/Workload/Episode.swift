import Dispatch
import FusionRawHTTP

/// A run on one folder: several rounds that end with a kill, and a last round that ends orderly.
package struct Episode {
  /// The history, violations and counts of an episode.
  package struct Outcome: Sendable {
    package var history = History()
    package var violations: [Violation] = []
    package var acknowledged = 0
    package var requests = 0
    package var kills = 0
    package var faults = 0
    package var effects = 0
    package var forks = 0
    package var recoveries = 0
  }

  private let service: any FaultyService
  private let rounds: Int
  private let answersPerRound: Int
  private var generator: Generator

  package init(
    _ service: any FaultyService,
    seed: UInt64,
    rounds: Int = 4,
    answersPerRound: Int = 150
  ) {
    self.service = service
    self.rounds = rounds
    self.answersPerRound = answersPerRound
    generator = Generator(seed: seed)
  }

  package mutating func run() async throws -> Outcome {
    try await service.start()
    var patterns: [History.SessionPath: Pattern] = [:]
    for pattern in Pattern.allCases {
      let path = try await onThread { [service] in try service.newSession(of: pattern) }
      patterns[path] = pattern
    }
    var sessions = patterns.keys.sorted {
      patterns[$0]?.rawValue ?? "" < patterns[$1]?.rawValue ?? ""
    }
    let recorder = Recorder(patterns)
    var senders = (0..<2 * sessions.count).map {
      Sender($0 + 1, to: sessions[$0 % sessions.count], generator.split())
    }
    var outcome = Outcome()
    for number in 1...rounds {
      if number > 1 {
        if generator.isChosen(percent: 50) { try await recover(recorder, sessions) }
        try await restart()
      }
      let isLast = number == rounds
      let answers = Int.random(in: answersPerRound / 2...answersPerRound, using: &generator)
      let round = Round(service, recorder, answers: answers, isLast: isLast)
      try await run(round, senders, sessions)
      outcome.acknowledged += round.acknowledged
      guard !isLast else { continue }
      outcome.kills += 1
      // A fork gets Inputs from the next round on.
      guard let fork = recorder.forks.last?.session, !sessions.contains(fork) else { continue }
      sessions.append(fork)
      senders.append(Sender(senders.count + 1, to: fork, generator.split()))
    }
    try await service.kill()
    outcome.faults = service.faults
    outcome.history = recorder.finish(try service.effects())
    outcome.requests = outcome.history.requests.count
    outcome.effects = outcome.history.effects.count
    outcome.forks = outcome.history.forks.count
    outcome.recoveries = outcome.history.recoveries.count
    outcome.violations = Checker.violations(in: outcome.history)
    return outcome
  }

  private mutating func run(
    _ round: Round,
    _ senders: [Sender],
    _ sessions: [History.SessionPath]
  ) async throws {
    let following = DispatchGroup()
    for session in sessions { following.thread { Follower(session: session).run(in: round) } }
    let sending = DispatchGroup()
    for sender in senders { sending.thread { sender.run(in: round) } }
    let directing = DispatchGroup()
    let director = Director(generator.split())
    let keepsFault = !round.isLast && generator.isChosen(percent: 50)
    directing.thread {
      var director = director
      director.run(in: round)
      if !keepsFault { round.service.inject(nil) }
    }
    directing.thread {
      round.waitForLimit(seconds: 5)
      round.end()
    }
    await directing.ended()
    if round.isLast {
      service.inject(nil)
      await sending.ended()
      let closing = DispatchGroup()
      for sender in senders { closing.thread { sender.close(in: round) } }
      await closing.ended()
      for session in sessions {
        round.close(session, at: try await onThread { try round.look(at: session) })
      }
      for fork in round.recorder.forks where !sessions.contains(fork.session) {
        _ = try await onThread { try round.look(at: fork.session) }
      }
    } else {
      try await service.kill()
      await sending.ended()
    }
    await following.ended()
  }

  /// Recovers a session to a version that was shown; sometimes the tool is killed meanwhile.
  private mutating func recover(_ recorder: Recorder, _ sessions: [History.SessionPath])
    async throws
  {
    guard let session = sessions.randomElement(using: &generator),
      let version = recorder.versions(of: session).randomElement(using: &generator)
    else { return }
    let patience =
      generator.isChosen(percent: 30) ? UInt32.random(in: 0...60_000, using: &generator) : nil
    let began = now()
    let isDone = try await onThread { [service] in
      try service.recover(session, to: version, patience: patience)
    }
    guard isDone != false else { return }
    recorder.record(Recovery(session, to: version, began: began, isKnown: isDone != nil))
  }

  /// Restarts the service, sometimes after a start that fails because of a faulty disk.
  private mutating func restart() async throws {
    if generator.isChosen(percent: 30) {
      service.inject(
        .random(
          of: [.writesFail(percent: 100), .mapsFail, .syncsFail(percent: 100)],
          using: &generator
        )
      )
      if (try? await service.start()) != nil { try await service.kill() }
      service.inject(nil)
    }
    try await service.start()
  }
}
