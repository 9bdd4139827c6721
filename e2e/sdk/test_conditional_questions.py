"""Questions that are shown only under a condition, which the SDK doesn't know."""

import argilla as rg
import httpx
import pytest
from argilla._exceptions import UnprocessableEntityError

from conftest import API_URL

SHOWN_WHEN = {"any": [{"question": "tone", "in": ["negative"]}, {"metadata": "lang", "in": ["de"]}]}


@pytest.fixture()
def api(client: rg.Argilla) -> httpx.Client:
    return httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})


@pytest.fixture()
def dataset(client: rg.Argilla, workspace: rg.Workspace, api: httpx.Client) -> rg.Dataset:
    """A dataset created over HTTP, with a condition from the start."""

    def post(path: str, body: dict) -> dict:
        answer = api.post(path, json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    options = [{"value": value, "text": value} for value in ("negative", "neutral")]
    made = post("/datasets", {"name": "conditions", "workspace_id": str(workspace.id)})
    path = f"/datasets/{made['id']}"
    post(f"{path}/fields", {"name": "text", "title": "Text", "required": True, "settings": {"type": "text"}})
    post(f"{path}/metadata-properties", {"name": "lang", "title": "Language", "settings": {"type": "terms"}})
    tone = {"name": "tone", "title": "Tone", "required": True, "settings": {"type": "label_selection", "options": options}}
    reason = {"name": "reason", "title": "Reason", "required": True, "settings": {"type": "text"}, "shown_when": SHOWN_WHEN}
    post(f"{path}/questions", tone)
    assert post(f"{path}/questions", reason)["shown_when"] == SHOWN_WHEN
    assert api.put(f"{path}/publish").status_code == 200
    return client.datasets("conditions", workspace=workspace)


def condition_of(api: httpx.Client, dataset: rg.Dataset, name: str) -> dict | None:
    questions = api.get(f"/datasets/{dataset.id}/questions").json()["items"]
    (found,) = [question for question in questions if question["name"] == name]
    return found.get("shown_when")


def answers(user: rg.User, **values: str) -> list:
    return [rg.Response(name, value, user_id=user.id, status="submitted") for name, value in values.items()]


def test_answers_follow_the_condition(dataset, workspace, make_user):
    ann = make_user("annotator", workspace)
    ben = make_user("annotator", workspace)
    assert [question.name for question in dataset.settings.questions] == ["tone", "reason"]

    def record(id: str, responses: list, **metadata: str) -> rg.Record:
        return rg.Record(id=id, fields={"text": f"text {id}"}, metadata=metadata, responses=responses)

    dataset.records.log(
        [
            record("1", answers(ann, tone="neutral") + answers(ben, tone="negative", reason="rude")),
            record("2", answers(ann, tone="neutral", reason="unclear"), lang="de"),
        ]
    )
    read = {record.id: record for record in dataset.records(with_responses=True)}
    assert [response.value for response in read["1"].responses["reason"]] == ["rude"]
    assert len(read["1"].responses["tone"]) == 2
    with pytest.raises(UnprocessableEntityError, match="reason"):
        dataset.records.log([record("3", answers(ann, tone="neutral", reason="none"))])
    with pytest.raises(UnprocessableEntityError, match="reason"):
        dataset.records.log([record("3", answers(ann, tone="negative"))])
    # What was read can be logged again.
    dataset.records.log(list(dataset.records(with_responses=True)))


def test_updates_by_the_sdk_keep_the_condition(client, dataset, workspace, api):
    dataset.settings.questions["reason"].title = "Why?"
    dataset.settings.questions["tone"].description = "The tone of the message"
    dataset.settings.update()
    assert condition_of(api, dataset, "reason") == SHOWN_WHEN
    assert client.datasets("conditions", workspace=workspace).settings.questions["reason"].title == "Why?"
    assert condition_of(api, dataset, "tone") is None


def test_conditions_can_be_set_with_the_client_of_the_sdk(client, dataset, workspace, api):
    question = dataset.settings.questions["reason"]
    changed = {"all": [{"question": "tone", "answered": True}]}
    client.http_client.patch(f"/api/v1/questions/{question.id}", json={"shown_when": changed}).raise_for_status()
    assert condition_of(api, dataset, "reason") == changed


def test_exported_settings_can_be_read(dataset, workspace, client, tmp_path):
    path = dataset.to_disk(str(tmp_path), with_records=False)
    copy = rg.Dataset.from_disk(path, name="copied", workspace=workspace, client=client, with_records=False)
    assert [question.name for question in copy.settings.questions] == ["tone", "reason"]
