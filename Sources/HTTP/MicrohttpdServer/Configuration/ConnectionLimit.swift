import Glibc

/// The number of connections that the process's open files allow.
struct ConnectionLimit: Sendable {
  /// The number of connections that are served normally.
  let served: Int
  /// The number of connections that get a response: those above ``served`` get a 503, all further ones are
  /// cut.
  ///
  /// The library's own limit is higher: when it is reached, new connections wait in the backlog.
  let admitted: Int

  /// The number of descriptors reserved for everything else: the store, logs, files, the library's own.
  static let reserve = 128

  /// Whether there are enough descriptors to run at all.
  let isEnough: Bool

  /// Computes the limit; raises the process's soft limit of open files up to the hard one if `wanted`
  /// requires it.
  ///
  /// `share` is the fraction of the open files that these connections may use, at most 1.
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

/// Returns the number of files that may be open, after raising the soft limit if `needed` is more.
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
  // Clamped: RLIM_INFINITY is the largest value.
  return Int(clamping: limit.rlim_cur)
}
