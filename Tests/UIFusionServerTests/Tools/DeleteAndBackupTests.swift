import FusionRawHTTP
import Testing

extension `The tools` {
  @Test func `delete a session once the service has stopped, and it then answers 410`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let busy = try tool("sessions delete", "--session", id)
    #expect(busy.status == 1 && busy.errors.contains("another process serves"))
    _ = try service.stop()
    let delete = try tool("sessions delete", "--session", id)
    #expect(delete.status == 0)
    #expect(delete.output == "deleted \(id)\n")
    let again = try tool("sessions delete", "--session", id)
    #expect(again.status == 1)
    #expect(again.errors == "uifusion: there is no session \(id) in \(data)\n")
    let next = try serve()
    let client = try next.connect()
    client.request("GET /sessions/\(id)")
    #expect(try client.response()?.status == 410)
    #expect(try next.stop().status == 0)
  }

  @Test func `back up sessions into a folder that can be served, while the service runs`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let copy = folder + "/copy"
    let backup = try tool("sessions backup", "--output", copy)
    #expect(backup.status == 0)
    #expect(backup.output == "backed up to \(copy)\n")
    _ = try service.connect().post(#""increase""#, to: "/sessions/\(id)")
    let occupied = try tool("sessions backup", "--output", copy)
    #expect(occupied.status == 1)
    #expect(occupied.errors == "uifusion: there are sessions in \(copy) already\n")
    let itself = try tool("sessions backup", "--output", data)
    #expect(itself.status == 1)
    let restored = try ServiceProcess("--data", copy)
    let client = try restored.connect()
    client.request("GET /sessions/\(id)")
    #expect(try client.response()?.text.contains(#""version":4,"#) == true)
    #expect(try restored.stop().status == 0)
    #expect(try service.stop().status == 0)
  }
}
