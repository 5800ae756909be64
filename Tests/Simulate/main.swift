import FusionSimulation
import Glibc

// The order of a Set or Dictionary would else differ from process to process, and with it a seed's
// schedule.
if getenv("SWIFT_DETERMINISTIC_HASHING").map({ String(cString: $0) }) != "1" {
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
}

do {
  exit(try Simulate(CommandLine.arguments.dropFirst()).run() ? 0 : 1)
} catch {
  print(error)
  exit(2)
}
