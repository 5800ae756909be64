import Foundation
import FusionFaultInjection
import UIFusionServer
import UIFusionTools

// Hosts view models whose Inputs and States are of types drawn at random, sends values from the edges of those types,
// kills and wakes the service, and prints where it dies, or where what was acknowledged comes back as something else.
//
// usage: hostile [--minutes N] [--seed N]

let environment = ProcessInfo.processInfo.environment
if let seed = environment["HOSTILE_SEED"].flatMap(UInt64.init) {
  await UIFusionCommand.main(HostileCatalog(seed: seed).viewModels, tools: .all)
}

var seed: UInt64 = 1
var minutes = 1.0
var rest = CommandLine.arguments.dropFirst()
while let flag = rest.popFirst() {
  let value = rest.popFirst() ?? ""
  switch (flag, UInt64(value), Double(value)) {
  case ("--seed", let number?, _): seed = number
  case ("--minutes", _, let number?) where number > 0: minutes = number
  default:
    print("\(flag) \(value) makes no sense\nusage: hostile [--minutes N] [--seed N]")
    exit(2)
  }
}
let first = seed
let end = ContinuousClock.now + .seconds(60 * minutes)
var findings = 0
repeat {
  for finding in try HostileRun(seed: seed).findings() {
    findings += 1
    print("seed \(seed): \(finding)")
  }
  seed += 1
} while ContinuousClock.now < end
print("seeds \(first) to \(seed - 1): \(findings == 0 ? "nothing found" : "\(findings) findings")")
exit(findings == 0 ? 0 : 1)
