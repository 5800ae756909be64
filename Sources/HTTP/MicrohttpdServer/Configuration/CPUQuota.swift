/// How much processor time a process's control groups give it (cgroups(7)).
struct CPUQuota {
  /// In processors; nil where nothing is limited.
  private(set) var processors: Double?

  /// - Parameters:
  ///   - list: the file with a line for each hierarchy, `number:controllers:group`.
  ///   - root: where the hierarchies are mounted.
  ///   - read: gives a file's text, or nil.
  init(ofProcess list: String, under root: String, read: (String) -> String?) {
    for line in (read(list) ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isUnified = parts[0] == "0" && parts[1].isEmpty
      guard isUnified || parts[1].split(separator: ",").contains("cpu") else { continue }
      // A group's limit is for all below it. A container sees its own group as the root.
      for group in groups(above: parts[2]) {
        let folder = isUnified ? root + group : "\(root)/cpu\(group)"
        lower(to: isUnified ? unifiedLimit(read("\(folder)/cpu.max")) : limit(in: folder, read))
      }
    }
  }

  private mutating func lower(to limit: Double?) {
    guard let limit else { return }
    processors = min(processors ?? limit, limit)
  }

  /// `/a/b` is below `/a` and the root, which is written as nothing.
  private func groups(above group: Substring) -> [String] {
    group.split(separator: "/").reduce(into: [""]) { $0.append("\($0[$0.count - 1])/\($1)") }
  }

  /// Version 2: `quota period`, in microseconds, or `max period`.
  private func unifiedLimit(_ text: String?) -> Double? {
    let numbers = (text ?? "").split { $0 == " " || $0 == "\n" }.map { Double($0) }
    guard numbers.count == 2, let quota = numbers[0], let period = numbers[1] else { return nil }
    return ratio(quota, period)
  }

  /// Version 1: each in a file of its own, and -1 where there is no limit.
  private func limit(in folder: String, _ read: (String) -> String?) -> Double? {
    func number(_ name: String) -> Double? {
      read("\(folder)/\(name)")?.split(separator: "\n").first.flatMap { Double($0) }
    }
    guard let quota = number("cpu.cfs_quota_us"), let period = number("cpu.cfs_period_us") else {
      return nil
    }
    return ratio(quota, period)
  }

  private func ratio(_ quota: Double, _ period: Double) -> Double? {
    quota > 0 && period > 0 ? quota / period : nil
  }
}
