"""Labels that were renamed after answers had been given."""

import time

import argilla as rg
import httpx

from conftest import API_URL


def rename(api: httpx.Client, dataset: rg.Dataset, label: str, value: str) -> None:
    """Renames a label of all questions, and waits until stored answers are changed."""
    questions = api.get(f"/datasets/{dataset.id}/questions").json()["items"]
    changes = [
        {"type": "rename_label", "question_id": question["id"], "label": label, "value": value, "text": value}
        for question in questions
    ]
    plan = api.post(f"/datasets/{dataset.id}/schema/plan", json={"changes": changes}).json()
    job = api.post(f"/datasets/{dataset.id}/schema/apply", json={"token": plan["token"]}).json()["job"]
    while job["status"] in ("queued", "started"):
        time.sleep(0.05)
        job = api.get(f"/jobs/{job['id']}").json()
    assert job["status"] == "finished"


def test_renamed_labels_are_read_and_old_ones_still_accepted(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    settings = rg.Settings(
        fields=[rg.TextField("text")],
        questions=[
            rg.LabelQuestion("topic", labels=["a", "b"]),
            rg.MultiLabelQuestion("tags", labels=["a", "b", "c"]),
            rg.SpanQuestion("spans", field="text", labels=["a", "b"]),
            rg.RankingQuestion("order", values=["a", "b"]),
        ],
    )
    dataset = rg.Dataset(name="labels", workspace=workspace, settings=settings, client=client).create()
    values = {
        "topic": "a",
        "tags": ["a", "c"],
        "spans": [{"label": "a", "start": 0, "end": 3}],
        "order": [{"value": "a", "rank": 1}, {"value": "b", "rank": 2}],
    }
    responses = [rg.Response(name, value, user_id=ann.id, status="submitted") for name, value in values.items()]
    suggestions = [rg.Suggestion("topic", "a", score=0.9, agent="model")]
    dataset.records.log([rg.Record(id="1", fields={"text": "one two"}, responses=responses, suggestions=suggestions)])

    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    rename(api, dataset, "a", "A1")

    dataset = client.datasets("labels", workspace=workspace)
    assert dataset.settings.questions["topic"].labels == ["A1", "b"]
    (record,) = list(dataset.records)
    assert record.suggestions["topic"].value == "A1"
    read = {name: record.responses[name][0].value for name in values}
    assert read["topic"] == "A1" and read["tags"] == ["A1", "c"]
    assert [span["label"] for span in read["spans"]] == ["A1"]
    assert read["order"] == ["A1", "b"]

    # A script that only knows the old label still works.
    dataset.records.log([{"id": "2", "text": "three", "topic": "a"}])
    late = {record.id: record for record in dataset.records}["2"]
    assert late.suggestions["topic"].value == "A1"

    # An update by the SDK keeps the map of earlier labels.
    dataset.settings.questions["topic"].title = "Subject"
    dataset.settings.update()
    dataset.records.log([{"id": "3", "text": "four", "topic": "a"}])
    assert {record.id: record for record in dataset.records}["3"].suggestions["topic"].value == "A1"
