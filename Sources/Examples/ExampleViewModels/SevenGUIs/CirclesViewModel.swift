package import UIFusionKit

/// The sixth of the 7GUIs, Circle Drawer: circles, and changes that are undone and redone (the reducing pattern).
package struct CirclesViewModel: ReducerViewModel {
  package var state = State()

  /// The most circles: each Input takes time for all.
  static let mostCircles = 500
  /// The most changes that can be undone.
  static let mostChanges = 500

  package init() {}

  /// A circle by its centre.
  package struct Circle: Codable, Equatable, Sendable {
    package let id: Int
    package let x: Double
    package let y: Double
    package var diameter: Double = 40

    /// Returns four times the square of the distance to a point, which the diameter's is compared with.
    func distance(x: Double, y: Double) -> Double {
      4 * ((self.x - x) * (self.x - x) + (self.y - y) * (self.y - y))
    }
  }

  /// A step of the history.
  package enum Change: Codable, Equatable, Sendable {
    case created(Circle)
    case resized(id: Int, from: Double, to: Double)
  }

  /// The dialog that is open over the canvas.
  package enum Dialog: String, Codable, Sendable { case none, menu, adjusting }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var circles: [Circle] = []
    package var selectedID: Int?
    package var dialog = Dialog.none
    /// The selected circle's diameter before it was adjusted.
    package var diameterBefore = 0.0
    package var past: [Change] = []
    package var future: [Change] = []

    /// The members that follow from the others.
    package struct Derived: Codable, Equatable, Sendable {
      package var selected: Circle?
    }

    package var derived: Derived {
      Derived(selected: circles.first { $0.id == selectedID })
    }
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    /// Moves the pointer to a point.
    case point(x: Double, y: Double)
    /// Draws a circle where there is none.
    case press(x: Double, y: Double)
    /// Opens the menu of the circle that is selected, or of another one.
    case openMenu(id: Int?)
    case adjust, setDiameter(Double), close
    case undo, redo
  }

  package typealias Action = Input

  package func transform(_ input: Input) -> [Action] {
    // The dialogs are about one circle, whatever the pointer passes meanwhile.
    switch (input, state.dialog) {
    case (.point(let x, let y), .none):
      nearest(x: x, y: y, in: state)?.id == state.selectedID ? [] : [input]
    case (.press, .none), (.openMenu, .none), (.undo, .none), (.redo, .none),
      (.adjust, .menu), (.close, .menu), (.setDiameter, .adjusting), (.close, .adjusting):
      [input]
    default: []
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .point(let x, let y): state.selectedID = nearest(x: x, y: y, in: state)?.id
    case .press(let x, let y):
      if let circle = nearest(x: x, y: y, in: state) {
        state.selectedID = circle.id
      } else if state.circles.count < Self.mostCircles {
        let last = state.circles.map(\.id).max() ?? 0
        let circle = Circle(id: last + 1, x: x, y: y)
        state.circles.append(circle)
        state.selectedID = circle.id
        record(.created(circle), in: &state)
      }
    case .openMenu(let id):
      state.selectedID = id ?? state.selectedID
      state.dialog = state.derived.selected == nil ? .none : .menu
    case .adjust:
      state.diameterBefore = state.derived.selected?.diameter ?? 0
      state.dialog = .adjusting
    case .setDiameter(let diameter):
      resize(state.selectedID, to: min(max(diameter, 10), 300), in: &state)
    case .close:
      if let circle = state.derived.selected, state.dialog == .adjusting,
        circle.diameter != state.diameterBefore
      {
        record(
          .resized(id: circle.id, from: state.diameterBefore, to: circle.diameter),
          in: &state
        )
      }
      state.dialog = .none
    case .undo:
      guard let change = state.past.popLast() else { break }
      state.future.append(change)
      switch change {
      case .created(let circle): state.circles.removeAll { $0.id == circle.id }
      case .resized(let id, let before, _): resize(id, to: before, in: &state)
      }
    case .redo:
      guard let change = state.future.popLast() else { break }
      state.past.append(change)
      switch change {
      case .created(let circle): state.circles.append(circle)
      case .resized(let id, _, let after): resize(id, to: after, in: &state)
      }
    }
    return []
  }

  private func nearest(x: Double, y: Double, in state: State) -> Circle? {
    state.circles
      .filter { $0.distance(x: x, y: y) < $0.diameter * $0.diameter }
      .min { $0.distance(x: x, y: y) < $1.distance(x: x, y: y) }
  }

  private func record(_ change: Change, in state: inout State) {
    state.past = (state.past + [change]).suffix(Self.mostChanges)
    state.future = []
  }

  private func resize(_ id: Int?, to diameter: Double, in state: inout State) {
    guard let index = state.circles.firstIndex(where: { $0.id == id }) else { return }
    state.circles[index].diameter = diameter
  }
}
