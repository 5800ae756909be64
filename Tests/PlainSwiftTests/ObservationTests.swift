import Observation
import Testing
import UIFusionKit

/// What a user's own screen is: this package must not hide what its macro is made of.
@Observable private final class Screen {
  var title = ""
}

struct `Beside the module Observation` {
  @Test func `an observable class compiles`() {
    let screen = Screen()
    screen.title = "Hello"
    #expect(screen.title == "Hello")
  }
}
