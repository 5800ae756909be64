@testable import UIFusionKit

/// A graph without an engine, which takes events and returns its commands as text.
///
/// Work is named a, b, c… in the order of starting; batches are named 1, 2, 3….
struct Bench {
  typealias Effect = AsyncEffect<String>

  private(set) var graph = EffectGraph()
  private var nodeIDs: [EffectGraph.NodeID] = []
  private var batchIDs: [EffectGraph.BatchID] = []

  /// Delivers a batch that starts effects and does nothing else.
  mutating func deliver(_ effects: Effect...) -> [String] {
    let batchID = graph.begin()
    batchIDs.append(batchID)
    return commands { graph in
      for effect in effects { graph.start(effect.step, for: batchID) }
      graph.release(batchID)
    }
  }

  /// Ends a piece of work.
  mutating func end(_ name: String) -> [String] {
    guard let nodeID = nodeID(name) else { return ["no such work"] }
    return commands { $0.end(nodeID) }
  }

  /// Completes the last action of a batch.
  mutating func done(for batch: Int) -> [String] {
    let batchID = batchIDs[batch - 1]
    return commands { $0.release(batchID) }
  }

  mutating func cancel(batch: Int) -> [String] {
    let batchID = batchIDs[batch - 1]
    return commands { $0.cancel(batchID) }
  }

  mutating func clear() { graph.clear() }

  func isLive(_ name: String) -> Bool { nodeID(name).map(graph.isLive) ?? false }

  private func nodeID(_ name: String) -> EffectGraph.NodeID? {
    nodeIDs.indices.first { Self.name($0) == name }.map { nodeIDs[$0] }
  }

  private static func name(_ index: Int) -> String {
    String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(index))))
  }

  private mutating func commands(_ change: (inout EffectGraph) -> Void) -> [String] {
    change(&graph)
    return graph.takeCommands().map { text($0) }
  }

  private mutating func text(_ command: EffectGraph.Command) -> String {
    switch command {
    case .start(let nodeID, _):
      nodeIDs.append(nodeID)
      return "start \(Self.name(nodeIDs.count - 1))"
    case .stop(let nodeID):
      return "stop \(nodeIDs.firstIndex(of: nodeID).map(Self.name) ?? "nothing")"
    case .process(let action, _, _): return "process \(action)"
    case .alarm(.set(let id, _, _), _, _): return "set \(id)"
    case .alarm(.cancel(let id), _, _): return "unset \(id)"
    case .alarm(.send(let message), _, _): return "send to \(message.address)"
    case .drop: return "drop"
    case .settled(let batchID): return "settled \((batchIDs.firstIndex(of: batchID) ?? -1) + 1)"
    }
  }
}

extension Bench.Effect {
  /// Returns an effect that is a piece of work.
  static func work(
    _ id: String? = nil,
    _ policy: EffectPolicy = .replace,
    background: Bool = false
  ) -> Bench.Effect {
    .run(id: id, policy: policy, background: background) { _ in }
  }
}
