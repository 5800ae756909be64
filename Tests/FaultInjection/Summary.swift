/// The summed counts of several episodes.
package struct Summary: CustomStringConvertible, Sendable {
  package private(set) var violations: [Rule: Int] = [:]
  private var episodes = 0
  private var sum = Episode.Outcome()

  package init() {}

  package mutating func add(_ outcome: Episode.Outcome) {
    episodes += 1
    sum.acknowledged += outcome.acknowledged
    sum.requests += outcome.requests
    sum.kills += outcome.kills
    sum.faults += outcome.faults
    sum.effects += outcome.effects
    sum.forks += outcome.forks
    sum.recoveries += outcome.recoveries
    for violation in outcome.violations { violations[violation.rule, default: 0] += 1 }
  }

  package var description: String {
    let counts = """
      \(episodes) episodes, \(sum.requests) requests, \(sum.acknowledged) acknowledged, \
      \(sum.effects) effects, \(sum.forks) forks, \(sum.recoveries) recoveries, \(sum.kills) kills, \
      \(sum.faults) faults, \
      \(violations.values.reduce(0, +)) violations
      """
    let rules = violations.sorted { $0.key.rawValue < $1.key.rawValue }
    return ([counts] + rules.map { "  \($0.key.rawValue): \($0.value)" }).joined(separator: "\n")
  }
}
