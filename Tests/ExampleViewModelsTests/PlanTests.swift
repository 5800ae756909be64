import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The plan of` {
  @Test func `the counter matches its behaviour`() async {
    await expectPlan { CounterViewModel(time: $0.time) }
  }

  @Test func `the synchronous counter matches its behaviour`() async {
    await expectPlan { _ in CounterSyncViewModel() }
  }

  @Test func `the reducing counter matches its behaviour`() async {
    await expectPlan { CounterReducerViewModel(time: $0.time, random: $0.random) }
  }

  @Test func `the reacting counter matches its behaviour`() async {
    await expectPlan { CounterReactor(time: $0.time) }
  }

  @Test func `the fan-out matches its behaviour`() async {
    await expectPlan { _ in FanOutViewModel() }
  }

  @Test func `the calculator matches its behaviour`() async {
    await expectPlan { _ in CalculatorViewModel() }
  }

  @Test func `the search matches its behaviour`() async {
    await expectPlan { SearchViewModel(time: $0.time) }
  }

  @Test func `the countdown matches its behaviour`() async {
    await expectPlan { _ in CountdownViewModel() }
  }

  @Test func `the auto-refresh matches its behaviour`() async {
    await expectPlan { AutoRefreshViewModel(time: $0.time) }
  }

  @Test func `the four timers matches their behaviour`() async {
    await expectPlan { _ in MultiTimerViewModel() }
  }

  @Test func `the gallery matches its behaviour`() async {
    await expectPlan { GalleryViewModel(time: $0.time) }
  }

  @Test func `the todos matches their behaviour`() async {
    await expectPlan({ $0.random = RandomSource(seed: TodosViewModel.planSeed) }) {
      TodosViewModel(random: $0.random)
    }
  }

  @Test func `the reminders matches their behaviour`() async {
    await expectPlan { RemindersViewModel(date: $0.date) }
  }

  @Test func `the board matches its behaviour`() async {
    await expectPlan { _ in BoardViewModel() }
  }

  @Test func `the auction matches its behaviour`() async {
    await expectPlan { AuctionViewModel(date: $0.date) }
  }

  @Test func `the desk at an auction matches its behaviour`() async {
    await expectPlan { _ in AuctionDeskViewModel() }
  }

  @Test func `the seat at a board matches its behaviour`() async {
    await expectPlan { _ in BoardSeatViewModel() }
  }

  @Test func `the shop matches its behaviour`() async {
    await expectPlan { ShopViewModel(time: $0.time) }
  }

  @Test func `the login matches its behaviour`() async {
    await expectPlan { LoginViewModel(time: $0.time) }
  }

  @Test func `the chat matches its behaviour`() async {
    await expectPlan { ChatViewModel(topics: $0.topics) }
  }
}
