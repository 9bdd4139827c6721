"""Trees of labels, whose parents the SDK keeps without knowing them."""

import argilla as rg
import httpx

from conftest import API_URL

PARENTS = {"animals": None, "dogs": "animals", "poodle": "dogs", "plants": None}


def test_the_sdk_keeps_the_tree_when_it_reads_answers_and_updates_labels(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    created = api.post("/datasets", json={"name": "tree", "workspace_id": str(workspace.id)}).json()["id"]
    field = {"name": "text", "title": "text", "required": True, "settings": {"type": "text", "use_markdown": False}}
    assert api.post(f"/datasets/{created}/fields", json=field).status_code == 201
    options = [
        {"value": value, "text": value, **({"parent": parent} if parent else {})} for value, parent in PARENTS.items()
    ]
    for name, kind in (("kind", "label_selection"), ("kinds", "multi_label_selection")):
        question = {"name": name, "title": name, "required": True, "settings": {"type": kind, "options": options}}
        assert api.post(f"/datasets/{created}/questions", json=question).status_code == 201
    assert api.put(f"/datasets/{created}/publish").status_code == 200

    dataset = client.datasets("tree", workspace=workspace)
    assert dataset.settings.questions["kind"].labels == list(PARENTS)
    responses = [
        rg.Response("kind", "poodle", user_id=ann.id, status="submitted"),
        rg.Response("kinds", ["dogs", "plants"], user_id=ann.id, status="submitted"),
    ]
    dataset.records.log([rg.Record(id="1", fields={"text": "A poodle"}, responses=responses)])
    (record,) = list(dataset.records)
    assert record.responses["kind"][0].value == "poodle"

    dataset.settings.questions["kind"].title = "Which kind?"
    dataset.settings.update()
    for stored in api.get(f"/datasets/{created}/questions").json()["items"]:
        assert {option["value"]: option.get("parent") for option in stored["settings"]["options"]} == PARENTS
    copied = rg.Dataset(name="copy", workspace=workspace, settings=dataset.settings, client=client).create()
    assert copied.settings.questions["kind"].labels == list(PARENTS)
