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


def test_guidelines_changed_by_the_sdk_make_a_version(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    settings = rg.Settings(
        guidelines="Read the text.",
        fields=[rg.TextField("text")],
        questions=[rg.LabelQuestion("topic", labels=["a", "b"])],
    )
    dataset = rg.Dataset(name="rules", workspace=workspace, settings=settings, client=client).create()
    dataset.settings.guidelines = "Read the whole text."
    dataset.settings.update()
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    (version,) = api.get(f"/datasets/{dataset.id}/schema-versions").json()["items"]
    assert version["changes"] == [{"type": "edit_guidelines"}]

    responses = [rg.Response("topic", "a", user_id=ann.id, status="submitted")]
    suggestions = [rg.Suggestion("topic", "b")]
    dataset.records.log([rg.Record(id="1", fields={"text": "one"}, responses=responses, suggestions=suggestions)])
    wire = api.get(f"/datasets/{dataset.id}/records?include=responses&include=suggestions").json()["items"][0]
    assert [part["schema_version"] for part in wire["responses"] + wire["suggestions"]] == [1, 1]
    (record,) = list(dataset.records(with_responses=True, with_suggestions=True))
    assert record.responses["topic"][0].value == "a"
    assert record.suggestions["topic"].value == "b"
    # Records that were read can be sent back.
    dataset.records.log([record])
