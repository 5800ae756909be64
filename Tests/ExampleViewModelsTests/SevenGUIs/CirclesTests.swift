import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

/// The sixth task of the 7GUIs, tested against its text.
struct `The circles` {
  private typealias Circle = CirclesViewModel.Circle
  private let store = AsyncTestStore { _ in CirclesViewModel() }
  private let one = Circle(id: 1, x: 100, y: 100)
  private let two = Circle(id: 2, x: 130, y: 100)

  /// Draws two circles that overlap.
  private func draw() async {
    await store.send(.press(x: 100, y: 100)) {
      ($0.circles, $0.selectedID, $0.past) = ([one], 1, [.created(one)])
    }
    await store.send(.press(x: 130, y: 100)) {
      ($0.circles, $0.selectedID, $0.past) = ([one, two], 2, [.created(one), .created(two)])
    }
  }

  @Test func `are drawn on empty space with a fixed diameter`() async {
    await draw()
    #expect(store.state.circles.map(\.diameter) == [40, 40])
    await store.send(.press(x: 96, y: 96)) { $0.selectedID = 1 }
    await store.finish()
  }

  @Test func `are selected by the nearest centre within a radius`() async {
    await draw()
    await store.send(.point(x: 114, y: 100)) { $0.selectedID = 1 }
    await store.send(.point(x: 116, y: 100)) { $0.selectedID = 2 }
    await store.send(.point(x: 130, y: 120)) { $0.selectedID = nil }
    await store.send(.point(x: 130, y: 119.9)) { $0.selectedID = 2 }
    await store.finish()
  }

  @Test func `are adjusted live, as one step of the history`() async {
    await draw()
    await store.send(.openMenu(id: nil)) { $0.dialog = .menu }
    await store.send(.adjust) {
      $0.dialog = .adjusting
      $0.diameterBefore = 40
    }
    await store.send(.setDiameter(60)) { $0.circles[1].diameter = 60 }
    await store.send(.setDiameter(90)) { $0.circles[1].diameter = 90 }
    await store.send(.close) {
      $0.dialog = .none
      $0.past.append(.resized(id: 2, from: 40, to: 90))
    }
    await store.send(.undo) {
      $0.circles[1].diameter = 40
      $0.future = [$0.past.removeLast()]
    }
    await store.send(.redo) {
      $0.circles[1].diameter = 90
      $0.past.append($0.future.removeLast())
    }
    await store.finish()
  }

  @Test func `add no step if the diameter is unchanged or the menu is closed`() async {
    await draw()
    await store.send(.openMenu(id: 1)) { ($0.selectedID, $0.dialog) = (1, .menu) }
    await store.send(.close) { $0.dialog = .none }
    await store.send(.openMenu(id: 1)) { $0.dialog = .menu }
    await store.send(.adjust) { ($0.dialog, $0.diameterBefore) = (.adjusting, 40) }
    await store.send(.setDiameter(50)) { $0.circles[0].diameter = 50 }
    await store.send(.setDiameter(40)) { $0.circles[0].diameter = 40 }
    await store.send(.close) { $0.dialog = .none }
    await store.finish()
  }

  @Test func `have no menu without a selection`() async {
    await store.send(.openMenu(id: nil))
    await store.send(.openMenu(id: 7)) { $0.selectedID = 7 }
    await store.finish()
  }

  @Test func `do not change while a dialog is open`() async {
    await draw()
    await store.send(.openMenu(id: 1)) { ($0.selectedID, $0.dialog) = (1, .menu) }
    for input: CirclesViewModel.Input in [
      .point(x: 0, y: 0), .press(x: 0, y: 0), .undo, .setDiameter(9),
    ] {
      await store.send(input)
    }
    await store.finish()
  }

  @Test func `are undone and redone step by step, until a new circle is drawn`() async {
    await draw()
    await store.send(.redo)
    await store.send(.undo) {
      ($0.circles, $0.past, $0.future) = ([one], [.created(one)], [.created(two)])
    }
    await store.send(.undo) {
      ($0.circles, $0.past, $0.future) = ([], [], [.created(two), .created(one)])
    }
    await store.send(.undo)
    await store.send(.redo) {
      ($0.circles, $0.past, $0.future) = ([one], [.created(one)], [.created(two)])
    }
    let new = Circle(id: 2, x: 300, y: 100)
    await store.send(.press(x: 300, y: 100)) {
      ($0.circles, $0.selectedID) = ([one, new], 2)
      ($0.past, $0.future) = ([.created(one), .created(new)], [])
    }
    await store.finish()
  }
}
