import CFusionCurl
import FusionSessions

/// The transfers of a ``TransferThread``, used on its thread alone.
@safe struct TransferWork: ~Copyable {
  @safe private struct Item {
    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
  }

  /// The number of handles that are kept for later transfers.
  private static var spareLimit: Int { 64 }

  private let multi: UnsafeMutableRawPointer
  private let limits: TransferThread.Limits
  /// The transfers that libcurl has, by their number.
  private var items: [Int: Item] = [:]
  /// The queues by their nodes' addresses.
  private var queues: [String: TransferQueue] = [:]
  /// The addresses of the transfers that wait.
  private var addresses: [Int: String] = [:]
  /// The deadlines of all transfers, and of some that have ended.
  private var deadlines = DeadlineQueue()
  private var spare: [UnsafeMutableRawPointer] = unsafe []
  private let start = ContinuousClock.now

  init(_ multi: UnsafeMutableRawPointer, _ limits: TransferThread.Limits) {
    unsafe self.multi = multi
    self.limits = limits
  }

  /// The time after which ``proceed()`` must be called even if nothing happens; never too early.
  var millisecondsLeft: Int32 {
    let longest = 3_600_000.0
    guard let first = deadlines.first else { return Int32(longest) }
    return Int32(min(max(0, (first.deadline - now) / .milliseconds(1)), longest).rounded(.up))
  }

  private var now: Duration { ContinuousClock.now - start }

  // libcurl has a queue of its own, in which transfers do not time out (CURLMOPT_MAX_HOST_CONNECTIONS).
  mutating func begin(_ transfer: Transfer) {
    let now = now
    transfer.deadline = transfer.request.deadline.map { now + $0 }
    let address = transfer.request.address
    let queue = queues[address, default: TransferQueue()]
    if queue.running < limits.connectionsPerNode, items.count < limits.connections {
      run(transfer)
    } else if queue.count < limits.waitingPerNode {
      queues[address, default: TransferQueue()].append(transfer)
      addresses[transfer.number] = address
      let timeout = now + limits.timeout
      demand(transfer.number, by: min(timeout, transfer.deadline ?? timeout))
    } else {
      transfer.end(.full)
    }
  }

  private mutating func run(_ transfer: Transfer) {
    queues[transfer.request.address, default: TransferQueue()].running += 1
    let handle = unsafe spare.popLast() ?? curl_easy_init()
    guard let handle = unsafe handle else {
      leave(transfer.request.address)
      return transfer.abandon("there is no memory for it")
    }
    unsafe transfer.prepare(handle, connectTimeout: limits.connectTimeout)
    unsafe items[transfer.number] = Item(transfer: transfer, handle: handle)
    if let deadline = transfer.deadline { demand(transfer.number, by: deadline) }
    guard unsafe curl_multi_add_handle(multi, handle) == CURLM_OK else {
      return cancel(transfer.number)
    }
  }

  private mutating func demand(_ number: Int, by deadline: Duration) {
    deadlines.insert(DeadlineQueue.Element(deadline: deadline, number: number))
    let count = items.count + addresses.count
    if deadlines.count > 64, deadlines.count > 4 * count {
      let (items, addresses) = (items, addresses)
      deadlines.removeAll { items[$0] == nil && addresses[$0] == nil }
    }
  }

  mutating func cancel(_ number: Int) {
    remove(number)?.abandon("it was given up here")
  }

  /// Runs libcurl once, and ends the transfers that are done or have taken too long.
  mutating func proceed() {
    var left: Int32 = 0
    unsafe curl_multi_perform(multi, &left)
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE,
        let context = unsafe ccurl_private(message.pointee.easy_handle)
      else { continue }
      let code = unsafe ccurl_result(message)
      let number = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().number
      remove(number)?.end(code)
    }
    let now = now
    while let first = deadlines.first, first.deadline <= now {
      deadlines.removeFirst()
      expire(first.number, now)
    }
  }

  private mutating func expire(_ number: Int, _ now: Duration) {
    if addresses[number] != nil {
      remove(number)?.abandon("all connections to it were taken for too long")
    } else if let deadline = items[number]?.transfer.deadline, deadline <= now {
      remove(number)?.abandon("no answer came in time")
    }
  }

  /// Ends all transfers.
  mutating func end() {
    // The waiting ones first, as the end of a running one lets the next begin.
    for number in Array(addresses.keys) + Array(items.keys) {
      remove(number)?.abandon("this node is stopping")
    }
    while let handle = unsafe spare.popLast() { unsafe curl_easy_cleanup(handle) }
  }

  private mutating func remove(_ number: Int) -> Transfer? {
    if let address = addresses.removeValue(forKey: number) {
      defer { forgetEmpty(address) }
      return queues[address]?.remove(number)
    }
    guard let item = items.removeValue(forKey: number) else { return nil }
    unsafe curl_multi_remove_handle(multi, item.handle)
    unsafe curl_easy_reset(item.handle)
    if unsafe spare.count < Self.spareLimit {
      unsafe spare.append(item.handle)
    } else {
      unsafe curl_easy_cleanup(item.handle)
    }
    leave(item.transfer.request.address)
    return item.transfer
  }

  /// Begins the next transfer where one has ended, to the same node or to another.
  private mutating func leave(_ address: String) {
    queues[address]?.running -= 1
    runNext(to: address)
    forgetEmpty(address)
    // Transfers to other nodes may wait for the limit of all nodes together.
    guard !addresses.isEmpty else { return }
    for address in queues.keys { runNext(to: address) }
  }

  private mutating func forgetEmpty(_ address: String) {
    if queues[address]?.running == 0, queues[address]?.count == 0 { queues[address] = nil }
  }

  private mutating func runNext(to address: String) {
    guard items.count < limits.connections,
      queues[address, default: TransferQueue()].running < limits.connectionsPerNode,
      let next = queues[address]?.removeFirst()
    else { return }
    addresses[next.number] = nil
    run(next)
  }
}
