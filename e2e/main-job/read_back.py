"""The second half of the engineer's work: reads every record and every answer back with the published SDK.

usage: read_back.py WORKSPACE DATASET   prints one JSON object
"""

import json
import sys

import argilla as rg

workspace_name, dataset_name = sys.argv[1:]
client = rg.Argilla()
dataset = client.datasets(name=dataset_name, workspace=client.workspaces(workspace_name))
names = {str(user.id): user.username for user in client.users}

records = []
answers = []
for record in dataset.records(with_suggestions=True, with_responses=True, with_vectors=True):
    records.append(
        {
            "external_id": record.id,
            "status": record.status,
            "fields": record.fields.to_dict(),
            "metadata": record.metadata.to_dict(),
            "vectors": record.vectors.to_dict(),
            "suggestions": [
                {"question": one.question_name, "value": one.value, "score": one.score, "agent": one.agent}
                for one in record.suggestions
            ],
        }
    )
    answers.extend(
        {
            "external_id": record.id,
            "user": names[str(one.user_id)],
            "question": one.question_name,
            "status": one.status.value,
            "value": one.value,
        }
        for one in record.responses
    )


def on_the_wire():
    """Data that the SDK's objects omit, read with its HTTP client: the time of an answer and the ranks of a ranking.
    """
    url = f"/api/v1/datasets/{dataset.id}/records"
    offset = 0
    while True:
        items = client.http_client.get(url, params={"include": "responses", "limit": 1000, "offset": offset}).json()["items"]
        if not items:
            return
        for item in items:
            for one in item["responses"]:
                values = {question: answer["value"] for question, answer in one["values"].items()}
                user = names[one["user_id"]]
                yield {"external_id": item["external_id"], "user": user, "at": one["inserted_at"], "values": values}
        offset += len(items)


print(
    json.dumps(
        {
            "records": records,
            "answers": answers,
            "on_the_wire": list(on_the_wire()),
            "progress": dataset.progress(with_users_distribution=True),
        }
    )
)
