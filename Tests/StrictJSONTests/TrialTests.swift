import FusionStrictJSON
import Testing

struct `A trial` {
  /// A type that no trial runs.
  private enum Bystander {}

  @Test
  func `does not refuse a type whose code one child did not survive: a lock may have ended it`() {
    let name = _typeName(Bystander.self)
    Trial.run({}, after: { Trial.Outcome([], .ended(by: name)) })
    #expect(!Trial.isRefused(Bystander.self))
  }
}
