/// Programs with one part removed.
extension Program {
  var smaller: [Program] {
    var programs: [Program] = []
    for index in operations.indices.reversed() {
      if case .send = operations[index], operations.contains(where: \.isCancel) { continue }
      programs.append(changed { $0.operations.remove(at: index) })
    }
    for (number, effects) in reactions.enumerated() {
      for index in effects.indices {
        programs.append(changed { $0.reactions[number].remove(at: index) })
        for tree in effects[index].smaller {
          programs.append(changed { $0.reactions[number][index] = tree })
        }
      }
    }
    for (number, actions) in inputs.enumerated() where !actions.isEmpty {
      programs.append(changed { $0.inputs[number].removeLast() })
    }
    for (number, actions) in answers.enumerated() where !actions.isEmpty {
      programs.append(changed { $0.answers[number].removeLast() })
    }
    return programs
  }

  private func changed(_ change: (inout Program) -> Void) -> Program {
    var program = self
    change(&program)
    return program
  }
}

extension Program.Operation {
  fileprivate var isCancel: Bool { if case .cancel = self { true } else { false } }
}

extension Tree {
  fileprivate var smaller: [Tree] {
    switch self {
    case .none, .action, .cancel, .sleepThen, .timer, .runAction, .runCatchingError: []
    case .run(let script):
      script.steps.indices.map { index in
        var script = script
        script.steps.remove(at: index)
        return .run(script)
      }
    case .merge(let trees): trees + smaller(trees).map { .merge($0) }
    case .concurrent(let trees): trees + smaller(trees).map { .concurrent($0) }
    case .debounce(let id, let time, let tree):
      [tree] + tree.smaller.map { .debounce(id: id, time, $0) }
    case .throttle(let id, let time, let latest, let tree):
      [tree] + tree.smaller.map { .throttle(id: id, time, latest: latest, $0) }
    }
  }

  private func smaller(_ trees: [Tree]) -> [[Tree]] {
    trees.indices.flatMap { index in
      var fewer = trees
      fewer.remove(at: index)
      return [fewer]
        + trees[index].smaller.map { tree in
          var changed = trees
          changed[index] = tree
          return changed
        }
    }
  }
}
