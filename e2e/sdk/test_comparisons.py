"""Comparison questions, which the SDK treats as label questions."""

import argilla as rg
import httpx

from conftest import API_URL

COMPARE = {
    "options": {"a": "response_a", "b": "response_b"},
    "strong": [],
    "swap": True,
    "ties": "tie",
    "both_bad": None,
}


def test_the_sdk_reads_and_writes_comparisons_without_changing_their_settings(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    created = api.post("/datasets", json={"name": "arena", "workspace_id": str(workspace.id)}).json()["id"]
    for name in ("prompt", "response_a", "response_b"):
        field = {"name": name, "title": name, "required": True, "settings": {"type": "text", "use_markdown": False}}
        assert api.post(f"/datasets/{created}/fields", json=field).status_code == 201
    options = [{"value": value, "text": text} for value, text in (("a", "One"), ("tie", "Tie"), ("b", "Two"))]
    settings = {"type": "label_selection", "postil_kind": "comparison", "options": options, "compare": COMPARE}
    question = {"name": "better", "title": "Better", "required": True, "settings": settings}
    assert api.post(f"/datasets/{created}/questions", json=question).status_code == 201
    assert api.put(f"/datasets/{created}/publish").status_code == 200

    dataset = client.datasets("arena", workspace=workspace)
    assert dataset.settings.questions["better"].labels == ["a", "tie", "b"]
    fields = {"prompt": "Capital of France?", "response_a": "Paris", "response_b": "Lyon"}
    response = rg.Response("better", "a", user_id=ann.id, status="submitted")
    dataset.records.log([rg.Record(id="1", fields=fields, responses=[response])])
    (record,) = list(dataset.records)
    assert record.responses["better"][0].value == "a"

    dataset.settings.questions["better"].title = "Which one is better?"
    dataset.settings.update()
    (stored,) = api.get(f"/datasets/{created}/questions").json()["items"]
    assert stored["title"] == "Which one is better?"
    assert stored["settings"]["postil_kind"] == "comparison"
    assert stored["settings"]["compare"] == COMPARE
