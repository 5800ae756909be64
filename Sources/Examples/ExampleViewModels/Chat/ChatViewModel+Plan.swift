package import UIFusionKit

extension ChatViewModel: Planned {
  package static let plan: [PlannedInput<ChatViewModel>] = [
    .input(
      .connect(name: "Ada"),
      "connect 버튼 선택",
      [
        .action(
          .connect(name: "Ada"),
          [
            "status": "\"연결 중...\"에서 \"연결됨\"으로 바뀝니다.",
            "isConnected": "연결되면 true로 설정됩니다.",
            "activeAlert": "\"서버에 연결되었습니다\" 알림이 표시됩니다.",
          ]
        )
      ]
    ),
    .input(
      .connect(name: "Ada"),
      "이미 연결되어 있을 때 connect 버튼 선택",
      after: [.connect(name: "Ada")],
      [.action(.connect(name: "Ada"), ["activeAlert": "\"이미 연결 중이거나 연결되어 있습니다\" 오류가 표시됩니다."])]
    ),
    .input(
      .disconnect,
      "disconnect 버튼 선택",
      after: [.connect(name: "Ada")],
      [
        .action(
          .disconnect,
          [
            "isConnected": "false로 설정됩니다.",
            "status": "\"연결 끊김\"으로 바뀝니다.",
          ]
        )
      ]
    ),
    .input(
      .disconnect,
      "연결되어 있지 않을 때 disconnect 버튼 선택: 아무것도 바뀌지 않습니다.",
      [.action(.disconnect)]
    ),
    .input(
      .send("hi"),
      "메시지 전송",
      after: [.connect(name: "Ada")],
      [.action(.send("hi"), ["messages": "방의 모두에게, 보낸 사람에게도, 같은 순서로 추가됩니다. 최근 100개만 남습니다."])]
    ),
    .input(
      .send("hi"),
      "연결되어 있지 않을 때 메시지 전송",
      [.action(.send("hi"), ["activeAlert": "\"웹소켓에 연결되어 있지 않습니다\" 오류가 표시됩니다."])]
    ),
    .input(
      .typing(true),
      "메시지 입력 중: 5초 동안 입력 중으로 표시됩니다.",
      after: [.connect(name: "Ada")],
      [.action(.typing(true))]
    ),
    .input(
      .presence(PresenceChange(.left, [])),
      "화면을 보는 사람이 바뀜: 서비스가 알려 줍니다.",
      [.action(.presence(PresenceChange(.left, [])))]
    ),
    .input(
      .dismissAlert,
      "알림 닫기 버튼 선택",
      after: [.connect(name: "Ada")],
      [.action(.dismissAlert, ["activeAlert": "null로 설정되어 알림이 사라집니다."])]
    ),
  ]
}
