/// A turn that has taken long.
package struct SlowTurn: Sendable {
  /// The case name of the Input, or of the action that an effect, an alarm or a followed session sent; without
  /// values, since these may be secret.
  package let name: String
  package let duration: Duration

  package init(name: String, duration: Duration) {
    (self.name, self.duration) = (name, duration)
  }
}
