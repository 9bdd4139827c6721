"""Trace fields, which the SDK treats as custom fields, and questions about their steps."""

import argilla as rg
import httpx

from conftest import API_URL

UNIT = {"of": "turn", "roles": ["tool"], "required": "each", "exclusive": True}
STEPS = [
    {"id": "a", "kind": "agent", "name": "agent", "input": "Weather in Zürich?", "output": "Clear"},
    {"id": "b", "parent": "a", "kind": "tool", "name": "forecast", "input": {"city": "Zürich"}, "output": {"sky": "clear"}},
    {"id": "c", "parent": "a", "kind": "tool", "name": "forecast", "error": "Timeout"},
]
TRACE_ID = "5b8efff798038103d269b633813fc60c"


def otlp(span_id):
    """An export request of OpenTelemetry with one span."""
    span = {"traceId": TRACE_ID, "spanId": span_id, "name": "chat", "startTimeUnixNano": "1767261600000000000"}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def test_the_sdk_reads_and_writes_traces_and_labels_of_steps_and_leaves_the_view_alone(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    created = api.post("/datasets", json={"name": "traces", "workspace_id": str(workspace.id)}).json()["id"]
    field = {"name": "trace", "title": "Trace", "required": True, "settings": {"type": "custom", "view": "trace"}}
    assert api.post(f"/datasets/{created}/fields", json=field).status_code == 201
    options = [{"value": value, "text": value} for value in ("good", "bad")]
    settings = {"type": "span", "postil_kind": "turns", "field": "trace", "options": options, "unit": UNIT}
    question = {"name": "calls", "title": "Calls", "required": True, "settings": settings}
    assert api.post(f"/datasets/{created}/questions", json=question).status_code == 201
    assert api.put(f"/datasets/{created}/publish").status_code == 200

    dataset = client.datasets("traces", workspace=workspace)
    assert dataset.settings.fields["trace"].advanced_mode is False
    # A step's span is its position in the trace.
    spans = [{"label": "good", "start": 1, "end": 2}, {"label": "bad", "start": 2, "end": 3}]
    response = rg.Response("calls", spans, user_id=ann.id, status="submitted")
    dataset.records.log([rg.Record(id="1", fields={"trace": {"steps": STEPS}}, responses=[response])])
    (record,) = list(dataset.records)
    assert record.fields["trace"] == {"steps": STEPS}
    assert [dict(span) for span in record.responses["calls"][0].value] == spans

    for span_id in ("eee19b7ec3c1b174", "eee19b7ec3c1b175"):
        assert api.post(f"/datasets/{created}/traces", json=otlp(span_id)).status_code == 200
    sent = next(one for one in dataset.records if one.id == TRACE_ID)
    assert [step["id"] for step in sent.fields["trace"]["steps"]] == ["eee19b7ec3c1b174", "eee19b7ec3c1b175"]

    dataset.settings.fields["trace"].title = "What the agent did"
    dataset.settings.update()
    (stored,) = api.get(f"/datasets/{created}/fields").json()["items"]
    assert stored["title"] == "What the agent did"
    assert stored["settings"]["view"] == "trace"
    assert stored["settings"]["postil_kind"] == "trace"
