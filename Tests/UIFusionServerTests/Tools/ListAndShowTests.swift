import FusionRawHTTP
import Testing

extension `The tools` {
  @Test func `list and show sessions, beside the service`() throws {
    defer { remove() }
    let service = try serve()
    #expect(try tool("sessions list").output == "no sessions in \(data)\n")
    #expect(try tool("sessions list", "--format", "json").output == "")
    let id = try counter(service)
    let list = try tool("sessions list")
    #expect(list.status == 0)
    #expect(
      list.output.firstMatch(of: /^ID +VIEW MODEL +VERSION +CREATED +USED +STATE +ENTRIES\n/) != nil
    )
    #expect(fixed(list.output, id).hasSuffix("\nID  counter-sync  4        TIME  TIME  64 B   3\n"))
    let lines = try tool("sessions list", "--format", "json").output
    #expect(
      fixed(lines, id).hasPrefix(
        #"{"id":"ID","viewModel":"counter-sync","version":4,"created":"TIME","used":"TIME","#
      )
    )
    let show = try tool("sessions show", "--session", id)
    #expect(
      fixed(show.output, id) == """
        id          ID
        viewModel   counter-sync
        version     4
        format      1
        created     TIME
        used        TIME
        parameters  –
        running     –
        alarms      –
        keys        1
        entries     3
        state       {"value":0,"isReset":true,"showAlert":{"value":null,"pulse":0}}

        """
    )
    let json = try tool("sessions show", "--session", id, "--format", "json")
    let members = #""parameters":null,"running":[],"alarms":[],"keys":1,"entries":3,"state":{"#
    #expect(json.output.contains(members))
  }
}
