import Testing
import UIFusionKit

struct `The name of an effect, as people read it` {
  @Test(arguments: [
    ("<computed (State)>[checkOut]/pay", "checkOut/pay"),
    ("<computed (Optional<State>)>/pay", "pay"),
    ("basket.<computed (State)>[a]/rows[b]/load", "basket[a]/rows[b]/load"),
    ("timers[A]/ticking", "timers[A]/ticking"),
    ("Shop.Effect.pay", "Shop.Effect.pay"), ("save(1.5)", "save(1.5)"), ("a/b", "a/b"), ("", ""),
    ("/", "/"), ("<computed (", "<computed ("), ("<computed (A)>", ""),
    (")><computed (", ")><computed ("),
  ])
  func `leads through computed members by identities alone`(stored: String, read: String) {
    #expect(readableEffectName(stored) == read)
  }
}
