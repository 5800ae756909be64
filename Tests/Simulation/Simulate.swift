/// The command that runs schedules: `simulate [--nodes] [--seed N] [--schedules N] [--plant FAULT] [--twice]`.
///
/// A seed alone runs one schedule and prints its trace; with a number of schedules, the seed is the first of
/// them. With `--nodes`, each schedule has several nodes that share a store. `--demand RULE` enforces a rule
/// that the service does not fulfil yet, `--excuse RULE` does not enforce a rule.
package struct Simulate {
  private var first: UInt64 = 1
  private var count: UInt64?
  private var hasSeed = false
  private var isTwice = false
  private var isOfNodes = false
  private var planted: [PlantedFault] = []
  private var plantedInNodes: [ClusterFault] = []
  /// The rules that are not enforced.
  private var excused = Rule.notKeptYet

  package struct UsageError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Parses the arguments after the command's name.
  ///
  /// - Throws: ``UsageError``.
  package init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let flag = rest.popFirst() {
      if flag == "--twice" {
        isTwice = true
        continue
      }
      if flag == "--nodes" {
        isOfNodes = true
        continue
      }
      let value = rest.popFirst() ?? ""
      switch (flag, UInt64(value), PlantedFault(rawValue: value)) {
      case ("--seed", let seed?, _): (first, hasSeed) = (seed, true)
      case ("--schedules", let number?, _) where number > 0: count = number
      case ("--plant", _, _) where isOfNodes:
        guard let fault = ClusterFault(rawValue: value) else {
          throw UsageError(description: "unknown fault of nodes: \(value)")
        }
        plantedInNodes.append(fault)
      case ("--plant", _, let fault?): planted.append(fault)
      case ("--demand", _, _): excused.remove(try Self.rule(value))
      case ("--excuse", _, _): excused.insert(try Self.rule(value))
      default: throw UsageError(description: "invalid argument: \(flag) \(value)")
      }
    }
  }

  private static func rule(_ name: String) throws -> Rule {
    guard let rule = Rule(rawValue: name) else {
      throw UsageError(description: "unknown rule: \(name)")
    }
    return rule
  }

  /// Runs the schedules up to the first failing one, and reports it; returns true if all succeed.
  package func run() -> Bool {
    if hasSeed, count == nil { return tell(of: first) }
    let count = count ?? 1_000
    print("seeds \(first) to \(first + count - 1)")
    var steps = 0
    var fingerprints: UInt64 = 0
    var coverage = Coverage()
    for seed in first..<(first + count) {
      let outcome = outcome(of: seed)
      steps += outcome.steps
      coverage.add(outcome.coverage)
      fingerprints = fingerprints &* 31 &+ outcome.fingerprint
      if isTwice,
        self.outcome(of: seed).fingerprint != outcome.fingerprint
      {
        print("two runs of seed \(seed) differ")
        return false
      }
      if outcome.violation != nil { return tell(of: seed) }
    }
    for line in coverage.summary(ofSeveralNodes: isOfNodes) { print(line) }
    print("\(count) schedules, \(steps) steps, fingerprint \(fingerprints)")
    return true
  }

  private func outcome(of seed: UInt64, isTracing: Bool = false) -> Schedule.Outcome {
    isOfNodes
      ? ClusterSchedule.run(
        seed: seed,
        planting: plantedInNodes,
        excusing: excused,
        isTracing: isTracing
      )
      : Schedule.run(seed: seed, planting: planted, excusing: excused, isTracing: isTracing)
  }

  /// The build's flag for the command line: an optimised build skips jobs, and so runs another schedule of a
  /// seed.
  private static var configuration: String {
    #if DEBUG
      ""
    #else
      " -c release"
    #endif
  }

  private func tell(of seed: UInt64) -> Bool {
    let outcome = outcome(of: seed, isTracing: true)
    for line in outcome.lines { print(line) }
    guard let violation = outcome.violation else {
      print("seed \(seed): no violation")
      return true
    }
    let demanded = Rule.notKeptYet.subtracting(excused).map { " --demand \($0.rawValue)" }
    let pardoned = excused.subtracting(Rule.notKeptYet).map { " --excuse \($0.rawValue)" }
    let faults = planted.map(\.rawValue) + plantedInNodes.map(\.rawValue)
    let flags =
      (isOfNodes ? [" --nodes"] : []) + faults.map { " --plant \($0)" } + demanded.sorted()
      + pardoned.sorted()
    print("seed \(seed): \(violation)")
    print("again: swift run\(Self.configuration) simulate --seed \(seed)\(flags.joined())")
    return false
  }
}
