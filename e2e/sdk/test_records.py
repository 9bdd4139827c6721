"""Records: logging, reading, changing and deleting them."""

import base64
import uuid

import argilla as rg
import pytest
from argilla._exceptions import ArgillaAPIError, ForbiddenError, NotFoundError, UnprocessableEntityError
from argilla._exceptions._suggestions import RecordSuggestionsError

from conftest import unique

PIXEL = "data:image/png;base64," + base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf500f0003810180e6d5f2490000000049454e44ae426082"
    )
).decode()
TEXT = "Zo\u00eb met \U0001f600 in K\u00f6ln"


def full_record(client, id="full", **changes) -> rg.Record:
    values = dict(
        id=id,
        fields={
            "text": TEXT,
            "picture": PIXEL,
            "talk": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
            "card": {"title": "T", "deep": {"list": [1, 2.5, None, True]}},
        },
        metadata={"lang": "en", "length": 7, "quality": 0.25, "extra": "kept"},
        vectors={"v": [0.1, -0.2, 0.3]},
        suggestions=[
            rg.Suggestion("topic", "b", score=0.9, agent="model-1", type="model"),
            rg.Suggestion("tags", ["x", "z"], score=[0.5, 0.7], agent="model-1"),
            rg.Suggestion("stars", 4),
            rg.Suggestion("names", [{"start": 0, "end": 3, "label": "person"}], score=[0.4]),
            rg.Suggestion("order", ["second", "first", "third"]),
        ],
        responses=[
            rg.Response("topic", "a", user_id=client.me.id, status="submitted"),
            rg.Response("tags", ["y"], user_id=client.me.id, status="submitted"),
            rg.Response("stars", 0, user_id=client.me.id, status="submitted"),
            rg.Response("remark", "", user_id=client.me.id, status="submitted"),
            rg.Response("names", [{"start": 12, "end": 16, "label": "place"}], user_id=client.me.id, status="submitted"),
        ],
    )
    values.update(changes)
    return rg.Record(**values)


def only(dataset, **kwargs) -> rg.Record:
    (record,) = list(dataset.records(with_vectors=True, **kwargs))
    return record


def test_everything_in_a_record_comes_back(client, dataset):
    dataset.records.log([full_record(client)])
    record = only(dataset)
    assert record.id == "full" and isinstance(record._server_id, uuid.UUID) and record.status == "pending"
    assert record.fields["text"] == TEXT
    assert dict(record._model.fields)["picture"] == PIXEL
    assert [dict(one) for one in record._model.fields["talk"]] == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
    ]
    assert record.fields["card"] == {"title": "T", "deep": {"list": [1, 2.5, None, True]}}
    assert dict(record.metadata) == {"lang": "en", "length": 7, "quality": 0.25, "extra": "kept"}
    assert record.vectors["v"] == [0.1, -0.2, 0.3]
    suggested = {one.question_name: (one.value, one.score, one.agent) for one in record.suggestions}
    assert suggested["topic"] == ("b", 0.9, "model-1")
    assert suggested["tags"] == (["x", "z"], [0.5, 0.7], "model-1")
    assert suggested["stars"] == (4, None, None)
    assert suggested["names"][0] == [{"start": 0, "end": 3, "label": "person"}]
    assert suggested["order"][0] == ["second", "first", "third"]
    answered = {one.question_name: one.value for one in record.responses}
    assert answered == {"topic": "a", "tags": ["y"], "stars": 0, "remark": "", "names": [{"start": 12, "end": 16, "label": "place"}]}
    assert {one.user_id for one in record.responses} == {client.me.id}
    assert {one.status for one in record.responses} == {"submitted"}


def test_a_record_is_completed_by_the_last_answer_it_needs(client, dataset, make_user):
    users = [make_user("annotator", dataset.workspace) for _ in range(2)]
    answers = [rg.Response("topic", "a", user_id=one.id, status="submitted") for one in users]
    dataset.records.log([rg.Record(id="1", fields={"text": "t"}, responses=answers[:1])])
    assert only(dataset).status == "pending"
    dataset.records.log([rg.Record(id="1", fields={"text": "t"}, responses=answers)])
    assert only(dataset).status == "completed"
    withdrawn = rg.Response("topic", "a", user_id=users[0].id, status="draft")
    dataset.records.log([rg.Record(id="1", fields={"text": "t"}, responses=[withdrawn])])
    assert only(dataset).status == "pending"


def test_many_records_in_batches_keep_their_order(dataset):
    ids = [f"r{i}" for i in range(601)]
    dataset.records.log([{"id": id, "text": f"text {id}"} for id in ids], batch_size=200)
    assert [one.id for one in dataset.records] == ids
    assert [one.id for one in dataset.records(batch_size=50, start_offset=590)] == ids[590:]
    assert [one.id for one in dataset.records(limit=7)] == ids[:7]


def test_logging_again_updates(client, dataset):
    dataset.records.log([full_record(client)])
    first = only(dataset)
    dataset.records.log([rg.Record(id="full", fields={"text": "new"}, metadata={"lang": "de"}, suggestions=[rg.Suggestion("stars", 5)])])
    record = only(dataset)
    assert record._server_id == first._server_id
    assert dict(record.fields) == {"text": "new"}, "fields are replaced as a whole"
    assert dict(record.metadata) == {"lang": "de"}, "metadata too"
    assert {one.question_name: one.value for one in record.suggestions}["stars"] == 5
    assert len(list(record.suggestions)) == 5, "suggestions are merged by question"
    assert len(list(record.responses)) == 5 and record.vectors["v"] == [0.1, -0.2, 0.3]


def test_records_that_are_read_are_logged_back_with_their_answers(client, dataset):
    ranked = [{"value": "third", "rank": 1}, {"value": "first", "rank": 1}, {"value": "second", "rank": 3}]
    record = full_record(client)
    record.responses.add(rg.Response("order", ranked, user_id=client.me.id, status="submitted"))
    dataset.records.log([record])

    def stored():
        return client.api.http_client.get(f"/api/v1/datasets/{dataset.id}/records", params={"include": "responses"}).json()["items"][0]

    before = stored()
    read = only(dataset)
    assert read.responses["order"][0].value == ["third", "first", "second"], "the SDK has no ranks"
    read.metadata["lang"] = "de"
    dataset.records.log([read])
    assert stored()["responses"] == before["responses"] and stored()["metadata"]["lang"] == "de"


def test_a_record_without_fields_updates_the_rest(client, dataset):
    dataset.records.log([full_record(client)])
    dataset.records.log([rg.Record(id="full", metadata={"lang": "es"})])
    record = only(dataset)
    assert record.fields["text"] == TEXT and dict(record.metadata) == {"lang": "es"}


def test_a_new_record_without_fields_is_refused(dataset):
    with pytest.raises(UnprocessableEntityError):
        dataset.records.log([rg.Record(id="nobody", metadata={"lang": "es"})])


def test_one_record_is_read_changed_and_deleted(client, dataset):
    dataset.records.log([full_record(client)])
    record = only(dataset)
    record.fields["text"] = "changed"
    record.metadata["lang"] = "es"
    record.vectors["v"] = [1.0, 0.0, 0.0]
    record.suggestions.add(rg.Suggestion("remark", "said"))
    record.update()
    read = only(dataset)
    assert (read.fields["text"], read.metadata["lang"], read.vectors["v"]) == ("changed", "es", [1.0, 0.0, 0.0])
    assert {one.question_name for one in read.suggestions} == {"topic", "tags", "stars", "names", "order", "remark"}
    assert record.get().fields["text"] == "changed"
    record.delete()
    assert list(dataset.records) == []
    with pytest.raises(NotFoundError):
        client.api.records.get(read._server_id)
    with pytest.raises(NotFoundError):
        client.api.records.delete(read._server_id)


def test_records_are_deleted_in_batches_and_unknown_ones_are_skipped(dataset):
    dataset.records.log([{"id": str(i), "text": "t"} for i in range(150)])
    records = list(dataset.records)
    dataset.records.delete(records[:130])
    dataset.records.delete(records[:1])
    assert [one.id for one in dataset.records] == [str(i) for i in range(130, 150)]


@pytest.mark.parametrize(
    "changes",
    [
        {"fields": {"text": None}},
        {"fields": {"picture": PIXEL}},
        {"fields": {"text": "t", "picture": "data:text/html,x"}},
        {"fields": {"text": "t", "talk": [{"role": "", "content": "x"}]}},
        {"fields": {"text": "t", "talk": [{"role": "x" * 21, "content": "x"}]}},
        {"metadata": {"lang": "fr"}},
        {"metadata": {"length": 1001}},
        {"metadata": {"length": 1.5}},
        {"metadata": {"quality": "high"}},
        {"vectors": {"v": [1.0, 2.0]}},
        {"suggestions": [rg.Suggestion("topic", "nothing of ours")]},
        {"suggestions": [rg.Suggestion("stars", 6)]},
        {"suggestions": [rg.Suggestion("tags", ["x", "x"])]},
        {"suggestions": [rg.Suggestion("tags", ["x", "y"], score=[0.5])]},
        {"suggestions": [rg.Suggestion("topic", "a", score=1.5)]},
        {"suggestions": [rg.Suggestion("topic", "a", agent="!!!")]},
        {"suggestions": [rg.Suggestion("names", [{"start": 0, "end": 100, "label": "person"}])]},
        {"suggestions": [rg.Suggestion("names", [{"start": 0, "end": 3, "label": "animal"}])]},
        {"suggestions": [rg.Suggestion("names", [{"start": 0, "end": 3, "label": "person"}, {"start": 2, "end": 4, "label": "person"}])]},
        {"suggestions": [rg.Suggestion("order", ["first", "fourth"])]},
    ],
)
def test_a_wrong_record_stops_the_whole_batch(client, dataset, changes):
    with pytest.raises(UnprocessableEntityError):
        dataset.records.log([full_record(client, id="good"), full_record(client, id="bad", **{"suggestions": [], **changes})])
    assert list(dataset.records) == []


def test_the_record_that_is_wrong_is_named_in_whichever_batch(dataset):
    rows = [{"id": f"r{i}", "text": "t", "length": 2000 if i == 7 else 1} for i in range(9)]
    with pytest.raises(UnprocessableEntityError, match=r'Record at position 1 with id \\"r7\\" is not valid because .*`length`'):
        dataset.records.log(rows, batch_size=3)
    assert [one.id for one in dataset.records] == [f"r{i}" for i in range(6)]


def test_a_batch_that_is_too_large_says_what_to_do(dataset):
    with pytest.raises(ArgillaAPIError, match="Send less data per request") as raised:
        dataset.records.log([{"text": "x" * 1_000_000} for _ in range(65)])
    assert raised.value.status_code == 413


@pytest.mark.parametrize(
    "values",
    [
        {"stars": 1},
        {"topic": "nothing of ours"},
        {"topic": "a", "stars": 11},
        {"topic": "a", "tags": []},
        {"topic": "a", "order": ["first"]},
        {"topic": "a", "names": [{"start": 3, "end": 3, "label": "person"}]},
    ],
    ids=["required-missing", "no-option", "no-rating", "no-label", "ranking-partial", "span-empty"],
)
def test_a_wrong_answer_is_refused(client, dataset, values):
    answers = [rg.Response(question, value, user_id=client.me.id, status="submitted") for question, value in values.items()]
    with pytest.raises(UnprocessableEntityError):
        dataset.records.log([rg.Record(id="r", fields={"text": TEXT}, responses=answers)])


def test_an_answer_of_nobody(dataset):
    stranger = rg.Response("topic", "a", user_id=uuid.uuid4(), status="draft")
    with pytest.raises(UnprocessableEntityError):
        dataset.records.log([rg.Record(fields={"text": "t"}, responses=[stranger])])


def test_questions_that_are_not_there_are_refused_before_they_are_sent(dataset):
    with pytest.raises(RecordSuggestionsError):
        dataset.records.log([rg.Record(fields={"text": "t"}, suggestions=[rg.Suggestion("nothing", "a")])])


def test_extra_metadata_is_refused_where_it_is_not_allowed(client, dataset):
    dataset.settings.allow_extra_metadata = False
    dataset.settings.update()
    with pytest.raises(UnprocessableEntityError, match="extra"):
        client.api.records.bulk_upsert(dataset.id, [_model(dataset, full_record(client))])


def _model(dataset, record):
    record.dataset = dataset
    return record.api_model()


def test_an_annotator_may_not_write_records(client, dataset, make_user, as_user):
    dataset.records.log([full_record(client)])
    annotator = as_user(make_user("annotator", dataset.workspace))
    theirs = annotator.datasets(dataset.name, workspace=dataset.workspace.name)
    with pytest.raises(ForbiddenError):
        theirs.records.log([{"text": "t"}])
    with pytest.raises(ForbiddenError):
        list(theirs.records)
    record = only(dataset)
    with pytest.raises(ForbiddenError):
        annotator.api.records.delete(record._server_id)
    seen = annotator.api.records.get(record._server_id)
    assert {one.name for one in seen.metadata} == {"lang", "length"} and seen.responses == [], "only what is shown to annotators"


def test_a_dataset_that_is_not_there(client, dataset):
    with pytest.raises(NotFoundError):
        client.api.records.bulk_upsert(uuid.uuid4(), [_model(dataset, full_record(client))])


def test_hostile_texts_are_texts(client, dataset):
    texts = ["<script>alert(1)</script>", "'; DROP TABLE records; --", "../../etc/passwd", "{{constructor}}", "\u202e reversed", "x" * 300_000]
    dataset.records.log([{"id": unique("h"), "text": text} for text in texts])
    assert [one.fields["text"] for one in dataset.records] == texts


def test_spans_of_a_conversation_lie_in_what_is_said(client, workspace):
    talk = [{"role": "user", "content": "Who is \U0001f469 Ada?"}, {"role": "assistant", "content": "She lived\nin London"}]
    said = "\n".join(message["content"] for message in talk)
    place = {"label": "place", "start": said.index("London"), "end": said.index("London") + 6}
    settings = rg.Settings(
        fields=[rg.ChatField("talk")], questions=[rg.SpanQuestion("names", field="talk", labels=["person", "place"])]
    )
    dataset = rg.Dataset(name=unique("talk"), workspace=workspace, settings=settings, client=client).create()
    dataset.records.log(
        [
            rg.Record(
                fields={"talk": talk},
                suggestions=[rg.Suggestion("names", [place])],
                responses=[rg.Response("names", [place], user_id=client.me.id, status="submitted")],
            )
        ]
    )
    (record,) = list(dataset.records)
    again = "\n".join(message.content for message in record.fields["talk"])
    for value in (record.suggestions["names"].value, record.responses["names"][0].value):
        assert [again[span["start"] : span["end"]] for span in value] == ["London"]
    over = {"label": "person", "start": said.index("Ada"), "end": said.index("lived")}
    with pytest.raises(UnprocessableEntityError, match="extends beyond the end of a message"):
        dataset.records.log([rg.Record(fields={"talk": talk}, suggestions=[rg.Suggestion("names", [over])])])
