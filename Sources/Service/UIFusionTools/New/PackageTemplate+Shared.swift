/// The files of a package with a shared session, and a desk for each person.
extension PackageTemplate {
  /// `Sources/NAME/House.swift`.
  var house: String {
    """
    import UIFusionKit

    /// A house with hours that people book: one session for all of them.
    struct House: ReducerViewModel {
      /// A request of a desk, or of a host.
      enum Input: Codable, Equatable, Sendable { case book(Int), clear }
      typealias Action = Input

      /// The snapshot that desks follow: who has booked each hour.
      struct State: Codable, Equatable, Sendable { var bookings: [Int: String] = [:] }

      var state = State()

      func transform(_ input: Input) -> [Action] { [input] }

      func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
        switch action {
        case .book(let hour):
          guard state.bookings[hour] == nil else { return [.reply(Desk.Input.refused(hour))] }
          state.bookings[hour] = InputSender.identity?.id ?? "somebody"
          return [.reply(Desk.Input.booked(hour))]
        case .clear: state.bookings = [:]
        }
        return []
      }
    }

    /// The rule: whoever is signed in may look and book.
    extension House: AccessControlled {
      static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
        switch use {
        case .read, .send(.book):
          sender == nil ? .denied("Sign in to see the house.") : .byDefault
        case .send(.clear), .end:
          sender?.roles.contains("host") == true ? .allowed : .denied("Only a host may do that.")
        case .share, .fork, .inspect: .byDefault
        }
      }
    }

    """
  }

  /// `Sources/NAME/Desk.swift`.
  var desk: String {
    """
    import UIFusionKit

    /// A desk that books hours of the house, and shows those that are taken: a session for each person.
    struct Desk: ReducerViewModel, SessionFollowing {
      /// A request of a page, or an answer of the house.
      enum Input: Codable, Equatable, Sendable { case ask(Int), booked(Int), refused(Int) }
      enum Action: Codable, Equatable, Sendable { case input(Input), lost, shown(House.State) }
      struct State: Codable, Equatable, Sendable {
        var taken: [Int] = []
        var mine: [Int] = []
        var notice = ""
      }

      static let house = SessionAddress.named("main", of: "house", shared: true)

      var state = State()

      var following: [Following<Action>] {
        [Following(Self.house, as: House.State.self, ended: .lost) { .shown($0) }]
      }

      func transform(_ input: Input) -> [Action] { [.input(input)] }

      func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
        switch action {
        case .input(.ask(let hour)):
          state.notice = ""
          return [.send(House.Input.book(hour), to: Self.house, ifRefused: .lost)]
        case .input(.booked(let hour)): state.mine.append(hour)
        case .input(.refused(let hour)): state.notice = "\\(hour) o’clock is taken."
        case .shown(let house): state.taken = house.bookings.keys.sorted()
        case .lost: state.notice = InputSender.refusal ?? "The house is closed."
        }
        return []
      }
    }

    /// No client says what is booked: only the house does, whose replies need no right.
    extension Desk: AccessControlled {
      static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
        switch use {
        case .send(.booked), .send(.refused): .denied("Only the house answers.")
        default: .byDefault
        }
      }
    }

    """
  }

  /// `Tests/NAMETests/NAMETests.swift`.
  var sharedTests: String {
    """
    import Testing
    import UIFusionKit
    import UIFusionTesting

    @testable import \(name.module)

    struct \(name.tests) {
      @Test func `the house books an hour once`() async {
        let store = AsyncTestStore { _ in House() }
        await store.send(.book(9), from: Identity(id: "ada"), of: "a") { $0.bookings = [9: "ada"] }
        await store.expectSent(Desk.Input.booked(9), to: .id("a"))
        await store.send(.book(9), from: Identity(id: "bob"), of: "b")
        await store.expectSent(Desk.Input.refused(9), to: .id("b"))
        await store.finish()
      }

      @Test func `only a host clears the house`() {
        let (ada, eve) = (Identity(id: "ada"), Identity(id: "eve", roles: ["host"]))
        #expect(House.access(ada, to: .send(.clear)) == .denied("Only a host may do that."))
        #expect(House.access(eve, to: .send(.clear)) == .allowed)
      }

      @Test func `only the house says that an hour is booked`() {
        let answer = Desk.access(Identity(id: "ada"), to: .send(.booked(9)))
        #expect(answer == .denied("Only the house answers."))
      }

      @Test func `a desk books an hour, and shows what is taken`() async {
        let store = AsyncTestStore { _ in Desk() }
        await store.send(.ask(9))
        await store.expectSent(House.Input.book(9), to: Desk.house)
        await store.send(.booked(9)) { $0.mine = [9] }
        await store.show(House.State(bookings: [9: "ada"]), of: Desk.house)
        await store.receive(.shown(House.State(bookings: [9: "ada"]))) { $0.taken = [9] }
        await store.finish()
      }

      @Test func `a desk says why the house refuses`() async {
        let store = AsyncTestStore { _ in Desk() }
        await store.send(.ask(9))
        let reason = "Sign in to see the house."
        await store.expectSent(House.Input.book(9), to: Desk.house, isRefused: true, because: reason)
        await store.receive(.lost) { $0.notice = reason }
        await store.finish()
      }
    }

    """
  }

  /// `Public/index.html`.
  var sharedPage: String {
    """
    \(head("\(name)", script: "uifusion.js", leadingToLogin: true))
    <body data-view-model="desk" data-name="desk">
      \(bar)

      <main class="page">
        <div class="intro">
          <h1>\(name)</h1>
          <p class="lead">Book an hour of the house.</p>
        </div>

        <section class="sheet stack" aria-label="Desk">
          <form method="dialog" class="fields" data-input="ask($hour)">
            <label class="field">Hour <input name="hour" type="number" min="0" max="23" required></label>
            <button class="primary">Book</button>
          </form>
          <div class="says" role="status"><p class="error" data-show="notice" data-text="notice" hidden></p></div>
          <h2>Yours</h2>
          <p class="hint" data-show="not mine">Nothing is booked yet.</p>
          <ul aria-label="Yours"><template data-each="mine"><li data-text="{.}:00"></li></template></ul>
          <h2>Taken</h2>
          <p class="hint" data-show="not taken">The house is free all day.</p>
          <ul aria-label="Taken"><template data-each="taken"><li data-text="{.}:00"></li></template></ul>
        </section>
      </main>
    </body>
    </html>

    """
  }
}
