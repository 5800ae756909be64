import Foundation
import Testing
import UIFusionKit

/// Compares random programs of effects on the engine and on the reference.
///
/// `UIFUSION_MODEL_SEED=17 swift test --filter ModelTests` runs a single seed;
/// `UIFUSION_MODEL_COUNT=100000` runs more of them.
struct `The engine and its reference` {
  @Test func `agree about random programs of effects`() async {
    let seeds =
      number("UIFUSION_MODEL_SEED").map { $0..<$0 + 1 }
      ?? 0..<(number("UIFUSION_MODEL_COUNT") ?? 300)
    for seed in seeds {
      var generator = ProgramGenerator(seed: UInt64(seed))
      let (program, outcome) = generator.next()
      guard let first = await fault(of: program, outcome) else { continue }
      let smallest = await shrunk(program)
      let fault = await Reference.outcome(of: smallest).asyncFlatMap {
        await self.fault(of: smallest, $0)
      }
      Issue.record("seed \(seed)\n\(smallest)\n\n\(fault ?? "\(first)\n(not every time)")")
      return
    }
  }

  private func fault(of program: Program, _ expected: Outcome) async -> String? {
    let result = await ProgramRun(program).result()
    return result.survivor.map { "outlived the engine: \($0)" }
      ?? result.outcome.difference(from: expected)
  }

  /// Removes the parts of a program that the fault does not need.
  private func shrunk(_ program: Program) async -> Program {
    var smallest = program
    var tries = 0
    search: while tries < 3000 {
      for candidate in smallest.smaller {
        tries += 1
        guard let outcome = Reference.outcome(of: candidate) else { continue }
        if await fault(of: candidate, outcome) != nil {
          smallest = candidate
          continue search
        }
      }
      break
    }
    return smallest
  }

  private func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }
}

extension Optional {
  fileprivate func asyncFlatMap<Value>(_ body: (Wrapped) async -> Value?) async -> Value? {
    if let self { await body(self) } else { nil }
  }
}
