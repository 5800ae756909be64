import UIFusionServer
import UIFusionTools

// `traps` works like `uifusion`, but with view models that trap.
var catalog = ViewModelCatalog()
catalog.host("trapping", summary: "Traps wherever it is asked to") { _ in Trapping() }
await UIFusionCommand.main(catalog, tools: .all)
