import FusionStrictJSON

/// The members of a struct, or the values of an enum's case, by what was asked for.
extension TypeProbe {
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
      guard let type = properties.type(codedAs: name) as? any Decodable.Type else { return nil }
      return prober.shape(of: type)
    }
    .map { .object($0) }
  }

  /// The members that were asked for; nil where the requests are not those of synthesised code.
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

  /// Whether these are all members that there are, each once.
  func areAll(_ members: [Shape.Member], of names: [String]) -> Bool {
    members.count == names.count && Set(members.map(\.name)) == Set(names)
  }

  /// With those that nobody got to ask for; nil where others were asked for than there are.
  func withRest(
    of names: [String],
    _ members: [Shape.Member],
    _ shape: (String) -> Shape?
  ) -> [Shape.Member]? {
    let asked = Set(members.map(\.name))
    let rest = names.filter { !asked.contains($0) }.map { name in
      switch shape(name) {
      case .optional(let wrapped): Shape.Member(name: name, shape: wrapped, isOptional: true)
      case let shape: Shape.Member(name: name, shape: shape ?? .any, isOptional: false)
      }
    }
    return areAll(members + rest, of: names) ? members + rest : nil
  }
}
