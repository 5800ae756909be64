extension Flag<Configuration> {
  static let nodeAddress = Flag(
    name: "node-address",
    value: "HOST:PORT",
    help: "where other nodes ask this one",
    defaultValue: "none"
  ) { (text, configuration) throws(BadValue) in
    if text == "none" { return configuration.nodeAddress = nil }
    guard Configuration.hostAndPort(text) != nil else {
      throw BadValue(expected: "an address and a port, such as 10.0.0.3:7946 or [::1]:7946")
    }
    configuration.nodeAddress = text
  }

  static let nodeSecretFile = Flag(
    "node-secret-file",
    "FILE",
    "secret by which nodes know each other",
    \.nodeSecretFile
  )
}
