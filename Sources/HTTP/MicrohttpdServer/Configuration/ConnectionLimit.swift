import Glibc

/// How many connections the process's open files allow.
struct ConnectionLimit: Sendable {
  /// Connections up to this number are served.
  let served: Int
  /// Connections above ``served`` and up to this number are answered with 503; any further one is
  /// cut at once.
  ///
  /// The library's own limit is never reached: there it would leave new connections waiting in the
  /// backlog without a word.
  let admitted: Int

  /// Descriptors left to everything else: the store, logs, files, the library's own.
  static let reserve = 128

  /// Whether there are descriptors enough to run at all.
  let isEnough: Bool

  /// Raises the soft limit of open files to the hard one where `wanted` needs it.
  ///
  /// `share` is the part of the open files that these connections may have, up to 1.
  init(wanted: Int, loops: Int, share: Double = 1) {
    let wanted = max(1, wanted)
    let others = Self.reserve + 3 * loops
    let needed = Double(wanted + Self.surplus(wanted) + others) / share
    let files = Double(openFiles(needed: Int(needed.rounded(.up)))) * share
    let room = Int(files) - others
    isEnough = room >= 16
    served = max(1, min(wanted, room - Self.surplus(max(1, room))))
    admitted = served + Self.surplus(served)
  }

  private static func surplus(_ connections: Int) -> Int {
    max(8, min(connections / 8, 512))
  }
}

private func openFiles(needed: Int) -> Int {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
    return 1024
  }
  if limit.rlim_cur < rlim_t(needed), limit.rlim_cur < limit.rlim_max {
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
  // RLIM_INFINITY is the largest value there is.
  return Int(clamping: limit.rlim_cur)
}
