/// A flag of a command: its name, its meaning and the setting that it changes.
package struct Flag<Settings: FlagSettings>: Sendable {
  package let name: String
  /// The placeholder for the value in the help, such as `PORT`; nil for a flag without a value.
  package let value: String?
  package let help: String
  /// The default, as a user would write it.
  package let defaultValue: String
  /// Whether the flag may be given more than once; its value is then a list, separated by commas.
  package let isRepeatable: Bool
  /// Parses the value and changes the setting.
  package let set: Setter

  /// A setting that a flag changes.
  package typealias Member<Value> = any WritableKeyPath<Settings, Value> & Sendable

  package typealias Setter =
    @Sendable (_ text: String, _ settings: inout Settings) throws(BadValue) -> Void

  package init(
    name: String,
    value: String?,
    help: String,
    defaultValue: String,
    isRepeatable: Bool = false,
    set: @escaping Setter
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.defaultValue = defaultValue
    self.isRepeatable = isRepeatable
    self.set = set
  }

  /// Wraps a flag of one part of the settings.
  package init<Part: FlagSettings>(_ flag: Flag<Part>, of member: Member<Part>) {
    self.init(
      name: flag.name,
      value: flag.value,
      help: flag.help,
      defaultValue: flag.defaultValue,
      isRepeatable: flag.isRepeatable
    ) { (text, settings) throws(BadValue) in
      try flag.set(text, &settings[keyPath: member])
    }
  }

  /// The environment variable of the flag: `UIFUSION_MAX_BODY` for `--max-body`.
  package var environmentName: String {
    "UIFUSION_" + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) })
  }

  /// The flag with its placeholder, as the help shows it: `--port PORT`.
  package var usage: String { (["--\(name)"] + [value].compactMap(\.self)).joined(separator: " ") }
}

/// A flag's value that cannot be used.
package struct BadValue: Error {
  /// A description of a good value, to follow "must be".
  package let expected: String
  /// Whether the error message may repeat the value, which might contain a password.
  package let isShown: Bool

  package init(expected: String, isShown: Bool = true) {
    self.expected = expected
    self.isShown = isShown
  }
}

/// The one word of a command line that is not a flag, for commands that take one.
package struct Operand<Settings: FlagSettings>: Sendable {
  /// The placeholder in the help.
  package let name: String
  /// Parses the word and changes the setting.
  package let set: Flag<Settings>.Setter

  package init(_ name: String, set: @escaping Flag<Settings>.Setter) {
    self.name = name
    self.set = set
  }
}
