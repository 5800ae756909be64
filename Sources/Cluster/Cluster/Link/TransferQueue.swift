/// The transfers to one node: the number at work, and the waiting ones in order.
struct TransferQueue {
  private var waiting: [Int: Transfer] = [:]
  /// The numbers of the waiting transfers in order, and of some that do not wait any more.
  private var order: ArraySlice<Int> = []
  var running = 0

  /// The number of waiting transfers.
  var count: Int { waiting.count }

  mutating func append(_ transfer: Transfer) {
    waiting[transfer.number] = transfer
    order.append(transfer.number)
  }

  mutating func remove(_ number: Int) -> Transfer? {
    waiting.removeValue(forKey: number)
  }

  mutating func removeFirst() -> Transfer? {
    while let number = order.popFirst() {
      if let transfer = waiting.removeValue(forKey: number) { return transfer }
    }
    return nil
  }
}
