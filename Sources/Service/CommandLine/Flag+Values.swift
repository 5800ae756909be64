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
