import Foundation
import FusionPostgreSQLServer

/// The command that runs episodes: `faults [--minutes N] [--seed N] [--episodes N]`.
///
/// Episodes run by turns in this process, in a separate process, and in one on PostgreSQL if it is
/// installed, until the time is over.
package struct FaultsCommand {
  private var first: UInt64 = 1
  private var episodes: UInt64 = .max
  private var minutes = 1.0

  package struct UsageError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads the command's arguments.
  ///
  /// - Throws: ``UsageError``.
  package init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let flag = rest.popFirst() {
      let value = rest.popFirst() ?? ""
      switch (flag, UInt64(value), Double(value)) {
      case ("--seed", let seed?, _): first = seed
      case ("--episodes", let count?, _): episodes = count
      case ("--minutes", _, let number?) where number > 0: minutes = number
      default: throw UsageError(description: "\(flag) \(value) makes no sense")
      }
    }
  }

  /// Runs episodes and prints a summary; returns whether no rule was violated.
  package func run() async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60 * minutes)
    var total = Summary()
    var seed = first
    let kinds = Kind.allCases.filter { $0 != .postgreSQL || PostgreSQLServer.isInstalled }
    if kinds.count < Kind.allCases.count { print(PostgreSQLServer.isMissing) }
    while ContinuousClock.now < end, seed - first < episodes {
      for kind in kinds {
        let outcome = try await kind.run(seed: seed)
        total.add(outcome)
        for rule in Rule.allCases {
          guard let violation = outcome.violations.first(where: { $0.rule == rule }) else {
            continue
          }
          print("seed \(seed), \(kind.rawValue): \(violation)")
        }
      }
      seed += 1
    }
    print(total)
    return total.violations.isEmpty
  }

  private enum Kind: String, CaseIterable {
    case inProcess = "in process"
    case process = "as a process"
    case postgreSQL = "on PostgreSQL"

    func run(seed: UInt64) async throws -> Episode.Outcome {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "uifusion-faults-\(UUID().uuidString)"
      ).path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let service: any FaultyService =
        switch self {
        case .inProcess:
          try ServiceInProcess(folder: folder, seed: seed, executable: .selfExecutable)
        case .process: try ServiceProcess(.selfExecutable, folder: folder)
        case .postgreSQL: try ServiceOnPostgreSQL(.selfExecutable, folder: folder)
        }
      var episode = Episode(service, seed: seed)
      return try await episode.run()
    }
  }
}

extension URL {
  fileprivate static let selfExecutable = URL(filePath: "/proc/self/exe")
}
