"""Text questions whose answers are notes."""

import argilla as rg
import httpx

from conftest import API_URL


def test_an_update_by_the_sdk_keeps_the_setting_for_notes(client, workspace):
    settings = rg.Settings(
        fields=[rg.TextField("text")],
        questions=[rg.LabelQuestion("topic", labels=["a", "b"]), rg.TextQuestion("note", required=False)],
    )
    dataset = rg.Dataset(name="notes", workspace=workspace, settings=settings, client=client).create()
    dataset.records.log([{"id": "1", "text": "one two"}])
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})

    def note() -> dict:
        questions = api.get(f"/datasets/{dataset.id}/questions").json()["items"]
        return next(question for question in questions if question["name"] == "note")

    changed = api.patch(f"/questions/{note()['id']}", json={"settings": {"type": "text", "codes": True}})
    assert changed.status_code == 200

    read = client.datasets("notes", workspace=workspace)
    assert read.settings.questions["note"].use_markdown is False
    read.settings.questions["note"].title = "What is wrong?"
    read.settings.questions["note"].use_markdown = True
    read.settings.update()
    assert note()["title"] == "What is wrong?"
    assert note()["settings"] == {"type": "text", "use_markdown": True, "codes": True}

    (record,) = list(read.records)
    (user,) = [client.me]
    record.responses.add(rg.Response("topic", "a", user_id=user.id, status="submitted"))
    record.responses.add(rg.Response("note", "arrived late", user_id=user.id, status="submitted"))
    read.records.log([record])
    groups = api.get(f"/datasets/{dataset.id}/notes", params={"question": "note"}).json()
    assert [(group["text"], group["records"]) for group in groups["items"]] == [("arrived late", 1)]
