"""Downloads of a dataset, read with the usual programs."""

import io
import json

import argilla as rg
import pandas as pd
import pyarrow.parquet as pq
import pytest
import requests
from conftest import unique


@pytest.fixture
def dataset(client: rg.Argilla, workspace: rg.Workspace):
    settings = rg.Settings(
        fields=[rg.TextField("text"), rg.ChatField("talk", required=False)],
        questions=[
            rg.LabelQuestion("label", labels=["yes", "no"]),
            rg.MultiLabelQuestion("tags", labels=["x", "y", "z"]),
            rg.RatingQuestion("stars", values=[1, 2, 3]),
            rg.SpanQuestion("names", labels=["per"], field="text", allow_overlapping=False),
        ],
        metadata=[rg.TermsMetadataProperty("source"), rg.IntegerMetadataProperty("size")],
        vectors=[rg.VectorField("v", dimensions=2)],
    )
    made = rg.Dataset(name=unique("download"), workspace=workspace, settings=settings, client=client).create()
    user = client.me
    answers = [
        rg.Response("label", "yes", user_id=user.id, status="submitted"),
        rg.Response("tags", ["x", "z"], user_id=user.id, status="submitted"),
        rg.Response("stars", 3, user_id=user.id, status="submitted"),
        rg.Response("names", [{"label": "per", "start": 2, "end": 5}], user_id=user.id, status="submitted"),
    ]
    made.records.log(
        [
            rg.Record(
                id="one",
                fields={"text": '😀 Ada, "of"\nLondon', "talk": [{"role": "user", "content": "hi"}]},
                metadata={"source": ["web", "book"], "size": 12},
                vectors={"v": [0.5, -1.0]},
                responses=answers,
            ),
            rg.Record(id="two", fields={"text": "=1+1"}),
        ]
    )
    yield made
    made.delete()


def download(client: rg.Argilla, dataset: rg.Dataset, **query) -> bytes:
    answer = requests.get(
        f"{client.api_url}/api/v1/datasets/{dataset.id}/records/download",
        params=query,
        headers={"X-Argilla-Api-Key": client.api_key},
        timeout=30,
    )
    answer.raise_for_status()
    return answer.content


def test_parquet_by_pyarrow(client, dataset):
    rows = pq.read_table(io.BytesIO(download(client, dataset, format="parquet"))).to_pylist()
    assert [row["id"] for row in rows] == ["one", "two"]
    one, two = rows
    assert one["text"] == '😀 Ada, "of"\nLondon'
    assert json.loads(one["talk"]) == [{"role": "user", "content": "hi"}]
    assert one["label.responses"] == ["yes"]
    assert one["label.responses.users"] == [str(client.me.id)]
    assert one["tags.responses"] == [["x", "z"]]
    assert one["stars.responses"] == [3]
    assert [json.loads(value) for value in one["names.responses"]] == [[{"label": "per", "start": 2, "end": 5}]]
    assert one["metadata.source"] == ["web", "book"]
    assert one["metadata.size"] == 12
    assert one["vector.v"] == [0.5, -1.0]
    assert two["label.responses"] is None
    assert two["metadata.source"] == [None]
    assert two["vector.v"] is None


def test_parquet_long_by_pandas(client, dataset):
    frame = pd.read_parquet(io.BytesIO(download(client, dataset, format="parquet", shape="long")))
    assert frame["username"].tolist() == [client.me.username]
    assert frame["response.stars"].tolist() == [3]
    assert frame["response.tags"].iloc[0].tolist() == ["x", "z"]


def test_csv_by_pandas(client, dataset):
    frame = pd.read_csv(io.BytesIO(download(client, dataset, format="csv")))
    assert frame["text"].tolist() == ['😀 Ada, "of"\nLondon', "=1+1"]
    assert json.loads(frame["tags.responses"].iloc[0]) == [["x", "z"]]
    assert pd.isna(frame["label.responses"].iloc[1])


def test_jsonl_by_pandas(client, dataset):
    frame = pd.read_json(io.BytesIO(download(client, dataset, format="jsonl")), lines=True)
    assert frame["stars.responses"].iloc[0] == [3]
    assert frame["id"].tolist() == ["one", "two"]


def test_spans_are_python_offsets(client, dataset):
    [line] = download(client, dataset, format="spacy").decode().splitlines()
    entry = json.loads(line)
    [[start, end, label]] = entry["entities"]
    assert (entry["text"][start:end], label) == ("Ada", "per")
