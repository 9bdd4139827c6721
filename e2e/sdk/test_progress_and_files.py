"""Progress, files on disk, and links to the import page."""

import io
import json
import time
import urllib.request
import webbrowser
import zipfile

import argilla as rg
import pytest
from argilla._exceptions import ForbiddenError, ImportDatasetError
from PIL import Image

from conftest import API_URL, all_settings, unique


def test_progress_of_the_team_and_of_each(client, dataset, make_user, as_user):
    ann, bob = make_user("annotator", dataset.workspace), make_user("annotator", dataset.workspace)
    assert dataset.progress() == {"total": 0, "completed": 0, "pending": 0}

    def answer(user, status):
        return rg.Response("topic", "a", user_id=user.id, status=status)

    dataset.records.log(
        [
            rg.Record(id="1", fields={"text": "t"}, responses=[answer(ann, "submitted"), answer(bob, "submitted")]),
            rg.Record(id="2", fields={"text": "t"}, responses=[answer(ann, "draft")]),
            rg.Record(id="3", fields={"text": "t"}, responses=[answer(bob, "discarded")]),
            rg.Record(id="4", fields={"text": "t"}),
        ]
    )
    progress = dataset.progress(with_users_distribution=True)
    assert {key: progress[key] for key in ("total", "completed", "pending")} == {"total": 4, "completed": 1, "pending": 3}
    assert progress["users"] == {
        ann.username: {
            "completed": {"submitted": 1, "discarded": 0, "draft": 0},
            "pending": {"submitted": 0, "discarded": 0, "draft": 1},
        },
        bob.username: {
            "completed": {"submitted": 1, "discarded": 0, "draft": 0},
            "pending": {"submitted": 0, "discarded": 1, "draft": 0},
        },
    }
    seen = as_user(ann).datasets(dataset.name, workspace=dataset.workspace.name)
    assert seen.progress()["total"] == 4
    with pytest.raises(ForbiddenError):
        as_user(make_user("admin")).api.datasets.get_progress(dataset.id)


def test_to_disk_and_back_with_records(client, dataset, tmp_path):
    rows = [rg.Record(id=str(i), fields={"text": f"text {i}"}, metadata={"lang": "en", "length": i}, vectors={"v": [1.0, i, 0]}) for i in range(20)]
    rows[3].suggestions.add(rg.Suggestion("topic", "b", score=0.5, agent="m"))
    rows[4].responses.add(rg.Response("topic", "c", user_id=client.me.id, status="submitted"))
    dataset.records.log(rows)
    path = str(tmp_path)
    dataset.to_disk(path)
    copy = rg.Dataset.from_disk(path, name=unique("copy"), workspace=dataset.workspace.name, client=client)
    assert copy.id != dataset.id
    # The SDK does not restore a custom distribution. Everything else is equal.
    assert copy.settings.serialize()["fields"][0]["name"] == "text"
    assert [one.name for one in copy.questions] == [one.name for one in dataset.questions]
    before = [{**row, "_server_id": None} for row in dataset.records.to_list()]
    after = [{**row, "_server_id": None} for row in copy.records.to_list()]
    assert before == after


def test_a_folder_without_a_dataset(client, tmp_path):
    with pytest.raises(ImportDatasetError):
        rg.Dataset.from_disk(str(tmp_path / "nowhere"), client=client)


def test_settings_travel_as_a_file(client, workspace, tmp_path):
    file = tmp_path / "settings.json"
    all_settings().to_json(file)
    made = rg.Dataset(name=unique("from-file"), workspace=workspace, settings=rg.Settings.from_json(file), client=client).create()
    assert made.settings.distribution.min_submitted == 2 and len(made.questions) == 6


def test_records_as_json_list_and_table(client, workspace, tmp_path):
    settings = all_settings(fields=[rg.TextField(name="text")])
    dataset = rg.Dataset(name=unique("table"), workspace=workspace, settings=settings, client=client).create()
    dataset.records.log([{"id": "1", "text": "t", "topic": "a", "lang": "en"}])
    file = dataset.records.to_json(tmp_path / "records.json")
    dataset.records.from_json(file)
    assert len(list(dataset.records)) == 1
    assert dataset.records.to_list(flatten=True)[0]["topic.suggestion"] == "a"
    assert dataset.records.to_dict(orient="index")["1"]["metadata"] == {"lang": "en"}
    table = dataset.records.to_datasets()
    assert table.num_rows == 1 and table["text"][0] == "t"


def test_from_hub_opens_the_import_page(client, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url, **_: opened.append(url))
    rg.Dataset.from_hub("org/some name", client=client)
    assert opened == [f"{API_URL}/new/org%2Fsome+name?subset=None&split=None"]
    answer = client.api.http_client.get(opened[0])
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")


def test_imported_images_are_read_as_addresses_that_lead_to_them(client, workspace):
    settings = rg.Settings(fields=[rg.ImageField("image")], questions=[rg.LabelQuestion("folder", labels=["warm", "cold"])])
    dataset = rg.Dataset(name=unique("colours"), workspace=workspace, settings=settings, client=client).create()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, colour in [("warm/red.png", (255, 0, 0)), ("cold/blue.png", (0, 0, 255))]:
            picture = io.BytesIO()
            Image.new("RGB", (4, 4), colour).save(picture, "PNG")
            pack.writestr(name, picture.getvalue())

    def call(path, body=None):
        headers = {"x-argilla-api-key": client.api_key, "content-type": "application/json"}
        return urllib.request.urlopen(urllib.request.Request(path, data=body, headers=headers))

    files = f"{API_URL}/api/v1/datasets/{dataset.id}/imports/files"
    sent = json.load(call(f"{files}?name=colours.zip", archive.getvalue()))
    job = json.load(call(f"{files}/{sent['id']}/start", json.dumps({"mapping": sent["mapping"]}).encode()))
    for _ in range(200):
        if json.load(call(f"{API_URL}/api/v1/jobs/{job['id']}"))["status"] == "finished":
            break
        time.sleep(0.1)
    records = {record.id: record for record in dataset.records(with_suggestions=True)}
    assert set(records) == {"warm/red.png", "cold/blue.png"}
    red = records["warm/red.png"]
    assert red.suggestions["folder"].value == "warm"
    assert Image.open(call(red.fields["image"])).getpixel((0, 0)) == (255, 0, 0)
    # The record can be logged again unchanged.
    dataset.records.log([red])
    assert dataset.records.to_list(flatten=True)[0]["image"].startswith("http")
