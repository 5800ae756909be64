/// The streams whose sockets are the loop's own. All on its thread but for ``queue(_:)``.
extension EventLoop {
  /// A stream is to be served in the loop's next pass; false where there is no such pass.
  ///
  /// Any thread.
  @discardableResult func queue(_ stream: StreamSocket) -> Bool {
    let isLeft = leave(stream)
    if isLeft { waker.wake() }
    return isLeft
  }

  func insert(_ stream: StreamSocket) {
    unsafe stream.place = streams.count
    unsafe streams.append(stream)
    countStreams()
  }

  /// Forgets a stream, in constant time: the last one takes its place.
  func remove(_ stream: StreamSocket) {
    guard let last = unsafe streams.popLast() else { return }
    countStreams()
    context.connections.countOutStream()
    guard last !== stream else { return }
    unsafe streams[stream.place] = last
    unsafe last.place = stream.place
  }

  /// Something happened on a stream's socket; `isEnding` where its peer has closed, or was lost.
  func serve(_ token: UInt64, isEnding: Bool) {
    guard let own = unsafe UnsafeRawPointer(bitPattern: UInt(token)) else { return }
    // The loop has it: a stream is removed from the set of events before it is let go of.
    let stream = unsafe Unmanaged<StreamSocket>.fromOpaque(own).takeUnretainedValue()
    if isEnding { stream.end() } else { stream.proceed() }
  }

  /// Serves the streams that were queued.
  func serveQueued() {
    for stream in queuedStreams() { stream.proceed() }
  }

  /// Cuts the peers that have taken nothing for too long, of what waits for them.
  func cutStalled(_ now: Milliseconds) {
    guard unsafe hasStalledStreams else { return }
    let limit = context.idleTimeout
    unsafe hasStalledStreams = false
    for stream in unsafe streams where stream.cutIfStalled(now, limit: limit) {
      unsafe hasStalledStreams = true
    }
  }

  /// Ends all in due form, as far as their peers take it; from here on every stream ends so.
  func finishStreams() {
    for stream in unsafe streams { stream.proceed() }
  }

  /// Ends all, at once.
  func endStreams() {
    for stream in unsafe streams { stream.end() }
  }
}
