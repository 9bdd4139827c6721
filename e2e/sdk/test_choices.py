"""Choices between options of the record, which the SDK treats as text questions."""

import argilla as rg
import httpx
import pytest
from argilla._exceptions import UnprocessableEntityError

from conftest import API_URL


def test_the_sdk_reads_and_writes_choices_and_leaves_the_field_alone(client, workspace, make_user):
    ann = make_user("annotator", workspace)
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    created = api.post("/datasets", json={"name": "choices", "workspace_id": str(workspace.id)}).json()["id"]
    for name in ("text", "candidates"):
        field = {"name": name, "title": name, "required": True, "settings": {"type": "text", "use_markdown": False}}
        assert api.post(f"/datasets/{created}/fields", json=field).status_code == 201
    settings = {"type": "text", "postil_kind": "choice", "choose_from": "candidates"}
    question = {"name": "entity", "title": "Entity", "required": True, "settings": settings}
    assert api.post(f"/datasets/{created}/questions", json=question).status_code == 201
    assert api.put(f"/datasets/{created}/publish").status_code == 200

    dataset = client.datasets("choices", workspace=workspace)
    assert isinstance(dataset.settings.questions["entity"], rg.TextQuestion)

    def record(answer, suggested):
        return rg.Record(
            id="1",
            fields={"text": "Paris won", "candidates": "Paris, France\nParis Saint-Germain\nParis Hilton"},
            responses=[rg.Response("entity", answer, user_id=ann.id, status="submitted")],
            suggestions=[rg.Suggestion("entity", suggested, agent="model", score=0.5)],
        )

    dataset.records.log([record("Paris Saint-Germain", "Paris, France")])
    (stored,) = list(dataset.records(with_suggestions=True))
    assert stored.responses["entity"][0].value == "Paris Saint-Germain"
    assert stored.suggestions["entity"].value == "Paris, France"
    for wrong in (record("Paris", "Paris, France"), record("Paris Hilton", "Paris")):
        with pytest.raises(UnprocessableEntityError, match="is not one of the options in field `candidates`"):
            dataset.records.log([wrong])

    dataset.settings.questions["entity"].title = "Who won?"
    dataset.settings.update()
    (question,) = api.get(f"/datasets/{created}/questions").json()["items"]
    assert question["title"] == "Who won?"
    assert question["settings"] == {**settings, "use_markdown": False}
