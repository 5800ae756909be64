import Foundation
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A process with a clock of its own, whose sessions set alarms.
final class ReminderService {
  let clock: TestClock
  let host: SessionHost
  let events = Tally()
  private var tasks: [Task<Void, any Error>] = []

  init(
    _ store: (any SessionStore)?,
    _ viewModels: [HostedViewModel] = [.reminding, .counting],
    at seconds: Double = 0,
    sessionTTL: Duration = .seconds(1_800),
    memory: Int? = nil,
    executor: (any TaskExecutor)? = nil
  ) throws {
    let events = events
    clock = TestClock(date: Date(timeIntervalSince1970: seconds))
    var dependencies = clock.dependencies
    if let executor { dependencies.executor = executor }
    var limits = SessionLimits()
    limits.idleTime = sessionTTL
    limits.memory = memory
    host = SessionHost(
      viewModels,
      limits: limits,
      dependencies: dependencies,
      store: store,
      inventory: try store?.inventory() ?? StoreInventory(),
      report: {
        switch $0 {
        case .rang(_, let late): events.add("rang \(Int(late / .milliseconds(1)))")
        case .alarmsUnknown: events.add("alarms unknown")
        case .unreadable: events.add("unreadable")
        case .invalid: events.add("invalid")
        default: break
        }
      }
    )
  }

  func run(expiring: Bool = false) async {
    let host = host
    tasks.append(
      Task(executorPreference: clock.executor) { try await host.alarmWaker.run() }
    )
    if expiring {
      tasks.append(
        Task(executorPreference: clock.executor) {
          try await host.expirer.run(wakingInterrupted: true)
        }
      )
    }
    await clock.idle()
  }

  func stop() async {
    for task in tasks { task.cancel() }
    await clock.idle()
  }

  func create(_ inputs: String...) async throws -> SessionID {
    let session = try #require(try host.creator.create(.reminding))
    for input in inputs { try session.submit(Array(input.utf8)) }
    await clock.idle()
    return session.id
  }

  func sleep() async {
    await Task(executorPreference: clock.executor) { [host] in
      _ = await host.sleeper.putIdleToSleep(after: .zero)
    }.value
    await clock.idle()
  }

  func isAwake(_ id: SessionID) -> Bool {
    host.directory.withLock { $0.resident(id)?.isAwake } ?? false
  }

  func state(_ id: SessionID) -> String? {
    host.directory.withLock { $0.resident(id) }?.current?.text
  }
}
