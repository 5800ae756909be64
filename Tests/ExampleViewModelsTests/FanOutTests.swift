import Testing
import UIFusionKit

@testable import FusionExampleViewModels

struct `The fan-out` {
  private typealias State = FanOutViewModel.State
  private let page = Recorder { _ in FanOutViewModel() }

  @Test func `case 3: performs five actions for one tap, and publishes one new State`() {
    page.send(.buttonTap)
    #expect(
      page.newActions()
        == [.countTap, .changeColor, .changeButtonText, .changeLabelText, .changeFrame]
    )
    #expect(page.newStates() == [tapped(1, .large)])
    page.send(.buttonTap)
    #expect(page.newStates() == [tapped(2, .small)])
  }

  @Test func `changes its colour with each tap, endlessly`() {
    let taps = FanOutViewModel.colors.count
    for _ in 0..<taps { page.send(.buttonTap) }
    let colors = page.newStates().map(\.color)
    #expect(Set(colors).count == taps)
    #expect(colors.last == State().color)
    #expect(colors.allSatisfy { $0.wholeMatch(of: /#[0-9a-f]{6}/) != nil })
  }

  @Test func `has the JSON that its table documents`() throws {
    #expect(
      try json(State())
        == ##"{"count":0,"color":"#0a84ff","buttonText":"","labelText":"","##
        + #""frame":{"width":180,"height":50}}"#
    )
    #expect(try json(FanOutViewModel.Frame.large) == #"{"width":200,"height":80}"#)
    let state = tapped(3, .large)
    #expect(try restored(state) == state)
    #expect(try inputs(#""buttonTap""#) == [FanOutViewModel.Input.buttonTap])
  }

  private func tapped(_ count: Int, _ frame: FanOutViewModel.Frame) -> State {
    State(
      count: count,
      color: FanOutViewModel.colors[count],
      buttonText: "Button Tapped: \(count)",
      labelText: "Button tapped \(count)",
      frame: frame
    )
  }
}
