import FusionStrictJSON

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
