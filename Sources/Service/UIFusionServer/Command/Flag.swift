/// One flag of a command: its name, what it is for, and what it sets.
package struct Flag<Settings: FlagSettings>: Sendable {
  package let name: String
  /// What stands for its value in the help; nil where it has none, and only says yes.
  package let value: String?
  package let help: String
  /// The default, as it would be written.
  package let defaultValue: String
  /// Whether it may be given more than once; its value is then a list, with commas.
  package let isRepeatable: Bool
  /// Sets it; throws what a value has to look like.
  package let set: Setter

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

  /// `--max-body` is `UIFUSION_MAX_BODY`.
  package var environmentName: String {
    "UIFUSION_" + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) })
  }
}

extension Flag {
  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, String> & Sendable
  ) {
    self.init(name: name, value: value, help: help, defaultValue: Settings()[keyPath: member]) {
      (text, settings) throws(BadValue) in
      guard !text.isEmpty else { throw BadValue(expected: "a value") }
      settings[keyPath: member] = text
    }
  }

  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, String?> & Sendable
  ) {
    self.init(name: name, value: value, help: help, defaultValue: "none") {
      (text, settings) throws(BadValue) in
      guard !text.isEmpty else { throw BadValue(expected: "a value") }
      settings[keyPath: member] = text
    }
  }

  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, Int> & Sendable,
    _ range: ClosedRange<Int>
  ) {
    let defaultValue = String(Settings()[keyPath: member])
    self.init(name: name, value: value, help: help, defaultValue: defaultValue) {
      (text, settings) throws(BadValue) in
      guard let number = Int(text), range.contains(number) else {
        throw BadValue(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      settings[keyPath: member] = number
    }
  }

  /// One that need not be set.
  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, Int?> & Sendable,
    _ range: ClosedRange<Int>,
    defaultValue: String
  ) {
    self.init(name: name, value: value, help: help, defaultValue: defaultValue) {
      (text, settings) throws(BadValue) in
      if text == "none", defaultValue == "none" { return settings[keyPath: member] = nil }
      guard let number = Int(text), range.contains(number) else {
        let none = defaultValue == "none" ? "none or " : ""
        throw BadValue(
          expected: "\(none)a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
      }
      settings[keyPath: member] = number
    }
  }

  package init(
    _ name: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, Duration> & Sendable,
    atLeast least: Double = 0
  ) {
    let defaultValue = Settings()[keyPath: member].secondsText
    self.init(name: name, value: "SECONDS", help: help, defaultValue: defaultValue) {
      (text, settings) throws(BadValue) in
      guard let seconds = Double(text), seconds >= least, seconds <= 1_000_000_000 else {
        let least = least == 0 ? "0" : "\(least)"
        throw BadValue(expected: "a number of seconds from \(least) to 1000000000")
      }
      settings[keyPath: member] = .seconds(seconds)
    }
  }

  package init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, [String]> & Sendable,
    defaultValue: String,
    example: String,
    _ normalized: @escaping @Sendable (String) -> String?
  ) {
    self.init(name: name, value: value, help: help, defaultValue: defaultValue, isRepeatable: true)
    {
      (text, settings) throws(BadValue) in
      settings[keyPath: member] = try text.split(
        separator: ",",
        omittingEmptySubsequences: false
      ).map { item throws(BadValue) in
        guard let item = normalized(item.filter { $0 != " " }) else {
          throw BadValue(expected: example)
        }
        return item
      }
    }
  }

  package init<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, Choice> & Sendable
  ) where Choice.RawValue == String {
    let choices = Choice.allCases.map(\.rawValue)
    let defaultValue = Settings()[keyPath: member].rawValue
    self.init(
      name: name,
      value: choices.joined(separator: "|"),
      help: help,
      defaultValue: defaultValue
    ) {
      (text, settings) throws(BadValue) in
      guard let choice = Choice(rawValue: text) else {
        throw BadValue(expected: "one of \(choices.joined(separator: ", "))")
      }
      settings[keyPath: member] = choice
    }
  }

  /// One that is on or off.
  package init(
    _ name: String,
    onOff help: String,
    _ member: any WritableKeyPath<Settings, Bool> & Sendable
  ) {
    self.init(
      name: name,
      value: "on|off",
      help: help,
      defaultValue: Settings()[keyPath: member] ? "on" : "off"
    ) { (text, settings) throws(BadValue) in
      guard ["on", "off"].contains(text) else { throw BadValue(expected: "one of on, off") }
      settings[keyPath: member] = text == "on"
    }
  }

  /// One without a value, and so without an environment variable.
  package init(
    _ name: String,
    _ help: String,
    _ member: any WritableKeyPath<Settings, Bool> & Sendable
  ) {
    self.init(name: name, value: nil, help: help, defaultValue: "off") { _, settings in
      settings[keyPath: member] = true
    }
  }

  /// One of another's settings.
  package init<Part: FlagSettings>(
    _ flag: Flag<Part>,
    of member: any WritableKeyPath<Settings, Part> & Sendable
  ) {
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
}

extension Duration {
  /// As a flag takes it: `8`, `0.5`.
  fileprivate var secondsText: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) * 1e-18)"
  }
}

/// What a value has to look like, to follow "must be".
package struct BadValue: Error {
  package let expected: String
  /// Whether it may be repeated to whoever reads the error.
  package let isShown: Bool

  package init(expected: String, isShown: Bool = true) {
    self.expected = expected
    self.isShown = isShown
  }
}
