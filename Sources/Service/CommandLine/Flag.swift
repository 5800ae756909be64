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

extension Flag {
  /// Makes a flag of any type of value; `parse` returns nil for a text that is not what is expected.
  package init<Value>(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: Member<Value>,
    defaultValue: String,
    expected: String,
    parse: @escaping @Sendable (String) -> Value?
  ) {
    self.init(name: name, value: value, help: help, defaultValue: defaultValue) {
      (text, settings) throws(BadValue) in
      guard let parsed = parse(text) else { throw BadValue(expected: expected) }
      settings[keyPath: member] = parsed
    }
  }

  /// Makes a flag of a text that must not be empty.
  package init(_ name: String, _ value: String, _ help: String, _ member: Member<String>) {
    let defaultValue = Settings()[keyPath: member]
    self.init(name, value, help, member, defaultValue: defaultValue, expected: "a value") {
      $0.isEmpty ? nil : $0
    }
  }

  /// Makes a flag of a text that must not be empty and has no default; the word for that, such as `none`, unsets it.
  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: Member<String?>,
    defaultValue: String = "none",
    expected: String = "a value",
    isValid: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.init(name, value, help, member, defaultValue: defaultValue, expected: expected) {
      text -> String?? in
      if text == defaultValue { return .some(nil) }
      return text.isEmpty || !isValid(text) ? .none : .some(text)
    }
  }

  /// Makes a flag of a whole number.
  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: Member<Int>,
    _ range: ClosedRange<Int>
  ) {
    let defaultValue = String(Settings()[keyPath: member])
    self.init(name, value, help, member, defaultValue: defaultValue, expected: range.wholeNumber) {
      range.number(in: $0)
    }
  }

  /// Makes a flag of a whole number that may stay unset; `none` unsets it where that is the default.
  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: Member<Int?>,
    _ range: ClosedRange<Int>,
    defaultValue: String = "none"
  ) {
    let mayBeNone = defaultValue == "none"
    let expected = (mayBeNone ? "none or " : "") + range.wholeNumber
    self.init(name, value, help, member, defaultValue: defaultValue, expected: expected) { text in
      mayBeNone && text == "none" ? .some(nil) : range.number(in: text).map(Optional.some)
    }
  }

  /// Makes a flag of a duration in seconds.
  package init(
    _ name: String,
    _ help: String,
    _ member: Member<Duration>,
    atLeast least: Double = 0
  ) {
    let defaultValue = Settings()[keyPath: member].secondsText
    let expected = "a number of seconds from \(least == 0 ? "0" : "\(least)") to 1000000000"
    self.init(name, "SECONDS", help, member, defaultValue: defaultValue, expected: expected) {
      text in
      Double(text).flatMap { $0 >= least && $0 <= 1_000_000_000 ? .seconds($0) : nil }
    }
  }

  /// Makes a flag that may be repeated; `normalized` returns nil for an element that is not as `example`.
  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: Member<[String]>,
    defaultValue: String,
    example: String,
    _ normalized: @escaping @Sendable (String) -> String?
  ) {
    self.init(name: name, value: value, help: help, defaultValue: defaultValue, isRepeatable: true)
    {
      (text, settings) throws(BadValue) in
      let elements = text.split(separator: ",", omittingEmptySubsequences: false).map {
        normalized(String($0).trimmed)
      }
      guard !elements.contains(nil) else { throw BadValue(expected: example) }
      settings[keyPath: member] = elements.compactMap(\.self)
    }
  }

  /// Makes a flag of one of several words.
  package init<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ help: String,
    _ member: Member<Choice>
  ) where Choice.RawValue == String {
    let choices = Choice.allCases.map(\.rawValue)
    let (value, defaultValue) = (
      choices.joined(separator: "|"), Settings()[keyPath: member].rawValue
    )
    let expected = "one of \(choices.joined(separator: ", "))"
    self.init(name, value, help, member, defaultValue: defaultValue, expected: expected) {
      Choice(rawValue: $0)
    }
  }

  /// Makes a flag that is `on` or `off`.
  package init(_ name: String, onOff help: String, _ member: Member<Bool>) {
    let defaultValue = Settings()[keyPath: member] ? "on" : "off"
    self.init(
      name,
      "on|off",
      help,
      member,
      defaultValue: defaultValue,
      expected: "one of on, off"
    ) { ["on": true, "off": false][$0] }
  }

  /// Makes a flag without a value, and so without an environment variable.
  package init(_ name: String, _ help: String, _ member: Member<Bool>) {
    self.init(name: name, value: nil, help: help, defaultValue: "off") { _, settings in
      settings[keyPath: member] = true
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var wholeNumber: String { "a whole number from \(lowerBound) to \(upperBound)" }

  fileprivate func number(in text: String) -> Int? {
    Int(text).flatMap { contains($0) ? $0 : nil }
  }
}

extension Duration {
  /// The seconds, as a flag takes them: `8`, `0.5`.
  fileprivate var secondsText: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) * 1e-18)"
  }
}
