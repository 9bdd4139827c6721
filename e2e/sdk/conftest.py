"""Fixtures for tests of the published Python SDK against a running server (ARGILLA_API_URL, ARGILLA_API_KEY)."""

import os
import uuid
from typing import Callable, Iterator

import argilla as rg
import httpx
import pytest

API_URL = os.environ["ARGILLA_API_URL"]
PASSWORD = "a password of many words"


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="session")
def client() -> rg.Argilla:
    """The owner's client."""
    return rg.Argilla()


@pytest.fixture(autouse=True)
def _owner_is_default(client: rg.Argilla) -> None:
    # Creating another client makes it the SDK's default.
    rg.Argilla._set_default(client)


@pytest.fixture()
def workspace(client: rg.Argilla) -> Iterator[rg.Workspace]:
    made = rg.Workspace(name=unique("team"), client=client).create()
    yield made
    for dataset in made.list_datasets():
        dataset.delete()
    made.delete()


@pytest.fixture()
def make_user(client: rg.Argilla) -> Iterator[Callable[..., rg.User]]:
    made = []

    def make(role: str = "annotator", *workspaces: rg.Workspace, username: str = None) -> rg.User:
        user = rg.User(username=username or unique(role), password=PASSWORD, role=role, client=client).create()
        for one in workspaces:
            user.add_to_workspace(one)
        made.append(user.id)
        return user

    yield make
    existing = {user.id: user for user in client.users}
    for id in made:
        if id in existing:
            existing[id].delete()


def token_of(username: str, password: str = PASSWORD) -> str:
    """Signs in with a password. Raises if it is wrong."""
    answer = httpx.post(f"{API_URL}/api/v1/token", data={"username": username, "password": password})
    answer.raise_for_status()
    return answer.json()["access_token"]


def key_of(user: rg.User) -> str:
    """The API key of a user, read as that user."""
    headers = {"Authorization": f"Bearer {token_of(user.username)}"}
    return httpx.get(f"{API_URL}/api/v1/me", headers=headers).json()["api_key"]


@pytest.fixture()
def as_user(client: rg.Argilla) -> Callable[[rg.User], rg.Argilla]:
    """Creates clients of other users. The owner's client stays the default."""

    def make(user: rg.User) -> rg.Argilla:
        other = rg.Argilla(api_key=key_of(user))
        rg.Argilla._set_default(client)
        return other

    return make


def all_settings(**changes) -> rg.Settings:
    """Settings with every type of field, question and metadata property."""
    settings = dict(
        guidelines="Answer **all** of it.",
        fields=[
            rg.TextField(name="text", title="Text", use_markdown=True),
            rg.ImageField(name="picture", required=False),
            rg.ChatField(name="talk", required=False),
            rg.CustomField(name="card", template="<p>{{record.fields.card.title}}</p>", required=False),
        ],
        questions=[
            rg.LabelQuestion(name="topic", labels={"a": "Label A", "b": "Label B", "c": "Label C", "d": "D"}, visible_labels=3),
            rg.MultiLabelQuestion(name="tags", labels=["x", "y", "z"], labels_order="suggestion", required=False),
            rg.RatingQuestion(name="stars", values=[0, 1, 2, 3, 4, 5], description="More is better", required=False),
            rg.TextQuestion(name="remark", use_markdown=True, required=False),
            rg.SpanQuestion(name="names", field="text", labels=["person", "place"], required=False),
            rg.RankingQuestion(name="order", values=["first", "second", "third"], required=False),
        ],
        metadata=[
            rg.TermsMetadataProperty(name="lang", options=["en", "de", "es"], title="Language"),
            rg.IntegerMetadataProperty(name="length", min=0, max=1000),
            rg.FloatMetadataProperty(name="quality", visible_for_annotators=False),
        ],
        vectors=[rg.VectorField(name="v", dimensions=3)],
        allow_extra_metadata=True,
        distribution=rg.TaskDistribution(min_submitted=2),
    )
    settings.update(changes)
    return rg.Settings(**settings)


@pytest.fixture()
def dataset(client: rg.Argilla, workspace: rg.Workspace) -> rg.Dataset:
    """A published dataset with every type of field, question and metadata property, without records.
    """
    return rg.Dataset(name=unique("everything"), workspace=workspace, settings=all_settings(), client=client).create()
