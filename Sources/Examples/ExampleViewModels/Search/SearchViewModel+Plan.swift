package import UIFusionKit

extension SearchViewModel: Planned {
  package static let plan: [PlannedInput<SearchViewModel>] = [
    .input(
      .queryChanged("abc"),
      "검색어 입력",
      [
        .action(.changeQuery("abc"), ["query": "입력한 검색어로 바로 바뀝니다."]),
        .action(.search, ["isSearching": "입력이 0.3초 멈추면 true로 설정됩니다."]),
        .action(
          .found([]),
          [
            "isSearching": "0.2초 뒤에 false로 설정됩니다.",
            "results": "\"abc 결과 1\"부터 \"abc 결과 5\"까지로 바뀝니다.",
          ]
        ),
      ]
    ),
    .input(
      .queryChanged("abc"),
      "0.3초 안에 이어서 입력",
      after: [.queryChanged("a"), .queryChanged("ab")],
      delay: .milliseconds(200),
      [
        .action(.changeQuery("abc"), ["query": "입력한 검색어로 바로 바뀝니다."]),
        .action(.search, ["isSearching": "마지막 입력에서 0.3초 뒤에 한 번만 true로 설정됩니다."]),
        .action(
          .found([]),
          [
            "isSearching": "false로 설정됩니다.",
            "results": "마지막 검색어의 결과로 바뀝니다.",
          ]
        ),
      ]
    ),
    .input(
      .queryChanged("abc"),
      "검색 중에 이어서 입력",
      after: [.queryChanged("ab")],
      delay: .milliseconds(400),
      [
        .action(
          .changeQuery("abc"),
          [
            "query": "입력한 검색어로 바로 바뀝니다.",
            "isSearching": "false로 설정되고, 앞선 검색은 취소됩니다.",
          ]
        ),
        .action(.search, ["isSearching": "입력이 0.3초 멈추면 true로 설정됩니다."]),
        .action(
          .found([]),
          [
            "isSearching": "false로 설정됩니다.",
            "results": "새 검색어의 결과로 바뀝니다.",
          ]
        ),
      ]
    ),
    .input(
      .queryChanged(""),
      "검색어를 모두 지움",
      after: [.queryChanged("abc")],
      [
        .action(
          .clear,
          [
            "query": "\"\"로 초기화됩니다.",
            "results": "빈 목록으로 초기화됩니다.",
          ]
        )
      ]
    ),
    .input(
      .clear,
      "결과가 표시된 뒤 clear 버튼 선택",
      after: [.queryChanged("abc")],
      [
        .action(
          .clear,
          [
            "query": "\"\"로 초기화됩니다.",
            "results": "빈 목록으로 초기화됩니다.",
          ]
        )
      ]
    ),
    .input(
      .clear,
      "검색 중에 clear 버튼 선택",
      after: [.queryChanged("abc")],
      delay: .milliseconds(400),
      [
        .action(
          .clear,
          [
            "query": "\"\"로 초기화됩니다.",
            "isSearching": "false로 설정되고, 늦은 결과는 오지 않습니다.",
          ]
        )
      ]
    ),
  ]
}
