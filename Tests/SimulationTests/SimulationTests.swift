import Foundation
import FusionSpawning
import Testing

/// Runs a service on a virtual clock, with a scheduler controlled by a seed, a store with every kind of
/// failure, processes that die, and clients that do not give up.
@Suite(.serialized) struct `The simulation` {
  /// `make simulation` runs 10,000 schedules; here, SCHEDULES sets their number, and SEED picks a single one.
  @Test func `finds no violation in 150 schedules that reach every situation`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let run =
      if let seed = environment["SEED"] {
        try await simulate("--seed", seed)
      } else {
        try await simulate("--schedules", environment["SCHEDULES"] ?? "150")
      }
    #expect(run.isWell, "\(run.output)")
    // The rules about a situation that is never reached are not tested.
    #expect(!run.output.contains("never reached"), "\(run.output)")
  }

  @Test func `runs the same schedules from the same seeds, in one process and in two`() async throws
  {
    let first = try await simulate("--schedules", "15", "--twice")
    let second = try await simulate("--schedules", "15", "--twice")
    #expect(first.isWell && second.isWell, "\(first.output)")
    #expect(first.output == second.output)
  }

  /// Plants each fault, from a seed near one that catches it on, for a limited number of schedules.
  @Test(
    arguments: [
      ("earlyAcknowledgement", 1, 300),
      ("forgottenKeys", 1, 300),
      ("deniedDoubt", 45, 1000),
      ("tornKeys", 1, 1000),
      ("misnumberedHeads", 1, 300),
      ("tornBatches", 1, 300),
      ("forgottenRunning", 1, 300),
      ("forgottenAlarms", 1, 300),
      ("lastingAlarms", 1, 300),
      ("forgottenMessages", 118, 300),
      ("forgottenSenders", 44, 1000),
      ("hastySettling", 1, 300),
      ("forgottenReplies", 1, 1000),
      ("reversedMessages", 1, 1000),
      ("missedStates", 1, 300),
      ("misreadPast", 1, 300),
      ("forgottenForks", 1, 300),
      ("undroppedWork", 1, 300),
      ("repeatedWork", 1, 300),
      ("ignoredRestoring", 1, 300),
      ("endlessEffects", 1, 300),
    ]
  )
  func `catches a planted fault`(fault: String, seed: Int, schedules: Int) async throws {
    let run = try await simulate(
      "--plant",
      fault,
      "--seed",
      "\(seed)",
      "--schedules",
      "\(schedules)"
    )
    #expect(!run.isWell)
    #expect(run.output.contains("again: swift run simulate --seed "))
  }
}

/// Runs several nodes on one virtual clock, with clocks of different speeds, a shared store, a network that
/// is cut, and processes that die or stop for longer than their lease.
@Suite(.serialized) struct `The simulation of several nodes` {
  @Test func `finds no violation in 120 schedules that reach every situation`() async throws {
    let run = try await simulate("--nodes", "--schedules", "120")
    #expect(run.isWell, "\(run.output)")
    #expect(!run.output.contains("never reached"), "\(run.output)")
  }

  @Test func `runs the same schedules from the same seeds, in one process and in two`() async throws
  {
    let first = try await simulate("--nodes", "--schedules", "20", "--twice")
    let second = try await simulate("--nodes", "--schedules", "20", "--twice")
    #expect(first.isWell && second.isWell, "\(first.output)")
    #expect(first.output == second.output)
  }

  /// Plants each fault, from a seed near one that catches it on, for a limited number of schedules.
  @Test(
    arguments: [
      ("noFence", 91, 600),
      ("endlessLease", 1, 300),
      ("slowClock", 744, 4_000),
      ("stolenSession", 1, 300),
      ("staleAcquisition", 1, 300),
      ("forgottenMessages", 1, 600),
      ("forgottenReplies", 1, 1_000),
      ("hastySettling", 1, 300),
      ("forgottenSenders", 1, 1_000),
      ("reversedMessages", 1, 1_000),
      ("forgottenKeys", 1, 300),
      ("deniedDoubt", 1, 300),
      ("earlyAcknowledgement", 1, 300),
      ("forwardLoop", 1, 300),
      ("deniedForwarding", 28, 600),
      ("untoldLeaving", 218, 600),
      ("misreadPast", 1, 300),
    ]
  )
  func `catches a planted fault`(fault: String, seed: Int, schedules: Int) async throws {
    let run = try await simulate(
      "--nodes",
      "--plant",
      fault,
      "--seed",
      "\(seed)",
      "--schedules",
      "\(schedules)"
    )
    #expect(!run.isWell)
    #expect(run.output.contains("again: swift run simulate --seed "))
  }
}

/// Runs `simulate` to its end, on a thread that blocks no other test.
private func simulate(_ arguments: String...) async throws -> (isWell: Bool, output: String) {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try run(arguments) }) }
  }
}

private func run(_ arguments: [String]) throws -> (isWell: Bool, output: String) {
  let output = Pipe()
  let process = try ChildProcess(
    products.appending(path: "simulate").path,
    arguments,
    output: output
  )
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  return (process.waitUntilExit() == 0, String(decoding: text, as: UTF8.self))
}

/// The folder of the built executables, beside the tests.
private let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent()
