import FusionMicrohttpdServer
import FusionSessions
import FusionTypeShapes

extension Log {
  /// Starts to search the shapes of types; the returned function ends that, and logs which types have none.
  func searchShapes(of types: [any Decodable.Type]) -> @Sendable () -> Void {
    let search = ShapeSearch(types)
    return {
      for type in search.finish() {
        warning(
          "a type ends the process over some values, so its schema allows any: throw an error in its init(from:)"
            + " where it traps, exits or does not return",
          ("type", type)
        )
      }
    }
  }

  /// Logs the limits that are lower than configured, and settings that need attention.
  func reportLimits(_ configuration: Configuration, _ server: MicrohttpdServer, streams: Int) {
    if configuration.mayBeRebound {
      warning(
        "a trusted proxy is on this machine: give --allow-host, or a page with a rebound DNS name passes for its"
          + " client"
      )
    }
    if configuration.authCookies != nil, configuration.tlsKey == nil,
      configuration.trustedProxies.isEmpty
    {
      warning(
        "the cookies of logins are not marked Secure: speak TLS, or name the proxy that does by --trusted-proxy"
      )
    }
    let effective = server.effectiveConnectionLimit
    if effective < configuration.maxConnections {
      info(
        "fewer connections than --max-connections: raise the open-file limit (ulimit -n)",
        ("max-connections", "\(configuration.maxConnections)"),
        ("effective", "\(effective)")
      )
    }
    if configuration.tlsKey == nil, !server.takesOverStreams {
      warning(
        "this version of libmicrohttpd is not tested with our stream writer: the library writes, at a higher cost",
        ("version", LibraryVersion.current),
        ("tested", LibraryVersion.tested)
      )
    }
    if streams < configuration.maxStreams {
      info(
        "fewer streams than --max-streams: some connections are kept for requests",
        ("max-streams", "\(configuration.maxStreams)"),
        ("effective", "\(streams)")
      )
    }
  }

  /// Logs that the service has started, with its addresses and effective limits.
  func reportStart(
    _ configuration: Configuration,
    _ listeners: Listeners,
    _ host: SessionHost,
    node: String?,
    streams: Int
  ) {
    let server = listeners.server
    info(
      "started",
      ("url", listeners.url),
      ("admin", listeners.admin.map { listeners.url(port: $0.port) } ?? "none"),
      ("node", node ?? "none"),
      ("data", configuration.data.description),
      ("sessions", "\(host.directory.count)"),
      ("threads", "\(server.connectionsByThread.count)"),
      ("memory-limit", MemoryLimit.own.bytes.map { "\($0)" } ?? "none"),
      ("max-memory", host.memory.limit.map { "\($0)" } ?? "none"),
      ("max-connections", "\(server.effectiveConnectionLimit)"),
      ("max-streams", "\(streams)"),
      ("max-sessions", "\(configuration.maxSessions)")
    )
  }
}
