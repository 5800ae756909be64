import FusionStrictJSON

/// A series of attempts to decode one type, each with another script.
final class TypeProbe<T: Decodable> {
  let prober: Prober
  private let keep: ([T]) -> Void
  private var first: [T] = [] {
    didSet { keep(first) }
  }
  private var further: [T] = []
  /// Whether an attempt failed because a sample was missing.
  var lacksSample = false
  /// Whether a part of the shape comes from the stored properties.
  var isTakenFromProperties = false

  /// The number of samples of each value to try, since a type's requests may depend on values.
  private static var rotations: Int { 8 }

  /// Creates a series; `keep` receives the samples as they are found, since a case may need the samples of
  /// others.
  init(_ type: T.Type, _ prober: Prober, _ keep: @escaping ([T]) -> Void) {
    self.prober = prober
    self.keep = keep
  }

  /// Values of the type, beginning with one of each case.
  var samples: [T] { first + further.prefix(Self.rotations) }

  /// Returns the type's shape; nil if the type does not behave like synthesized code.
  func shape() -> Shape? {
    let first = run(Script())
    switch first.requests.first {
    case .keyed(let names?):
      return first.requests.dropFirst().first == .allKeys ? choice(names) : object(names)
    case .single: return raw() ?? single(first)
    default: return nil
    }
  }

  // MARK: Single values

  /// Returns the shape of an enum with raw values; checks that each value gives its case.
  private func raw() -> Shape? {
    guard let cases = EnumCases.all(of: T.self), !cases.isEmpty,
      let type = T.self as? any RawRepresentable.Type
    else { return nil }
    return raw(type, cases)
  }

  private func raw<Raw: RawRepresentable>(_ type: Raw.Type, _ cases: [T]) -> Shape? {
    var values: [JSONTree] = []
    for value in cases {
      guard let raw = (value as? Raw)?.rawValue, let text = literal(raw) else { return nil }
      var script = Script()
      script.value = raw
      let attempt = run(script)
      guard let made = attempt.value as? Raw, literal(made.rawValue) == text,
        attempt.requests.count == 2, isSteady(attempt, script)
      else { return nil }
      values.append(text)
    }
    return .values(values)
  }

  private func literal(_ raw: Any) -> JSONTree? {
    switch raw {
    case let text as String: .string(text)
    case let number as any FixedWidthInteger: .number("\(number)")
    default: nil
    }
  }

  /// Returns the shape of a type that wraps another, as a `RawRepresentable` struct does.
  private func single(_ first: Attempt<T>) -> Shape? {
    guard first.requests.count == 2, case .singleValue(let shape) = first.requests[1] else {
      return nil
    }
    return isSteady(first, Script()) ? shape : nil
  }

  // MARK: Attempts

  /// Runs the script; reports each optional member without samples as missing.
  func runSkippingMissing(_ script: inout Script) -> Attempt<T> {
    var attempt = run(script)
    while attempt.lacksSample, case .value(let name, let shape)? = attempt.requests.last,
      attempt.requests.dropLast(2).last == .contains(name), script.missing[name] == nil
    {
      script.missing[name] = shape
      attempt = run(script)
    }
    return attempt
  }

  /// Runs the script and keeps the value as a sample.
  func run(_ script: Script) -> Attempt<T> {
    let attempt = prober.run(T.self, script)
    if let value = attempt.value { first.append(value) }
    if attempt.lacksSample { lacksSample = true }
    return attempt
  }

  private func runAgain(_ script: Script) -> Attempt<T> {
    let attempt = prober.run(T.self, script)
    if let value = attempt.value { further.append(value) }
    return attempt
  }

  /// Returns whether the type's requests depend only on which members are missing.
  ///
  /// The type must make the same requests for any values, skip only the value of a missing member, and give
  /// up at the first refusal: a second attempt would mean that it accepts another form.
  func isSteady(_ first: Attempt<T>, _ script: Script) -> Bool {
    let requests = first.requests
    for (index, request) in requests.enumerated() {
      var variant = script
      if request.canFail {
        variant.failing = index
        let attempt = runAgain(variant)
        guard attempt.isRefused, attempt.requests == Array(requests[...index]) else { return false }
        variant.failing = nil
      }
      let skipped: Int
      switch request {
      case .contains(let name) where script.missing[name] != nil: continue
      case .contains: skipped = 2
      case .isNull: skipped = 1
      default: continue
      }
      variant.negative = index
      let expected = requests[...index] + requests[(index + skipped + 1)...]
      guard runAgain(variant).requests == Array(expected) else { return false }
    }
    return (1..<Self.rotations).allSatisfy { rotation in
      var variant = script
      variant.rotation = rotation
      let attempt = runAgain(variant)
      // A type that refuses a value may have made fewer requests.
      return attempt.requests == requests
        || attempt.value == nil && requests.starts(with: attempt.requests)
    }
  }
}

extension TypeProbe {
  /// Returns the shape of an enum with values; probes each case separately.
  func choice(_ names: [String]) -> Shape? {
    guard EnumCases.isEnum(T.self) else { return nil }
    var script = Script()
    script.key = nil
    let none = run(script)
    guard none.value == nil, none.requests == [.keyed(names), .allKeys] else { return nil }
    var cases: [Int: Shape.Case] = [:]
    var left = Array(names.indices)
    var isLastRound = false
    var isPartial = false
    // A case that holds a value of its own type must wait for a case that does not.
    while !left.isEmpty {
      var waiting: [Int] = []
      for index in left {
        script = Script()
        script.key = index
        let first = runSkippingMissing(&script)
        if first.lacksSample, !isLastRound {
          waiting.append(index)
        } else if let found = self.case(names[index], first, script, names) {
          cases[index] = found
          isPartial = isPartial || first.value == nil
        } else {
          return nil
        }
      }
      isLastRound = waiting.count == left.count
      left = waiting
    }
    lacksSample = isPartial
    return .choice(names.indices.compactMap { cases[$0] })
  }

  /// Returns the case of an attempt; values after one without samples get any shape.
  private func `case`(
    _ name: String,
    _ first: Attempt<T>,
    _ script: Script,
    _ names: [String]
  ) -> Shape.Case? {
    guard first.value != nil || first.lacksSample, first.requests.count >= 3,
      first.requests[0] == .keyed(names), first.requests[1] == .allKeys,
      case .nested(name, let labels?) = first.requests[2],
      let values = members(first.requests.dropFirst(3), script),
      isSteady(first, script)
    else { return nil }
    if first.value != nil, !areAll(values, of: labels) { return nil }
    return withRest(of: labels, values) { _ in nil }.map { Shape.Case(name: name, values: $0) }
  }
}

extension TypeProbe {
  /// Returns the shape of a struct or class with members of the given names.
  func object(_ names: [String]) -> Shape? {
    var script = Script()
    let first = runSkippingMissing(&script)
    guard !EnumCases.isEnum(T.self), let members = members(first.requests.dropFirst(), script),
      isSteady(first, script)
    else { return nil }
    if first.value != nil { return areAll(members, of: names) ? .object(members) : nil }
    guard first.lacksSample, !(T.self is AnyObject.Type) else { return nil }
    isTakenFromProperties = true
    let properties = StoredProperties(of: T.self)
    return withRest(of: names, members) { name in
      guard let type = properties?.type(codedAs: name) as? any Decodable.Type else { return nil }
      return prober.shape(of: type)
    }
    .map { .object($0) }
  }

  /// Returns the requested members; nil if synthesized code would not make such requests.
  func members(_ requests: ArraySlice<Request>, _ script: Script) -> [Shape.Member]? {
    var members: [Shape.Member] = []
    var rest = requests
    while let request = rest.popFirst() {
      switch request {
      case .value(let name, let shape):
        members.append(Shape.Member(name: name, shape: shape, isOptional: false))
      case .contains(let name):
        if let shape = script.missing[name] {
          members.append(Shape.Member(name: name, shape: shape, isOptional: true))
          continue
        }
        guard rest.popFirst() == .isNull(name), case .value(name, let shape)? = rest.popFirst()
        else { return nil }
        members.append(Shape.Member(name: name, shape: shape, isOptional: true))
      default: return nil
      }
    }
    return members
  }

  /// Returns whether the members have exactly the given names, each once.
  func areAll(_ members: [Shape.Member], of names: [String]) -> Bool {
    members.count == names.count && Set(members.map(\.name)) == Set(names)
  }

  /// Adds the members that were not requested, with shapes by name; nil if there are unknown members.
  func withRest(
    of names: [String],
    _ members: [Shape.Member],
    _ shape: (String) -> Shape?
  ) -> [Shape.Member]? {
    let asked = Set(members.map(\.name))
    let rest = names.filter { !asked.contains($0) }.map { name in
      switch shape(name) {
      case .optional(let wrapped): Shape.Member(name: name, shape: wrapped, isOptional: true)
      case .storedOnly(.optional(let wrapped)):
        Shape.Member(name: name, shape: .storedOnly(wrapped), isOptional: true)
      case let shape: Shape.Member(name: name, shape: shape ?? .any, isOptional: false)
      }
    }
    return areAll(members + rest, of: names) ? members + rest : nil
  }
}
