import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `An interceptor` {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Login: ReducerViewModel {
    enum Input { case password(Secret<String>), email(Redacted<String>), fail, wait }
    enum Action { case password(Secret<String>), email(Redacted<String>), fail, wait, done }
    struct State: Equatable {
      @Secret var password = ""
      @Redacted var email = ""
      var steps: [String] = []
    }
    struct Broken: Error {}

    var state = State()

    func transform(_ input: Input) -> [Action] {
      switch input {
      case .password(let text): [.password(text)]
      case .email(let text): [.email(text)]
      case .fail: [.fail]
      case .wait: [.wait]
      }
    }

    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .password(let text): state.password = text.wrappedValue
      case .email(let text): state.email = text.wrappedValue
      case .fail: return [.run { _ in throw Broken() }]
      case .wait: return [.sleepThen(id: "pause", for: .seconds(1), action: .done)]
      case .done: state.steps.append("done")
      }
      return []
    }
  }

  private let clock = TestClock()
  private let lines = Lines()

  private func store<Model: ViewModel>(_ make: @Sendable () -> Model) -> Store<Model> {
    var dependencies = clock.dependencies
    dependencies.interceptors = [LogInterceptor { [lines] in lines.add($0) }]
    return Store(dependencies) { _ in make() }
  }

  @Test func `sees every event once, in order`() async {
    let store = store { Login() }
    store.send(.wait)
    await clock.advance(by: .seconds(1))
    store.send(.fail)
    await clock.idle()
    #expect(
      lines.all == [
        "Login input wait",
        "Login action wait",
        "Login effect merge(pause)[pause, action]",
        "Login ended after 0.0 seconds",
        "Login received done",
        "Login state 2 steps[0]: nothing → \"done\"",
        "Login ended after 0.0 seconds",
        "Login input fail",
        "Login action fail",
        "Login effect run",
        "Login ended after 0.0 seconds",
        "Login error Broken: Broken()",
        "Login ended after 0.0 seconds",
      ]
    )
    withExtendedLifetime(store) {}
  }

  @Test func `sees the duration of asynchronous work`() async {
    let clock = clock
    let store = store { Writer(time: clock) }
    store.send(.fail)
    await clock.advance(by: .seconds(1))
    #expect(
      lines.all == [
        "Writer input fail",
        "Writer action fail",
        "Writer error Failure: Failure()",
        "Writer state 2 errors[0]: nothing → \"Failure\"",
        "Writer action write(\"!\")",
        "Writer state 3 busy: nil → \"!\"",
        "Writer state 4 text: \"\" → \"!\", busy: \"!\" → nil",
        "Writer ended after 1.0 seconds",
      ]
    )
    withExtendedLifetime(store) {}
  }

  @Test func `never sees secret or redacted values`() async {
    let store = store { Login() }
    store.send(.password(Secret("hunter2")), .email(Redacted("ada@x.org")))
    await clock.idle()
    let text = lines.all.joined(separator: "\n")
    #expect(!text.contains("hunter2") && !text.contains("ada@"))
    #expect(text.contains("••••"))
    #expect(store.state.password == "hunter2" && store.state.email == "ada@x.org")
    #expect(!"\(store.state)".contains("hunter2"))
  }
}

struct `A difference of States` {
  private struct Todo: Equatable { var title: String, isDone = false }
  private struct State: Equatable {
    var value = 0
    var todos = [Todo(title: "milk")]
    var byName: [String: Int] = ["a": 1]
    var note: String?
    @Pulse var alert: String?
  }

  @Test func `names each changed member by its path`() {
    var after = State()
    after.value = 1
    after.todos[0].title = "bread"
    after.todos.append(Todo(title: "tea"))
    after.byName = ["a": 2, "b": 3]
    after.note = "x"
    after.alert = "y"
    #expect(
      "\(StateDifference(from: State(), to: after))" == """
        value: 0 → 1
        todos[0].title: "milk" → "bread"
        byName[a]: 1 → 2
        note: nil → "x"
        alert.pulse: 0 → 1
        alert.wrappedValue: nil → "y"
        todos[1].title: nothing → "tea"
        todos[1].isDone: nothing → false
        byName[b]: nothing → 3
        """
    )
  }

  @Test func `names an enum's case by its own name`() {
    enum Reason { case late, lost }
    enum Loading { case none, increasing, failed(Reason), done(String, by: Int) }
    struct Shown { var loading = Loading.none }
    func changes(to loading: Loading) -> String {
      "\(StateDifference(from: Shown(), to: Shown(loading: loading)))"
    }
    #expect(changes(to: .increasing) == "loading: none → increasing")
    #expect(changes(to: .failed(.late)) == "loading: none → failed(late)")
    #expect(changes(to: .done("x", by: 1)) == "loading: none → done(\"x\", by: 1)")
  }

  @Test func `is empty for equal States`() {
    #expect(StateDifference(from: State(), to: State()).members.isEmpty)
  }
}
