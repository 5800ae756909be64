import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension SessionTraceEvent {
  /// The events of a trace.
  static let shapes: [EventShape] = [
    EventShape(
      name: .session,
      members: [
        "isAwake": [
          "type": "boolean", "description": "Comes as the stream begins, and with each change.",
        ]
      ],
      optional: [
        "time": time, "version": version, "running": list(of: work), "alarms": list(of: alarm),
      ]
    ),
    noted(
      .input,
      ["input": ["description": "With dots for secrets."]],
      optional: [
        "sender": text, "roles": list(of: text),
        "from": described(
          text,
          "The beginning of the id of the session that has sent it, as a message or a reply."
        ),
      ]
    ),
    noted(
      .action,
      [:],
      optional: [
        "action": ["description": "With dots for secrets."],
        "text": described(text, "An action that is not Codable, as Swift prints it."),
        "sent": described(["const": true], "By an effect, an alarm, or for a followed State."),
        "refusal": described(text, "Why the message was refused whose action this is."),
        "followed": described(
          text,
          "The followed session whose State it is for: its name, or its id's beginning."
        ),
        "effect": described(number, "The effect that has sent it."),
        "restored": [:], "migrated": [:], "recovered": [:],
      ]
    ),
    noted(
      .error,
      [:],
      optional: [
        "error": text, "unwritable": described(text, "Why an Input or action is not shown."),
      ]
    ),
    noted(
      .effect,
      ["effect": number, "kind": kind, "step": oneOf(TurnNote.Step.allCases.map(\.rawValue))],
      optional: ["name": effectID]
    ),
    noted(
      .alarm,
      ["alarm": text, "step": oneOf(["set", "rang", "cancelled"])],
      optional: [
        "due": time, "action": described(text, "Its name."),
        "late": described(number, "The milliseconds after its time."),
      ]
    ),
    noted(
      .message,
      [
        "step": oneOf(["sent", "delivered", "refused"]),
        "session": ["type": ["string", "null"], "description": "The receiver."],
      ],
      optional: ["isReply": described(["const": true], "Answers a message of the receiver.")]
    ),
    noted(.followed, ["session": text]),
    EventShape(
      name: .dropped,
      members: [:],
      optional: [
        "count": [
          "type": ["integer", "null"], "description": "null: all since the client's last event.",
        ],
        "cut": described(["const": true], "Some of a turn that is too long to be noted."),
        "time": time, "version": version, "cause": cause,
      ]
    ),
    EventShape(
      name: .end,
      members: ["reason": oneOf(SessionEnd.allCases.map(\.rawValue))],
      optional: ["time": time]
    ),
  ]

  /// Returns the shape of an event within a turn.
  private static func noted(
    _ name: WireEvent.Name,
    _ members: JSONTree,
    optional: JSONTree = [:]
  ) -> EventShape {
    EventShape(
      name: name,
      members: (["time": time, "version": version] as JSONTree).adding(members),
      optional: optional.adding(["cause": cause])
    )
  }

  private static let text: JSONTree = ["type": "string"]
  private static let number: JSONTree = ["type": "integer"]
  private static let time: JSONTree = ["type": "string", "format": "date-time"]
  private static let version: JSONTree = OpenAPI.schema("Version")
  private static let cause = described(text, "The id of the event from which it follows.")
  private static let kind = oneOf(WatchedWork.Kind.allCases.map(\.rawValue))
  // Not `id`, which in JSON Lines is the event's own.
  private static let effectID = described(text, "The id that the view model gave it.")
  private static let work = OpenAPI.object(
    [:],
    optional: ["effect": number, "kind": kind, "name": effectID, "since": time]
  )
  private static let alarm = OpenAPI.object(
    ["alarm": text, "due": time],
    optional: ["action": described(text, "Its name.")]
  )

  private static func described(_ schema: JSONTree, _ description: String) -> JSONTree {
    schema.adding(["description": .string(description)])
  }

  private static func oneOf(_ texts: [String]) -> JSONTree {
    ["enum": .array(texts.map { .string($0) })]
  }

  private static func list(of items: JSONTree) -> JSONTree { ["type": "array", "items": items] }
}
