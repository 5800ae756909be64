@testable import UIFusionKit

/// A ledger without an engine: events go in, and its commands come out as text.
///
/// Work is called a, b, c… in the order in which it is started; deliveries are called 1, 2, 3….
struct Bench {
  typealias Effect = AsyncEffect<String>

  private(set) var ledger = Ledger()
  private var tokens: [Ledger.Token] = []
  private var roots: [Ledger.Root] = []

  /// A delivery starts effects, and waits for nothing else.
  mutating func deliver(_ effects: Effect...) -> [String] {
    let root = ledger.begin()
    roots.append(root)
    return commands { ledger, commands in
      for effect in effects { ledger.start(effect.step, for: root, &commands) }
      ledger.release(root, &commands)
    }
  }

  /// A piece of work is over.
  mutating func end(_ name: String) -> [String] {
    guard let token = token(name) else { return ["no such work"] }
    return commands { $0.end(token, &$1) }
  }

  /// The action that was taken last for a delivery is done.
  mutating func done(for delivery: Int) -> [String] {
    let root = roots[delivery - 1]
    return commands { $0.release(root, &$1) }
  }

  mutating func cancel(delivery: Int) -> [String] {
    let root = roots[delivery - 1]
    return commands { $0.cancel(root, &$1) }
  }

  mutating func clear() { ledger.clear() }

  func isLive(_ name: String) -> Bool { token(name).map(ledger.isLive) ?? false }

  private func token(_ name: String) -> Ledger.Token? {
    tokens.indices.first { Self.name($0) == name }.map { tokens[$0] }
  }

  private static func name(_ index: Int) -> String {
    String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(index))))
  }

  private mutating func commands(
    _ change: (inout Ledger, inout [Ledger.Command]) -> Void
  ) -> [String] {
    var commands: [Ledger.Command] = []
    change(&ledger, &commands)
    return commands.map { text($0) }
  }

  private mutating func text(_ command: Ledger.Command) -> String {
    switch command {
    case .start(let token, _):
      tokens.append(token)
      return "start \(Self.name(tokens.count - 1))"
    case .stop(let token):
      return "stop \(tokens.firstIndex(of: token).map(Self.name) ?? "nothing")"
    case .take(let action, _): return "take \(action)"
    case .settled(let root): return "settled \((roots.firstIndex(of: root) ?? -1) + 1)"
    }
  }
}

extension Bench.Effect {
  /// Some work.
  static func work(
    _ id: String? = nil,
    _ policy: EffectPolicy = .replace,
    background: Bool = false
  ) -> Bench.Effect {
    .run(id: id, policy: policy, background: background) { _ in }
  }
}
