"""Loads a Hub repository into the server with the published SDK, and as a plain table. Prints both.
"""

import json
import sys

import argilla as rg
from datasets import get_dataset_config_names, load_dataset

repository, name = sys.argv[1:3]
copy = rg.Dataset.from_hub(repository, name=name, workspace="default", settings="auto", subset="default", split="train")


def plain(record):
    return {
        "id": record.id,
        "fields": {key: value if isinstance(value, (str, list, dict)) else type(value).__name__ for key, value in dict(record.fields).items() if value is not None},
        "metadata": dict(record.metadata),
        "vectors": {key: [float(x) for x in value] for key, value in dict(record.vectors).items()},
        "suggestions": {s.question_name: s.value for s in record.suggestions},
        "responses": [[r.question_name, r.value, getattr(r.status, "value", r.status)] for r in record.responses],
    }


records = sorted((plain(r) for r in copy.records(with_suggestions=True, with_responses=True, with_vectors=True)), key=lambda r: r["id"])
table = load_dataset(repository, "default", split="train")
print(
    json.dumps(
        {
            "records": records,
            "fields": [f.name for f in copy.settings.fields],
            "questions": [q.name for q in copy.settings.questions],
            "metadata": [m.name for m in copy.settings.metadata],
            "guidelines": copy.settings.guidelines,
            "features": {key: str(value) for key, value in table.features.items()},
            "subsets": sorted(get_dataset_config_names(repository)),
        },
        default=lambda value: value.model_dump(),
    )
)
