"""Checks the OpenAPI document and the examples of a running service: openapi.py http://127.0.0.1:8080"""
import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

base = sys.argv[1]


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(base + path, data, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


def fits(schema, value):
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(value)


document = ask("/openapi.json")
validate(document)
lines = "application/x-ndjson"
answer = document["paths"]["/sessions/{id}/trace"]["get"]["responses"]["200"]
traced = answer["content"][lines]["schema"]
examples, refusals, kinds = 0, 0, set()
for entry in ask("/view-models")["viewModels"]:
    spec = ask(entry["href"])
    Draft202012Validator.check_schema(spec["parameters"])
    fits(spec["state"]["schema"], spec["state"]["first"])
    for form in spec["inputs"]:
        assert form["examples"], f"{entry['name']}: no example of {form['name']}"
        for example in form["examples"]:
            fits(form["schema"], example)
            # Within the whole document, where the schema is one of many.
            fits({**document, "$ref": f"#/components/schemas/{entry['name']}.Input"}, example)
            # Only the service may send this Input.
            if "PresenceChange" in form["schema"].get("$defs", {}):
                continue
            path = f"/sessions/{ask('/sessions', {'viewModel': entry['name']})['id']}"
            try:
                with urlopen(Request(base + path + "/trace", headers={"Accept": lines})) as trace:
                    answer = ask(path + "/inputs", example)
                    urlopen(Request(base + path, method="DELETE")).close()
                    events = [json.loads(line) for line in trace if line.strip()]
            except HTTPError as refusal:
                # The view model's rule forbids clients this Input, or its traces.
                assert refusal.code == 403, f"{entry['name']}: {example}: {refusal}"
                assert json.load(refusal)["type"] == "/problems/not-permitted"
                refusals += 1
                continue
            fits(spec["state"]["schema"], answer["state"])
            fits({**document, "$ref": "#/components/schemas/InputResult"}, answer)
            for event in events:
                fits({**document, **traced}, event)
            assert [events[0]["event"], events[-1]["event"]] == ["session", "end"], events
            kinds |= {event["event"] for event in events}
            examples += 1
print(f"the OpenAPI document is valid, and {examples} examples fit and are taken; {refusals} are forbidden")
print("so do the events of traces:", *sorted(kinds))
