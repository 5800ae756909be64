import ExampleViewModels
import UIFusionKit
import UIFusionServer

/// The examples, by the names under which they are hosted.
let examples = {
  var catalog = ViewModelCatalog()
  catalog.host("counter", summary: "Counts from −10 to 10, half a second a step") {
    CounterViewModel(time: $0.time)
  }
  catalog.host("counter-sync", summary: "Counts, at once") { _ in
    CounterSyncViewModel()
  }
  return catalog
}()
