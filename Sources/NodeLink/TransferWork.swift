import CFusionCurl

/// What a ``TransferThread`` is at work on: on its thread alone.
@safe struct TransferWork: ~Copyable {
  @safe private struct Item {
    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
  }

  /// Handles that are kept for transfers to come.
  private static var spareLimit: Int { 64 }

  private let multi: UnsafeMutableRawPointer
  private let connectTimeout: Duration
  private var items: [Int: Item] = [:]
  private var spare: [UnsafeMutableRawPointer] = unsafe []

  init(_ multi: UnsafeMutableRawPointer, connectTimeout: Duration) {
    unsafe self.multi = multi
    self.connectTimeout = connectTimeout
  }

  mutating func begin(_ transfer: Transfer) {
    guard let handle = unsafe spare.popLast() ?? curl_easy_init() else {
      return transfer.abandon("there is no memory for it")
    }
    unsafe transfer.prepare(handle, connectTimeout: connectTimeout)
    unsafe items[transfer.number] = Item(transfer: transfer, handle: handle)
    guard unsafe curl_multi_add_handle(multi, handle) == CURLM_OK else {
      return cancel(transfer.number)
    }
  }

  mutating func cancel(_ number: Int) {
    remove(number)?.abandon("it was given up here")
  }

  /// Sends and receives what can be, and ends what has ended.
  mutating func proceed() {
    var running: Int32 = 0
    unsafe curl_multi_perform(multi, &running)
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE,
        let context = unsafe ccurl_private(message.pointee.easy_handle)
      else { continue }
      let code = unsafe ccurl_result(message)
      let number = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().number
      remove(number)?.end(code)
    }
  }

  /// Ends all that there is.
  mutating func end() {
    for number in Array(items.keys) { remove(number)?.abandon("this node is stopping") }
    while let handle = unsafe spare.popLast() { unsafe curl_easy_cleanup(handle) }
  }

  private mutating func remove(_ number: Int) -> Transfer? {
    guard let item = items.removeValue(forKey: number) else { return nil }
    unsafe curl_multi_remove_handle(multi, item.handle)
    unsafe curl_easy_reset(item.handle)
    if unsafe spare.count < Self.spareLimit {
      unsafe spare.append(item.handle)
    } else {
      unsafe curl_easy_cleanup(item.handle)
    }
    return item.transfer
  }
}
