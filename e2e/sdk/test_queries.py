"""Every condition, operator and query of the SDK."""

from datetime import datetime, timedelta

import argilla as rg
import pytest
from argilla._exceptions import UnprocessableEntityError

from conftest import all_settings, unique


@pytest.fixture()
def searched(client, workspace, make_user) -> rg.Dataset:
    dataset = rg.Dataset(
        name=unique("searched"), workspace=workspace, settings=all_settings(distribution=rg.TaskDistribution(min_submitted=1)), client=client
    ).create()
    ann, bob = make_user("annotator", workspace), make_user("annotator", workspace)
    dataset.records.log(
        [
            rg.Record(
                id="r0",
                fields={"text": "The quick brown fox", "talk": [{"role": "user", "content": "a hidden word"}]},
                metadata={"lang": "en", "length": 10, "quality": 0.1},
                vectors={"v": [1.0, 0.0, 0.0]},
                suggestions=[
                    rg.Suggestion("topic", "a", score=0.2, agent="m1", type="model"),
                    rg.Suggestion("tags", ["x", "y"], score=[0.1, 0.9]),
                    rg.Suggestion("stars", 2),
                ],
                responses=[rg.Response("topic", "a", user_id=ann.id, status="submitted"), rg.Response("stars", 5, user_id=ann.id, status="submitted")],
            ),
            rg.Record(
                id="r1",
                fields={"text": "A lazy dog, brown too", "card": {"key": "cardword"}},
                metadata={"lang": "de", "length": 20, "quality": 0.5},
                vectors={"v": [0.0, 1.0, 0.0]},
                suggestions=[rg.Suggestion("topic", "b", score=0.8, agent="m2", type="human"), rg.Suggestion("tags", ["z"], score=[0.5])],
                responses=[rg.Response("topic", "b", user_id=bob.id, status="draft")],
            ),
            rg.Record(
                id="r2",
                fields={"text": "Nothing of that kind"},
                metadata={"lang": "en", "length": 30, "quality": 0.9},
                vectors={"v": [0.0, 0.0, 1.0]},
                responses=[rg.Response("topic", "c", user_id=ann.id, status="discarded")],
            ),
            rg.Record(id="r3", fields={"text": "caf\u00e9 world-class"}),
        ]
    )
    return dataset


def found(dataset: rg.Dataset, query=None, filter=None) -> list:
    return sorted(record.id for record in dataset.records(query=rg.Query(query=query, filter=rg.Filter(filter) if filter else None)))


@pytest.mark.parametrize(
    "condition, ids",
    [
        (("status", "==", "completed"), ["r0"]),
        (("status", "in", ["pending", "completed"]), ["r0", "r1", "r2", "r3"]),
        (("id", "==", "r1"), ["r1"]),
        (("id", "in", ["r1", "r3", "nobody"]), ["r1", "r3"]),
        (("response.status", "==", "submitted"), ["r0"]),
        (("response.status", "in", ["draft", "discarded"]), ["r1", "r2"]),
        (("response.status", "==", "pending"), ["r3"]),
        (("metadata.lang", "==", "en"), ["r0", "r2"]),
        (("metadata.lang", "in", ["de", "es"]), ["r1"]),
        (("metadata.length", ">=", 20), ["r1", "r2"]),
        (("metadata.length", "<=", 20), ["r0", "r1"]),
        (("metadata.length", "==", 30), ["r2"]),
        (("metadata.quality", ">=", 0.5), ["r1", "r2"]),
        (("metadata.quality", "<=", 0.1), ["r0"]),
        (("topic.suggestion", "==", "a"), ["r0"]),
        (("topic", "in", ["a", "b"]), ["r0", "r1"]),
        (("tags.suggestion", "in", ["y", "z"]), ["r0", "r1"]),
        (("stars.suggestion", ">=", 2), ["r0"]),
        (("topic.score", ">=", 0.5), ["r1"]),
        (("topic.score", "<=", 0.2), ["r0"]),
        (("tags.score", ">=", 0.9), ["r0"]),
        (("topic.agent", "==", "m2"), ["r1"]),
        (("topic.type", "==", "model"), ["r0"]),
        (("topic.type", "in", ["human", "model"]), ["r0", "r1"]),
        (("topic.response", "==", "a"), ["r0"]),
        (("topic.response", "in", ["b", "c"]), ["r1", "r2"]),
        (("stars.response", ">=", 4), ["r0"]),
        (("stars.response", "<=", 4), []),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_condition(searched, condition, ids):
    assert found(searched, filter=condition) == ids


def test_conditions_are_combined(searched):
    assert found(searched, filter=[("metadata.lang", "==", "en"), ("metadata.length", ">=", 20)]) == ["r2"]
    assert found(searched, query="brown", filter=[("topic.score", ">=", 0.5)]) == ["r1"]
    assert found(searched, query="brown", filter=[("metadata.lang", "==", "es")]) == []


def test_by_the_servers_id_and_by_time(searched):
    record = next(iter(searched.records(query=rg.Query(filter=rg.Filter(("id", "==", "r2"))))))
    assert found(searched, filter=("_server_id", "==", str(record._server_id))) == ["r2"]
    soon = (datetime.utcnow() + timedelta(minutes=5)).isoformat()
    for condition in ("inserted_at", "updated_at"):
        assert found(searched, filter=(condition, "<=", soon)) == ["r0", "r1", "r2", "r3"]
        assert found(searched, filter=(condition, ">=", soon)) == []


@pytest.mark.parametrize(
    "query, ids",
    [
        ("brown", ["r0", "r1"]),
        ("BROWN fox", ["r0"]),
        ("fox dog", []),
        ("fox | dog", ["r0", "r1"]),
        ('"quick brown"', ["r0"]),
        ('"brown quick"', []),
        ("brown -fox", ["r1"]),
        ("qui*", ["r0"]),
        ("quikc~2", ["r0"]),
        ("hidden", ["r0"]),
        ("cardword", ["r1"]),
        ("caf\u00e9", ["r3"]),
        ("cafe", []),
        ("world class", ["r3"]),
        ('brown" (', ["r0", "r1"]),
        ("that : kind", ["r2"]),
        ("nowhere", []),
    ],
)
def test_a_text(searched, query, ids):
    assert found(searched, query=query) == ids
    assert sorted(record.id for record in searched.records(query)) == ids, "a plain string is a query too"


def test_similar_records_in_order_with_scores(searched):
    near = list(searched.records(query=rg.Query(similar=rg.Similar("v", [0.9, 0.4, 0.1]))))
    assert [record.id for record, _ in near] == ["r0", "r1", "r2"]
    assert [score for _, score in near] == sorted((score for _, score in near), reverse=True)
    assert all(0 <= score <= 1 for _, score in near)
    reference = next(iter(searched.records(query=rg.Query(filter=rg.Filter(("id", "==", "r0"))))))
    assert "r0" not in [record.id for record, _ in searched.records(query=rg.Query(similar=rg.Similar("v", reference)))]
    far = rg.Query(similar=rg.Similar("v", [1.0, 0.1, 0.0], most_similar=False), filter=rg.Filter(("metadata.lang", "==", "en")))
    assert [record.id for record, _ in searched.records(query=far)] == ["r2", "r0"]


@pytest.mark.parametrize(
    "query",
    [
        rg.Query(filter=rg.Filter(("metadata.nothing", "==", "x"))),
        rg.Query(filter=rg.Filter(("nothing.suggestion", "==", "x"))),
        rg.Query(filter=rg.Filter(("nothing.response", "==", "x"))),
        rg.Query(filter=rg.Filter(("metadata.length", ">=", "many"))),
        rg.Query(filter=rg.Filter(("inserted_at", ">=", "yesterday"))),
        rg.Query(similar=rg.Similar("nothing", [1.0, 0.0, 0.0])),
        rg.Query(similar=rg.Similar("v", [1.0, 0.0])),
        rg.Query(similar=rg.Similar("v", [0.0, 0.0, 0.0])),
    ],
    ids=["metadata", "suggestion", "response", "number", "date", "vector", "dimensions", "zeros"],
)
def test_a_query_that_makes_no_sense(searched, query):
    with pytest.raises(UnprocessableEntityError):
        list(searched.records(query=query))


def test_a_record_without_the_vector(searched):
    bare = next(iter(searched.records(query=rg.Query(filter=rg.Filter(("id", "==", "r3"))))))
    with pytest.raises(UnprocessableEntityError, match="missing_vector"):
        list(searched.records(query=rg.Query(similar=rg.Similar("v", bare))))


def test_ids_that_are_large_integers(dataset):
    ids = [2**60 + 1, 2**60 + 2]
    dataset.records.log([{"id": id, "text": "t"} for id in ids])
    assert found(dataset, filter=("id", "==", str(ids[0]))) == [str(ids[0])]
    # A browser parses both numbers as the same one, so the filter would find nothing or the wrong record.
    with pytest.raises(UnprocessableEntityError, match="Send it as text"):
        found(dataset, filter=("id", "==", ids[0]))


def test_an_unknown_operator_is_refused_by_the_sdk(searched):
    with pytest.raises(ValueError, match="Unknown operator"):
        found(searched, filter=("status", "~", "x"))


def test_a_change_is_found_at_once(searched):
    record = next(iter(searched.records(query=rg.Query(filter=rg.Filter(("id", "==", "r2"))))))
    record.fields["text"] = "Something about a unicorn"
    record.update()
    assert found(searched, query="unicorn") == ["r2"]
    assert found(searched, query="kind") == []
    record.delete()
    assert found(searched, query="unicorn") == []


def test_what_is_read_with_the_records(searched):
    query = rg.Query(filter=rg.Filter(("id", "==", "r0")))
    bare = next(iter(searched.records(query=query, with_suggestions=False, with_responses=False)))
    assert list(bare.suggestions) == [] and list(bare.responses) == [] and not bare.vectors
    full = next(iter(searched.records(query=query, with_vectors=["v"])))
    assert full.vectors["v"] == [1.0, 0.0, 0.0] and len(list(full.responses)) == 2
