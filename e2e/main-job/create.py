"""The first half of the engineer's work: creates a workspace with annotators and a dataset with records, using the published SDK.

usage: create.py PLAN.json   (ARGILLA_API_URL and ARGILLA_API_KEY name the server)
"""

import json
import sys

import argilla as rg

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
with open(plan["settings_file"], encoding="utf-8") as file:
    settings = json.load(file)

client = rg.Argilla()
workspace = rg.Workspace(name=plan["workspace"], client=client).create()
for user in plan["users"]:
    rg.User(username=user["username"], password=user["password"], first_name=user["username"], role="annotator", client=client).create()
    workspace.add_user(user["username"])


def labels_of(question: dict) -> list:
    return [option["value"] for option in question["settings"]["options"]]


def question_of(question: dict):
    of = question["settings"]
    common = {name: question.get(name) for name in ("name", "title", "required", "description")}
    if of["type"] == "label_selection":
        return rg.LabelQuestion(labels=labels_of(question), visible_labels=of["visible_options"], **common)
    if of["type"] == "multi_label_selection":
        return rg.MultiLabelQuestion(labels=labels_of(question), visible_labels=of["visible_options"], **common)
    if of["type"] == "rating":
        return rg.RatingQuestion(values=labels_of(question), **common)
    if of["type"] == "ranking":
        return rg.RankingQuestion(values=labels_of(question), **common)
    if of["type"] == "span":
        return rg.SpanQuestion(field=of["field"], labels=labels_of(question), allow_overlapping=of["allow_overlapping"], **common)
    return rg.TextQuestion(use_markdown=of["use_markdown"], **common)


METADATA = {"terms": rg.TermsMetadataProperty, "integer": rg.IntegerMetadataProperty, "float": rg.FloatMetadataProperty}

dataset = rg.Dataset(
    name=plan["dataset"],
    workspace=workspace,
    client=client,
    settings=rg.Settings(
        guidelines=settings["guidelines"],
        fields=[rg.TextField(name=one["name"], title=one["title"], required=one["required"]) for one in settings["fields"]],
        questions=[question_of(one) for one in settings["questions"]],
        metadata=[METADATA[one["settings"]["type"]](name=one["name"], title=one["title"]) for one in settings["metadata"]],
        vectors=[rg.VectorField(name=one["name"], title=one["title"], dimensions=one["dimensions"]) for one in settings["vectors"]],
        distribution=rg.TaskDistribution(min_submitted=plan["min_submitted"]),
    ),
).create()

with open(plan["records_file"], encoding="utf-8") as file:
    rows = [json.loads(line) for line in file]
dataset.records.log(
    [
        rg.Record(
            id=row["external_id"],
            fields=row["fields"],
            metadata=row["metadata"],
            vectors=row["vectors"],
            suggestions=[
                rg.Suggestion(question_name=one["question"], value=one["value"], score=one["score"], agent=one["agent"])
                for one in row["suggestions"]
            ],
        )
        for row in rows
    ]
)
print(json.dumps({"dataset_id": str(dataset.id)}))
