import UIFusionKit

/// The view models that a host's sessions may be of.
package struct HostedViewModels: Sendable {
  package let all: [HostedViewModel]
  private let byName: [ByteString: HostedViewModel]

  /// Creates a list in which, of two view models with one name, the first is found by it.
  init(_ all: [HostedViewModel]) {
    self.all = all
    byName = Dictionary(all.map { (ByteString($0.name), $0) }) { first, _ in first }
  }

  package func named(_ name: String) -> HostedViewModel? { byName[ByteString(name)] }

  /// Whether any of them is told when a session of it ends.
  var anyIsToldOfEnd: Bool { all.contains(where: \.isToldOfEnd) }

  /// Whether any of them is told of its visitors.
  package var anyIsToldOfVisitors: Bool { all.contains(where: \.isToldOfVisitors) }
}
