import FoundationEssentials
import FusionMetrics
import Glibc

extension Metrics {
  /// Adds the metrics of the process, by Prometheus's names.
  ///
  /// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
  func showProcess() {
    let start = Date.now.timeIntervalSince1970
    gauge("process_start_time_seconds", "When the service started, in Unix time.") { start }
    counters("process_cpu_seconds_total", "Processor time, in user and system mode.") {
      let labels: KeyValuePairs<String, String> = [:]
      return [(labels: labels, count: processorTime())]
    }
    gauge("process_resident_memory_bytes", "Resident memory.") { processMemory().resident }
    gauge("process_virtual_memory_bytes", "Virtual memory.") { processMemory().virtual }
    gauge("process_open_fds", "Open file descriptors.") { Double(openDescriptors()) }
    gauge("process_max_fds", "File descriptors that may be open.") { descriptorLimit() }
  }
}

/// Returns the processor time in seconds (getrusage(2)).
private func processorTime() -> Double {
  var usage = rusage()
  guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
  let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
  let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
  return Double(seconds) + Double(microseconds) / 1e6
}

/// Counts open descriptors (proc_pid_fd(5)); 0 if the system does not tell.
private func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  // Not counted: `.`, `..` and the descriptor of this folder.
  var count = -3
  while readdir(folder) != nil { count += 1 }
  return count
}

/// Returns the current limit, which the start may have raised.
private func descriptorLimit() -> Double {
  var limit = rlimit()
  guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
  return limit.rlim_cur == .max ? .infinity : Double(limit.rlim_cur)
}
