import FusionExampleViewModels
import UIFusionKit
import UIFusionServer

/// The hosted examples, by name.
let examples = {
  var catalog = ViewModelCatalog()
  catalog.host("counter", summary: "A counter from −10 to 10 whose steps take half a second") {
    CounterViewModel(time: $0.time)
  }
  catalog.host("counter-sync", summary: "A counter whose steps take no time") { _ in
    CounterSyncViewModel()
  }
  catalog.host(
    "counter-reducer",
    summary: "A counter that can fetch a number, and cancel the request"
  ) {
    CounterReducerViewModel(time: $0.time, random: $0.random)
  }
  catalog.host("counter-reactor", summary: "A counter that announces its changes") {
    CounterReactor(time: $0.time)
  }
  catalog.host("fan-out", summary: "One tap that changes five things at once") { _ in
    FanOutViewModel()
  }
  catalog.host("calculator", summary: "A calculator that clears itself after five seconds") { _ in
    CalculatorViewModel()
  }
  catalog.host("search", summary: "A search that starts when typing pauses") {
    SearchViewModel(time: $0.time)
  }
  catalog.host(
    "countdown",
    summary: "A countdown in seconds",
    parameters: CountdownViewModel.Parameters.self
  ) { parameters, _ in
    CountdownViewModel(parameters)
  }
  catalog.host("auto-refresh", summary: "Data that is reloaded every five seconds") {
    AutoRefreshViewModel(time: $0.time)
  }
  catalog.host("multi-timer", summary: "Four independent timers") { _ in
    MultiTimerViewModel()
  }
  catalog.host("gallery", summary: "Controls and gestures, each with what it sends") {
    GalleryViewModel(time: $0.time)
  }
  catalog.host("todos", summary: "A to-do list that moves completed items to the end") {
    TodosViewModel(random: $0.random)
  }
  catalog.host("login", summary: "A login in one step or two") {
    LoginViewModel(time: $0.time)
  }
  catalog.host("chat", summary: "A chat in one room") {
    ChatViewModel(topics: $0.topics, time: $0.time, random: $0.random)
  }
  catalog.host("shop", summary: "A shop whose every third payment is declined") {
    ShopViewModel(time: $0.time)
  }
  catalog.host(
    "reminders",
    summary: "Reminders that come when they are due, whatever happens until then"
  ) {
    RemindersViewModel(date: $0.date)
  }
  catalog.host("board", summary: "A board of columns and cards that many share") { _ in
    BoardViewModel(
      title: "Street party",
      cards: [["Drag me to “Doing”", "Borrow a grill"], ["Print the invitations"], ["Find a day"]]
    )
  }
  catalog.host("board-seat", summary: "One user's seat at a board, which follows it") { _ in
    BoardSeatViewModel()
  }
  catalog.host("auction", summary: "An auction whose lots are sold after a minute") {
    AuctionViewModel(date: $0.date)
  }
  catalog.host("auction-desk", summary: "One person's desk at an auction, which follows it") {
    _ in
    AuctionDeskViewModel()
  }
  catalog.hostSevenGUIs()
  catalog.hostFrontPage()
  return catalog
}()
