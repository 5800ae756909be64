
// Keeps only the test targets that TSAN_TARGETS names and their dependencies: nothing else is compiled.
var kept = Set(Context.environment["TSAN_TARGETS", default: ""].split(separator: "|").map(String.init))
var added = kept
while !added.isEmpty {
  let dependencies = package.targets.filter { added.contains($0.name) }.flatMap(\.dependencies)
  let names = dependencies.compactMap { dependency -> String? in
    switch dependency {
    case .targetItem(let name, _), .byNameItem(let name, _): name
    default: nil
    }
  }
  added = Set(names).subtracting(kept)
  kept.formUnion(added)
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = []
