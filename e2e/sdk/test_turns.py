"""Questions about turns, which the SDK treats as span questions."""

import argilla as rg
import httpx

from conftest import API_URL

UNIT = {"of": "turn", "roles": ["assistant"], "required": "each", "exclusive": True}
CHAT = [
    {"role": "user", "content": "Hi 😀"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Bye"},
    {"role": "assistant", "content": "Bye"},
]


def turn_spans(labels):
    """The spans of the assistant's turns. Offsets count characters, as in Python."""
    spans, start = [], 0
    for message in CHAT:
        end = start + len(message["content"])
        if message["role"] == "assistant":
            spans.append({"label": labels[len(spans)], "start": start, "end": end})
        start = end + 1
    return spans


def test_the_sdk_reads_and_writes_labels_of_turns_and_leaves_the_unit_alone(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    created = api.post("/datasets", json={"name": "chats", "workspace_id": str(workspace.id)}).json()["id"]
    field = {"name": "chat", "title": "Chat", "required": True, "settings": {"type": "chat", "use_markdown": False}}
    assert api.post(f"/datasets/{created}/fields", json=field).status_code == 201
    options = [{"value": str(value), "text": str(value), "ordinal": "true"} for value in (1, 2, 3)]
    settings = {"type": "span", "postil_kind": "turns", "field": "chat", "options": options, "unit": UNIT}
    for name, required in (("stars", True), ("clear", False)):
        question = {"name": name, "title": name, "required": required, "settings": settings}
        assert api.post(f"/datasets/{created}/questions", json=question).status_code == 201
    assert api.put(f"/datasets/{created}/publish").status_code == 200

    dataset = client.datasets("chats", workspace=workspace)
    assert dataset.settings.questions["stars"].labels == ["1", "2", "3"]
    response = rg.Response("stars", turn_spans(["1", "3"]), user_id=ann.id, status="submitted")
    suggestion = rg.Suggestion("clear", turn_spans(["2", "2"]), agent="model", score=[0.5, 0.75])
    dataset.records.log([rg.Record(id="1", fields={"chat": CHAT}, responses=[response], suggestions=[suggestion])])
    (record,) = list(dataset.records(with_suggestions=True))
    assert [dict(span) for span in record.responses["stars"][0].value] == turn_spans(["1", "3"])
    assert [dict(span) for span in record.suggestions["clear"].value] == turn_spans(["2", "2"])

    dataset.settings.questions["stars"].title = "How good is the reply?"
    dataset.settings.update()
    stored = next(one for one in api.get(f"/datasets/{created}/questions").json()["items"] if one["name"] == "stars")
    assert stored["title"] == "How good is the reply?"
    assert stored["settings"]["postil_kind"] == "turns"
    assert stored["settings"]["unit"] == UNIT
    assert [option["ordinal"] for option in stored["settings"]["options"]] == ["true"] * 3
