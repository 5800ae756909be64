/// Transfers to one node: how many are at work, and which wait for one of those to end, in order.
struct TransferLine {
  private var waiting: [Int: Transfer] = [:]
  /// Numbers in the order in which they came; of those that do not wait any more, too.
  private var order: [Int] = []
  private var head = 0
  var running = 0

  /// How many wait.
  var count: Int { waiting.count }

  mutating func append(_ transfer: Transfer) {
    waiting[transfer.number] = transfer
    order.append(transfer.number)
  }

  mutating func remove(_ number: Int) -> Transfer? {
    waiting.removeValue(forKey: number)
  }

  mutating func removeFirst() -> Transfer? {
    while head < order.count {
      let number = order[head]
      head += 1
      if head * 2 > order.count {
        order.removeFirst(head)
        head = 0
      }
      if let transfer = waiting.removeValue(forKey: number) { return transfer }
    }
    return nil
  }
}
