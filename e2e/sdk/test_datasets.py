"""Datasets and their settings."""

import uuid

import argilla as rg
import pytest
from argilla._exceptions import ConflictError, ForbiddenError, NotFoundError, SettingsError, UnprocessableEntityError

from conftest import all_settings, unique


def caused_by(error: BaseException, kind: type) -> bool:
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False


def test_every_setting_comes_back(client, dataset):
    read = client.datasets(dataset.name, workspace=dataset.workspace)
    assert read.settings.guidelines == "Answer **all** of it."
    assert read.settings.allow_extra_metadata is True
    assert read.settings.distribution.min_submitted == 2
    assert [(one.name, one._model.settings.type) for one in read.fields] == [
        ("text", "text"),
        ("picture", "image"),
        ("talk", "chat"),
        ("card", "custom"),
    ]
    assert [(one.name, one._model.settings.type) for one in read.questions] == [
        ("topic", "label_selection"),
        ("tags", "multi_label_selection"),
        ("stars", "rating"),
        ("remark", "text"),
        ("names", "span"),
        ("order", "ranking"),
    ]
    topic = read.settings.questions["topic"]
    assert topic.labels == ["a", "b", "c", "d"] and topic.visible_labels == 3
    assert read.settings.questions["tags"]._model.settings.options_order == "suggestion"
    assert read.settings.questions["stars"].values == [0, 1, 2, 3, 4, 5]
    assert read.settings.questions["stars"].description == "More is better"
    assert read.settings.questions["names"].field == "text"
    assert read.settings.metadata["lang"].options == ["en", "de", "es"]
    assert (read.settings.metadata["length"].min, read.settings.metadata["length"].max) == (0, 1000)
    assert read.settings.metadata["quality"].visible_for_annotators is False
    assert read.settings.vectors["v"].dimensions == 3
    assert read.settings.fields["card"].template == "<p>{{record.fields.card.title}}</p>"


def test_settings_are_changed_after_publishing(client, dataset):
    settings = dataset.settings
    settings.guidelines = "Other words"
    settings.allow_extra_metadata = False
    settings.distribution.min_submitted = 3
    settings.fields["text"].title = "The text"
    settings.questions["topic"].title = "What is it about?"
    settings.questions["topic"].description = "One of them"
    settings.questions["topic"].visible_labels = None
    settings.questions["names"].allow_overlapping = True
    settings.metadata["quality"].visible_for_annotators = True
    settings.vectors["v"].title = "Meaning"
    settings.add(rg.TermsMetadataProperty(name="late"))
    dataset.update()
    # Updates again without changes. The SDK always sends everything, and the server must accept it.
    dataset.settings.update()

    read = client.datasets(id=dataset.id).get().settings
    assert (read.guidelines, read.allow_extra_metadata, read.distribution.min_submitted) == ("Other words", False, 3)
    assert read.fields["text"].title == "The text"
    assert read.questions["topic"].title == "What is it about?"
    assert read.questions["topic"].description == "One of them"
    assert read.questions["topic"].visible_labels == 4, "the SDK says all of them for none"
    assert read.questions["names"].allow_overlapping is True
    assert read.metadata["quality"].visible_for_annotators is True
    assert read.vectors["v"].title == "Meaning"
    assert [one.name for one in read.metadata] == ["lang", "length", "quality", "late"]


def test_properties_and_vectors_are_removed(client, dataset):
    dataset.settings.metadata["lang"].delete()
    dataset.settings.vectors["v"].delete()
    read = client.datasets(id=dataset.id).get().settings
    assert [one.name for one in read.metadata] == ["length", "quality"]
    assert len(read.vectors) == 0


def test_fields_and_questions_of_a_published_dataset_stay(dataset):
    with pytest.raises(UnprocessableEntityError):
        dataset.settings.fields["picture"].delete()
    with pytest.raises(UnprocessableEntityError):
        dataset.settings.questions["stars"].delete()
    dataset.settings.add(rg.TextField(name="late"))
    with pytest.raises(SettingsError) as raised:
        dataset.update()
    assert caused_by(raised.value, UnprocessableEntityError)


def test_labels_keep_their_number(client, dataset):
    answer = client.api.http_client.patch(
        f"/api/v1/questions/{dataset.settings.questions['topic'].id}",
        json={"settings": {"type": "label_selection", "options": [{"value": "a", "text": "A", "description": None}]}},
    )
    assert answer.status_code == 422


def test_the_distribution_is_fixed_once_somebody_answered(client, dataset):
    record = rg.Record(fields={"text": "t"}, responses=[rg.Response("topic", "a", user_id=client.me.id, status="submitted")])
    dataset.records.log([record])
    dataset.settings.update()
    dataset.settings.distribution.min_submitted = 5
    with pytest.raises(UnprocessableEntityError, match="update_distribution_with_existing_responses"):
        dataset.settings.update()


def test_a_name_is_unique_in_its_workspace(client, dataset):
    with pytest.raises(ConflictError):
        rg.Dataset(name=dataset.name, workspace=dataset.workspace, settings=all_settings(), client=client).create()
    other = rg.Workspace(name=unique("other"), client=client).create()
    twin = rg.Dataset(name=dataset.name, workspace=other, settings=all_settings(), client=client).create()
    assert twin.id != dataset.id
    twin.delete()
    other.delete()


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_a_name_out_of_bounds(client, workspace, name):
    with pytest.raises((UnprocessableEntityError, ValueError)):
        rg.Dataset(name=name, workspace=workspace, settings=all_settings(), client=client).create()


@pytest.mark.parametrize(
    "changes",
    [
        {"questions": [rg.LabelQuestion(name="l", labels=["only one"])]},
        {"questions": [rg.TextQuestion(name="q", required=False)]},
        {"fields": [rg.TextField(name="x" * 201)]},
        {"questions": [rg.TextQuestion(name="q"), rg.SpanQuestion(name="s", field="nowhere", labels=["a"])]},
        {"vectors": [rg.VectorField(name=f"v{i}", dimensions=2) for i in range(6)]},
    ],
    ids=["one-label", "no-required-question", "long-name", "span-without-field", "six-vectors"],
)
def test_settings_that_cannot_be_leave_nothing_behind(client, workspace, changes):
    name = unique("wrong")
    with pytest.raises(SettingsError) as raised:
        rg.Dataset(name=name, workspace=workspace, settings=all_settings(**changes), client=client).create()
    assert caused_by(raised.value, UnprocessableEntityError)
    assert name not in [one.name for one in workspace.list_datasets()]


def test_a_dataset_is_deleted_with_its_records(client, workspace, dataset):
    dataset.records.log([{"text": "t", "id": "1"}])
    dataset.delete()
    with pytest.warns(UserWarning, match="not found"):
        assert client.datasets(id=dataset.id) is None
    with pytest.raises(NotFoundError):
        client.api.datasets.delete(dataset.id)
    again = rg.Dataset(name=dataset.name, workspace=workspace, settings=all_settings(), client=client).create()
    assert list(again.records) == []


def test_an_annotator_reads_but_does_not_change(dataset, make_user, as_user):
    annotator = as_user(make_user("annotator", dataset.workspace))
    read = annotator.datasets(dataset.name, workspace=dataset.workspace.name)
    assert [one.name for one in read.settings.metadata] == ["lang", "length"], "hidden ones are not shown"
    with pytest.raises(ForbiddenError):
        read.settings.update()
    with pytest.raises(ForbiddenError):
        read.delete()
    with pytest.raises(ForbiddenError):
        rg.Dataset(name=unique("no"), workspace=dataset.workspace.name, settings=all_settings(), client=annotator).create()


def test_a_stranger_sees_nothing(dataset, make_user, as_user):
    stranger = as_user(make_user("admin"))
    assert len(stranger.datasets) == 0
    with pytest.raises(ForbiddenError):
        stranger.datasets(id=dataset.id)


def test_an_unknown_workspace(client):
    with pytest.raises(NotFoundError):
        rg.Dataset(name="d", workspace="no-such-workspace", settings=all_settings(), client=client).create()
    with pytest.raises(NotFoundError):
        rg.Dataset(name="d", workspace=uuid.uuid4(), settings=all_settings(), client=client).create()
