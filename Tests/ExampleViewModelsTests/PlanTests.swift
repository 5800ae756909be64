import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The plan of` {
  @Test func `the counter is what it does`() async {
    await expectPlan { CounterViewModel(time: $0.time) }
  }

  @Test func `the synchronous counter is what it does`() async {
    await expectPlan { _ in CounterSyncViewModel() }
  }

  @Test func `the reducing counter is what it does`() async {
    await expectPlan { CounterReducerViewModel(time: $0.time, random: $0.random) }
  }

  @Test func `the reacting counter is what it does`() async {
    await expectPlan { CounterReactor(time: $0.time) }
  }

  @Test func `the fan-out is what it does`() async {
    await expectPlan { _ in FanOutViewModel() }
  }

  @Test func `the calculator is what it does`() async {
    await expectPlan { _ in CalculatorViewModel() }
  }

  @Test func `the search is what it does`() async {
    await expectPlan { SearchViewModel(time: $0.time) }
  }

  @Test func `the countdown is what it does`() async {
    await expectPlan { _ in CountdownViewModel() }
  }

  @Test func `the auto-refresh is what it does`() async {
    await expectPlan { AutoRefreshViewModel(time: $0.time) }
  }

  @Test func `the four timers is what it does`() async {
    await expectPlan { _ in MultiTimerViewModel() }
  }

  @Test func `the gallery is what it does`() async {
    await expectPlan { GalleryViewModel(time: $0.time) }
  }

  @Test func `the todos is what it does`() async {
    await expectPlan({ $0.random = RandomSource(seed: TodosViewModel.planSeed) }) {
      TodosViewModel(random: $0.random)
    }
  }

  @Test func `the reminders are what they do`() async {
    await expectPlan { RemindersViewModel(date: $0.date) }
  }

  @Test func `the board is what it does`() async {
    await expectPlan { _ in BoardViewModel() }
  }

  @Test func `the seat at a board is what it does`() async {
    await expectPlan { _ in BoardSeatViewModel() }
  }

  @Test func `the shop is what it does`() async {
    await expectPlan { ShopViewModel(time: $0.time) }
  }

  @Test func `the login is what it does`() async {
    await expectPlan { LoginViewModel(time: $0.time) }
  }

  @Test func `the chat is what it does`() async {
    await expectPlan { ChatViewModel(topics: $0.topics) }
  }
}
