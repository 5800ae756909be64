/// Inputs, taken up one after another.
extension Engine {
  /// Takes up what there is, as far as it goes.
  ///
  /// After each Input come the actions that its effects sent at once, and then its answer. A long
  /// mailbox, or effects that send without end, do not keep the thread: what is left waits for the
  /// next signal.
  func advance() {
    for _ in 0..<8 {
      takeActions()
      report()
      guard takeNext() else { return }
    }
    // The last one's answer does not wait for the signal, which may be that of the end.
    takeActions()
    report()
    _ = queue.signal()
  }

  /// Takes up one Input; false where there is none, or it has to wait.
  private func takeNext() -> Bool {
    guard let turns, !isHeldUp, !mailbox.isClosed, let delivery = mailbox.peek() else {
      return false
    }
    let index = taking.index
    let policy = index < delivery.count ? turns.policy(of: delivery, at: index) : .overlapping
    guard policy != .inOrder || !isBusy else { return false }
    if index == 0, let condition = delivery.condition, !condition(version) {
      mailbox.removeFirst(skipping: delivery.count)
      delivery.progress(.refused)
      return true
    }
    guard index < delivery.count else {
      finishTaking(delivery)
      return true
    }
    mailbox.taken()
    taking.index += 1
    if let effects = turns.take(delivery, at: index) {
      if !effects.isEmpty { start(effects, for: rootOfTaking()) }
      publish()
      releaseHeld()
    } else {
      startWork(on: delivery, at: index, policy: policy)
    }
    if taking.index == delivery.count { finishTaking(delivery) }
    return true
  }

  private func rootOfTaking() -> Ledger.Root {
    if let root = taking.root { return root }
    let root = ledger.begin()
    taking.root = root
    return root
  }

  /// The mailbox's first delivery has been taken up whole.
  private func finishTaking(_ delivery: Delivery) {
    let root = taking.root
    taking = Taking()
    mailbox.removeFirst(skipping: 0)
    guard let root else {
      delivery.progress(.taken(settled: true))
      return
    }
    // Told at the job's end, by when effects that need not wait have done what they do. Work tells by
    // itself, when it has begun.
    if !isAtWork(delivery) { begun.append((delivery, root)) }
    release(root)
  }

  private func isAtWork(_ delivery: Delivery) -> Bool {
    workTasks.values.contains { $0.delivery === delivery }
  }

  private func startWork(on delivery: Delivery, at index: Int, policy: InputPolicy) {
    let root = rootOfTaking()
    let isCounted = policy != .background
    if isCounted { ledger.hold(root) }
    if policy == .inOrder { isBusy = true }
    workStarted += 1
    let number = workStarted
    let task = Task {
      // All of it within: taking up a preference ends a job.
      await withTaskExecutorPreference(pool) {
        let isLast = index == delivery.count - 1
        // The engine may have been closed before this first job of the task.
        guard let turns else {
          if isLast { delivery.progress(.closed) }
          return
        }
        if isLast { begun.append((delivery, root)) }
        await turns.work(on: delivery, at: index) { publish() }
        workTasks[number] = nil
        if policy == .inOrder { isBusy = false }
        if isCounted { release(root) }
      }
    }
    workTasks[number] = (delivery, task)
  }

  func release(_ root: Ledger.Root?) {
    change { $0.release(root, &$1) }
  }

  /// Publishes State if it is new; `last` is a run that has come to its last action, and is over but
  /// for the formalities.
  func publish(after last: Ledger.Token? = nil) {
    guard let turns else { return }
    let isNew = turns.publish(as: version + 1) {
      passage?.announce(ledger.names(besides: workTasks.count, after: last))
    }
    guard isNew else { return }
    version += 1
    passage?.published(by: self)
  }

  /// Whether so much waits for the gate that no more turns are taken.
  ///
  /// Not amid a delivery: the gate may be waiting for its last Input.
  var isHeldUp: Bool { taking.index == 0 && passage?.isFull == true }

  /// Tells everybody what the job that has just ended has brought.
  func report() {
    // An Input that waits makes nothing unsettled, as it may be done in a moment; but what is
    // unsettled stays so while one waits.
    if ledger.isSettled != wasSettled, !ledger.isSettled || mailbox.isEmpty {
      wasSettled = ledger.isSettled
      settledChanged(wasSettled)
    }
    if !begun.isEmpty {
      for (delivery, root) in begun {
        let isSettled = ledger.isSettled(root)
        if !isSettled { awaitingSettled[root] = delivery }
        delivery.progress(.taken(settled: isSettled))
      }
      begun.removeAll(keepingCapacity: true)
    }
    if !settled.isEmpty {
      for root in settled { awaitingSettled.removeValue(forKey: root)?.progress(.settled) }
      settled.removeAll(keepingCapacity: true)
    }
  }

  func shutDown() {
    guard turns != nil else { return }
    turns = nil
    for task in tasks.values { task.cancel() }
    for work in workTasks.values { work.task.cancel() }
    tasks = [:]
    held = []
    // Work that has not begun will not take itself off, and a delivery may hold whoever holds us.
    workTasks = [:]
    actions = FIFO()
    ledger.clear()
    let abandoned = awaitingSettled
    awaitingSettled = [:]
    for delivery in abandoned.values { delivery.progress(.abandoned) }
    for delivery in mailbox.removeAll() { delivery.progress(.closed) }
  }
}
