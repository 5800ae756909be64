import Foundation
import FusionFaultInjection
import UIFusionServer

// `faults serve` is the service itself: what `uifusion serve` is, with other view models.
if CommandLine.arguments.dropFirst().first == "serve" {
  guard
    let effects = ProcessInfo.processInfo.environment[EffectFile.variable]
      .flatMap(EffectFile.init)
  else {
    print("\(EffectFile.variable) has to name a file")
    exit(2)
  }
  await UIFusionCommand.main(faultCatalog(effects))
}
do {
  exit(try await FaultsCommand(CommandLine.arguments.dropFirst()).run() ? 0 : 1)
} catch {
  print(error)
  exit(2)
}
