"""Webhooks: the SDK's resource, and its listener receiving every event (POSTIL_WEBHOOKS_ALLOW_PRIVATE=true).
"""

import os
import threading
import time
from typing import Iterator

import argilla as rg
import httpx
import pytest
import uvicorn
from argilla._exceptions import ForbiddenError, UnprocessableEntityError
from fastapi import FastAPI

from conftest import API_URL, unique

DATASET = ["dataset.created", "dataset.published", "dataset.updated", "dataset.deleted"]
RECORD = ["record.created", "record.updated", "record.completed", "record.deleted"]
RESPONSE = ["response.created", "response.updated", "response.deleted"]
PATIENCE = 30


@pytest.fixture(autouse=True)
def _no_webhooks_are_left(client: rg.Argilla) -> Iterator[None]:
    yield
    for webhook in client.webhooks:
        webhook.delete()


@pytest.fixture()
def listening(monkeypatch) -> Iterator[FastAPI]:
    """Starts an application on a free port that the SDK's listener can use."""
    app = FastAPI()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    monkeypatch.setenv("WEBHOOK_SERVER_URL", f"http://127.0.0.1:{port}")
    yield app
    server.should_exit = True
    thread.join()


def wait_until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def small_settings() -> rg.Settings:
    return rg.Settings(fields=[rg.TextField(name="text")], questions=[rg.LabelQuestion(name="topic", labels=["a", "b"])])


def test_a_webhook_is_made_changed_and_deleted(client):
    events = ["response.created", "dataset.created"]
    made = rg.Webhook(url="https://example.org/hook", events=events, description="for a test").create()
    assert (made.url, made.events, made.enabled, made.description) == ("https://example.org/hook", events, True, "for a test")
    assert len(made.secret) == 88
    made.events, made.enabled, made.description = ["record.deleted"], False, None
    made.update()
    [read] = list(client.webhooks)
    assert (read.id, read.events, read.enabled, read.description) == (made.id, ["record.deleted"], False, None)
    assert read.secret == made.secret
    assert len(client.webhooks) == 1
    read.delete()
    assert list(client.webhooks) == []


def test_there_can_be_ten_and_only_of_owners(client, make_user, as_user):
    for i in range(10):
        rg.Webhook(url=f"https://example.org/{i}", events=["record.created"]).create()
    with pytest.raises(UnprocessableEntityError):
        rg.Webhook(url="https://example.org/one-more", events=["record.created"]).create()
    assert [one.url[-1] for one in client.webhooks] == list("0123456789")
    with pytest.raises(ForbiddenError):
        list(as_user(make_user("admin")).webhooks)


def test_a_listener_hears_of_everything(client, workspace, listening):
    heard = []

    @rg.webhook_listener(events=DATASET, server=listening)
    async def of_datasets(type, timestamp, dataset):
        heard.append((type.value, timestamp, dataset.name))

    @rg.webhook_listener(events=RECORD, server=listening)
    async def of_records(type, timestamp, record):
        heard.append((type.value, timestamp, record.id))

    @rg.webhook_listener(events=RESPONSE, server=listening)
    async def of_answers(type, timestamp, response):
        heard.append((type.value, timestamp, response.responses[0].value))

    def of(*kinds):
        return [(event, about) for event, _, about in heard if event.split(".")[0] in kinds]

    name = unique("told")
    dataset = rg.Dataset(name=name, workspace=workspace, settings=small_settings(), client=client).create()
    dataset.records.log([{"id": "one", "text": "hello"}])
    [record] = list(dataset.records(with_responses=True))
    api = httpx.Client(base_url=f"{API_URL}/api/v1", headers={"X-Argilla-Api-Key": os.environ["ARGILLA_API_KEY"]})
    values = {"topic": {"value": "a"}}
    made = api.post(f"/records/{record._server_id}/responses", json={"status": "submitted", "values": values}).json()
    api.put(f"/responses/{made['id']}", json={"status": "submitted", "values": {"topic": {"value": "b"}}})
    api.delete(f"/responses/{made['id']}")
    dataset.settings.guidelines = "Changed."
    dataset.settings.update()
    dataset.records.delete([record])
    dataset.delete()

    wait_until(lambda: len(heard) >= 15)
    assert {event for event, _, _ in heard} == {*DATASET, *RECORD, *RESPONSE}
    # The SDK updates a new dataset before it publishes it.
    steps = ["created", "updated", "published", "updated", "deleted"]
    assert of("dataset") == [(f"dataset.{step}", name) for step in steps]
    assert of("record") == [
        ("record.created", "one"),
        *[("record.updated", "one"), ("record.completed", "one")] * 2,
        ("record.updated", "one"),
        ("record.deleted", "one"),
    ]
    assert of("response") == [("response.created", "a"), ("response.updated", "b"), ("response.deleted", "b")]
    logs = [f"/webhooks/{webhook.id}/deliveries" for webhook in client.webhooks]

    def logged():
        return [(one["status"], one["attempts"]) for url in logs for one in api.get(url).json()["items"]]

    wait_until(lambda: logged() == [("delivered", 1)] * 15)


def test_a_listener_that_is_started_again_finds_its_webhook_and_enables_it(client, workspace, listening):
    heard = []

    def start():
        @rg.webhook_listener(events="dataset.created", server=FastAPI(), raw_event=True)
        async def again(event):
            raise AssertionError("it is another application's route")

    start()
    [webhook] = list(client.webhooks)
    webhook.enabled = False
    webhook.update()

    with pytest.warns(UserWarning, match="existing webhook"):

        @rg.webhook_listener(events="dataset.created", server=listening, raw_event=True)
        async def again(event):
            heard.append(event)

    [found] = list(client.webhooks)
    assert (found.id, found.enabled, found.secret) == (webhook.id, True, webhook.secret)
    name = unique("again")
    rg.Dataset(name=name, workspace=workspace, settings=small_settings(), client=client).create()
    wait_until(lambda: heard)
    assert [(event.type.value, event.data["name"]) for event in heard] == [("dataset.created", name)]
