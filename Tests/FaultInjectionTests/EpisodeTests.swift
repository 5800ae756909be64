import Foundation
import FusionFaultInjection
import FusionPostgreSQLServer
import Testing
import UIFusionServer

/// Episodes on real threads: the seed decides the load and the faults, but not their timing.
///
/// `make faults` runs them for longer.
@Suite(.serialized) struct `Clients of a service with a faulty store` {
  @Test(arguments: [1, 2] as [UInt64])
  func `lose nothing acknowledged if the machine loses power`(seed: UInt64) async throws {
    let outcome = try await withFolder { folder in
      let service = try ServiceInProcess(folder: folder, seed: seed, executable: executable)
      var episode = Episode(service, seed: seed)
      return try await episode.run()
    }
    expectSomeOfEverything(outcome)
    expectNone(outcome.violations)
  }

  @Test(arguments: [1] as [UInt64])
  func `lose nothing acknowledged if the process is killed`(seed: UInt64) async throws {
    let outcome = try await withFolder { folder in
      var episode = Episode(try ServiceProcess(executable, folder: folder), seed: seed)
      return try await episode.run()
    }
    expectSomeOfEverything(outcome)
    expectNone(outcome.violations)
  }

  @Test(
    .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
    arguments: [1] as [UInt64]
  )
  func `lose nothing acknowledged if the database fails`(seed: UInt64) async throws {
    let outcome = try await withFolder { folder in
      var episode = Episode(try ServiceOnPostgreSQL(executable, folder: folder), seed: seed)
      return try await episode.run()
    }
    expectSomeOfEverything(outcome)
    expectNone(outcome.violations)
  }

  @Test(arguments: [(.full, []), (.relaxed, [.answersAreExpected])] as [(Durability, [Rule])])
  func `lose what was not synced with relaxed durability alone`(
    durability: Durability,
    violated: [Rule]
  ) async throws {
    let history = try await withFolder { folder in
      let service = try ServiceInProcess(folder: folder, seed: 1, durability: durability)
      return try await LostPower(service).run()
    }
    #expect(history.requests.contains { $0.answer.isAcknowledged })
    #expect(Checker.violations(in: history).map(\.rule) == violated)
  }

  private func expectSomeOfEverything(_ outcome: Episode.Outcome) {
    #expect(outcome.acknowledged > 100)
    #expect(outcome.kills == 3)
    #expect(outcome.faults > 0)
    #expect(outcome.effects > 0)
    // Streams of forks add to the count.
    #expect(outcome.history.streamEnds.count >= Pattern.allCases.count)
  }
}

/// The executable `faults`, which the build leaves beside the tests.
private let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "faults")
