/// The one word of a command line that is no flag, for commands that take one.
package struct Operand<Settings: FlagSettings>: Sendable {
  /// What stands for it in the help.
  package let name: String
  /// Sets it; throws what it has to look like.
  package let set: Flag<Settings>.Setter

  package init(_ name: String, set: @escaping Flag<Settings>.Setter) {
    self.name = name
    self.set = set
  }
}
