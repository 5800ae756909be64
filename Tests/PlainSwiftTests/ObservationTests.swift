import Observation
import Testing
import UIFusionKit

/// A user's own screen: this package must not shadow the names that the macro expands to.
@Observable private final class Screen {
  var title = ""
}

struct `Together with the module Observation` {
  @Test func `an observable class compiles`() {
    let screen = Screen()
    screen.title = "Hello"
    #expect(screen.title == "Hello")
  }
}
