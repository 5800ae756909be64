import Foundation
import FusionFaultInjection
import UIFusionServer
import UIFusionTools

// `faults serve` and `faults sessions` work like `uifusion`, but with the view models of the tests.
switch CommandLine.arguments.dropFirst().first {
case "serve":
  guard
    let effects = ProcessInfo.processInfo.environment[EffectFile.variable]
      .flatMap(EffectFile.init)
  else {
    print("\(EffectFile.variable) has to name a file")
    exit(2)
  }
  await UIFusionCommand.main(faultCatalog(effects))
case "sessions": await UIFusionCommand.main(faultCatalog(NoEffects()), tools: .all)
default: break
}
do {
  exit(try await FaultsCommand(CommandLine.arguments.dropFirst()).run() ? 0 : 1)
} catch {
  print(error)
  exit(2)
}

/// Discards effects: the tools run none.
private struct NoEffects: EffectLog {
  func begin(_ number: InputNumber) {}
}
