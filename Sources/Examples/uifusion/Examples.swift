import FusionExampleViewModels
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
  catalog.host("counter-reducer", summary: "Counts, and fetches a number that can be called off") {
    CounterReducerViewModel(time: $0.time, random: $0.random)
  }
  catalog.host("counter-reactor", summary: "Counts, and tells of it") {
    CounterReactor(time: $0.time)
  }
  catalog.host("fan-out", summary: "One tap that does five things") { _ in
    FanOutViewModel()
  }
  catalog.host("calculator", summary: "Reckons, and clears itself after five seconds") { _ in
    CalculatorViewModel()
  }
  catalog.host("search", summary: "Searches when the typing pauses") {
    SearchViewModel(time: $0.time)
  }
  catalog.host(
    "countdown",
    summary: "Counts seconds down",
    parameters: CountdownViewModel.Parameters.self
  ) { parameters, _ in
    CountdownViewModel(parameters)
  }
  catalog.host("auto-refresh", summary: "Loads its data anew every five seconds") {
    AutoRefreshViewModel(time: $0.time)
  }
  catalog.host("multi-timer", summary: "Four timers side by side") { _ in
    MultiTimerViewModel()
  }
  catalog.host("todos", summary: "A list in which what is done sinks to the end") {
    TodosViewModel(random: $0.random)
  }
  catalog.host("login", summary: "A login in one step or two") {
    LoginViewModel(time: $0.time)
  }
  catalog.host("chat", summary: "One room for all who are connected") {
    ChatViewModel(topics: $0.topics)
  }
  catalog.host("shop", summary: "A shop whose every third payment is declined") {
    ShopViewModel(time: $0.time)
  }
  return catalog
}()
