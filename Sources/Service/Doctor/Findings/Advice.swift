/// The program in front of the service.
enum ProxyKind: Sendable, CaseIterable {
  case nginx, apache
  /// A proxy that does not tell its name, such as haproxy, or no proxy.
  case unknown

  /// Reads the header `Server` of an answer (RFC 9110 §10.2.4).
  init(server: String?) {
    let name = server?.lowercased() ?? ""
    self =
      name.hasPrefix("nginx") || name.hasPrefix("openresty")
      ? .nginx : name.hasPrefix("apache") ? .apache : .unknown
  }
}

/// A change to make; a change to a proxy is in the syntax of each proxy.
struct Advice: Sendable, Equatable, ExpressibleByStringInterpolation {
  private let lines: [ProxyKind: String]

  /// Creates advice that is the same for all proxies.
  init(stringLiteral text: String) {
    lines = Dictionary(uniqueKeysWithValues: ProxyKind.allCases.map { ($0, text) })
  }

  /// Creates advice about a proxy; for an unknown proxy it has a line for each.
  init(nginx: String, haproxy: String, apache: String) {
    lines = [
      .nginx: "nginx: \(nginx)",
      .apache: "Apache: \(apache)",
      .unknown: "nginx: \(nginx)\nhaproxy: \(haproxy)\nApache: \(apache)",
    ]
  }

  /// Returns the lines for a proxy.
  func lines(for proxy: ProxyKind) -> [String] {
    (lines[proxy] ?? "").split(separator: "\n").map(String.init)
  }
}

extension Advice {
  static let protocolVersion = Advice(
    nginx: #"proxy_http_version 1.1; proxy_set_header Connection "";"#,
    haproxy: "speaks HTTP/1.1 by itself",
    apache: "no SetEnv force-proxy-request-1.0"
  )
  static let scheme = Advice(
    nginx: "proxy_set_header X-Forwarded-Proto $scheme;",
    haproxy: "http-request set-header X-Forwarded-Proto https if { ssl_fc }",
    apache: #"RequestHeader set X-Forwarded-Proto expr=%{REQUEST_SCHEME}"#
  )
  static let client = Advice(
    nginx: "proxy_set_header X-Forwarded-For $remote_addr;",
    haproxy: "http-request set-header X-Forwarded-For %[src]",
    apache: "writes X-Forwarded-For by itself: no ProxyAddHeaders Off"
  )
  static let host = Advice(
    nginx: "proxy_set_header Host $http_host;",
    haproxy: "no http-request set-header Host",
    apache: "ProxyPreserveHost On"
  )
  static let prefix = Advice(
    nginx: "location /app/ { proxy_pass http://127.0.0.1:8080; }",
    haproxy: "use_backend uifusion if { path_beg /app/ }",
    apache: #"ProxyPass "/app/" "http://127.0.0.1:8080/app/""#
  )
  /// The advice for a proxy that sends another path than the service's base path.
  static let path = Advice(
    nginx: "location /app/ and proxy_pass: both end in a slash, or proxy_pass has no path",
    haproxy: "no http-request set-path or replace-path that takes off more than /app",
    apache: "ProxyPass: both its path and its URL end in a slash"
  )
  static let buffering = Advice(
    nginx: "proxy_buffering off; and no proxy_ignore_headers X-Accel-Buffering;",
    haproxy: "no http-response wait-for-body",
    apache: "no SetOutputFilter of one that collects, such as ExtFilterDefine makes"
  )
  static let delay = Advice(
    nginx: "tcp_nodelay on;",
    haproxy: "option http-no-delay",
    apache: "flushpackets=on behind ProxyPass"
  )
  static let gzip = Advice(
    nginx: "gzip off; in this location: the service compresses",
    haproxy: "no compression for this backend: the service compresses",
    apache: "SetEnv no-gzip 1 in this Location: the service compresses"
  )
  static let cache = Advice(
    nginx: "proxy_cache off;",
    haproxy: "no http-request cache-use",
    apache: "CacheDisable on the location"
  )
  static let strictTransport = Advice(
    nginx: #"add_header Strict-Transport-Security "max-age=31536000" always;"#,
    haproxy: #"http-response set-header Strict-Transport-Security "max-age=31536000""#,
    apache: #"Header always set Strict-Transport-Security "max-age=31536000""#
  )
  static let redirect = Advice(
    nginx: "return 301 https://$host$request_uri; in the server of port 80",
    haproxy: "http-request redirect scheme https code 301 unless { ssl_fc }",
    apache: #"Redirect permanent "/" "https://HOST/" in the host of port 80"#
  )
  static let tlsVersion = Advice(
    nginx: "ssl_protocols TLSv1.2 TLSv1.3;",
    haproxy: "ssl-min-ver TLSv1.2 behind bind",
    apache: "SSLProtocol -all +TLSv1.2 +TLSv1.3"
  )
  static let keepAlive = Advice(
    nginx: "keepalive_timeout above 0",
    haproxy: "no option httpclose",
    apache: "KeepAlive On"
  )

  static let requestID = Advice(
    nginx: "no add_header X-Request-Id: the service answers with the request's",
    haproxy: "no http-response add-header X-Request-Id: the service answers with the request's",
    apache: "no Header add X-Request-Id: the service answers with the request's"
  )

  /// Returns the advice for headers of requests that do not reach the service.
  static func requestHeaders(_ names: [String]) -> Advice {
    Advice(
      nginx: list(names) { "no proxy_set_header \($0) \"\"" },
      haproxy: list(names) { "no http-request del-header \($0)" },
      apache: list(names) { "no RequestHeader unset \($0)" }
    )
  }

  /// Returns the advice for headers of answers that the proxy removes or replaces.
  static func answerHeaders(_ names: [String]) -> Advice {
    Advice(
      nginx: list(names) { "no proxy_hide_header \($0)" },
      haproxy: list(names) { "no http-response del-header or set-header \($0)" },
      apache: list(names) { "no Header unset or Header set \($0)" }
    )
  }

  private static func list(_ names: [String], _ directive: (String) -> String) -> String {
    names.map(directive).joined(separator: ", ")
  }

  /// Returns the advice for an idle timeout shorter than a heartbeat in seconds.
  static func idleTimeout(heartbeat: Double) -> Advice {
    let seconds = Int((heartbeat * 4).rounded(.up))
    return Advice(
      nginx: "proxy_read_timeout \(seconds)s;",
      haproxy: "timeout server \(seconds)s, timeout client \(seconds)s",
      apache: "ProxyTimeout \(seconds), timeout=\(seconds) behind ProxyPass"
    )
  }
}
