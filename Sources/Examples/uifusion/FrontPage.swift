import UIFusionServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ViewModelCatalog {
  mutating func hostFrontPage() {
    host("tally", summary: "The counter of the front page") { _ in Tally() }
  }
}

/// Adds the routes by which a visitor of the front page ends the process, as `kill -9` does.
///
/// Only where `make run` asks for it, as it starts the process again, and only for visitors on this machine.
func addCrash(to routes: inout Routes) {
  let isAsked = getenv("EXAMPLES_CRASH").map { String(cString: $0) } == "on"
  let isAllowed: @Sendable (Request) -> Bool = { request in
    isAsked && ["127.0.0.1", "::1"].contains(request.client ?? "")
  }
  routes.get("/crash") { request in ["isAllowed": isAllowed(request)] }
  routes.post("/crash") { request in
    guard isAllowed(request) else {
      throw HTTPError(403, "Only `make run` allows this, on its own machine.")
    }
    kill(getpid(), SIGKILL)
    return Response(204)
  }
}
