import ExampleViewModels
import Testing
import UIFusionKit
import UIFusionTesting

struct `The plan of` {
  @Test func `the counter is what it does`() async {
    await expectPlan { CounterViewModel(time: $0.time) }
  }

  @Test func `the synchronous counter is what it does`() async {
    await expectPlan { _ in CounterSyncViewModel() }
  }
}
