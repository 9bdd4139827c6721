"""Final answers that are published as the answers of a user."""

import argilla as rg
import httpx

from conftest import API_URL


def test_final_answers_are_read_as_answers_of_a_user(client, workspace, make_user):
    ann, publisher = make_user("annotator", workspace), make_user()
    settings = rg.Settings(
        fields=[rg.TextField("text")],
        questions=[rg.LabelQuestion("topic", labels=["a", "b"])],
        distribution=rg.TaskDistribution(min_submitted=2),
    )
    dataset = rg.Dataset(name="final", workspace=workspace, settings=settings, client=client).create()
    answer = rg.Response("topic", "a", user_id=ann.id, status="submitted")
    dataset.records.log([rg.Record(id="1", fields={"text": "one"}, responses=[answer])])

    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": client.api_key})
    api.patch(f"/users/{publisher.id}", json={"active": False}).raise_for_status()
    review = {"mode": "all", "publish_gold_as": publisher.username}
    api.put(f"/datasets/{dataset.id}/review-settings", json=review).raise_for_status()
    (record,) = list(dataset.records)
    gold = {
        "mutation_id": "00000000-0000-4000-8000-000000000001",
        "base_version": None,
        "values": {"topic": {"value": "b", "source": "adjudicated"}},
    }
    api.put(f"/records/{record._server_id}/gold", json=gold).raise_for_status()

    (record,) = list(dataset.records)
    answers = {response.user_id: response.value for response in record.responses["topic"]}
    assert answers == {ann.id: "a", publisher.id: "b"}
    # Logging a record that was read changes no answers.
    dataset.records.log([record])
    (record,) = list(dataset.records)
    assert len(record.responses["topic"]) == 2 and record.status == "pending"
    progress = dataset.progress(with_users_distribution=True)
    assert progress["pending"] == 1 and publisher.username not in progress["users"]
