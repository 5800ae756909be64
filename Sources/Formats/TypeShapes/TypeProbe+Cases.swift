import FusionStrictJSON

/// The cases of an enum with values, each asked for by itself.
extension TypeProbe {
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
    // A case that holds another value of its own type waits for one that does not.
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

  /// The case that an attempt was at; of its values, what comes behind one that nobody can make is open.
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
