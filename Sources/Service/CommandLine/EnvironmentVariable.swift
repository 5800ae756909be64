/// The environment variable of a flag.
struct EnvironmentVariable {
  let name: String
  let text: String

  /// Makes the variable that a flag reads; nil if it holds no setting.
  ///
  /// Kubernetes puts the address of a Service named `uifusion` into `UIFUSION_PORT`, beside
  /// `UIFUSION_SERVICE_HOST`: such a variable is not meant for a flag.
  init?(of flag: Flag<some FlagSettings>, in environment: [String: String]) throws(UsageError) {
    name = flag.environmentName
    guard flag.value != nil, let text = environment[name] else { return nil }
    self.text = text
    guard isServiceAddress else { return }
    guard environment["\(name.dropLast("PORT".count))SERVICE_HOST"] == nil else { return nil }
    throw UsageError(
      "\(name) is \(text), as Kubernetes or a link of containers sets it for a service of this name: unset it,"
        + " or give --\(flag.name)"
    )
  }

  /// Whether the text is an address such as `tcp://10.0.0.1:80`, in a variable for a port.
  private var isServiceAddress: Bool {
    name.hasSuffix("_PORT") && text.wholeMatch(of: /(tcp|udp|sctp):\/\/[0-9A-Za-z.:\[\]\-]+/) != nil
  }
}
