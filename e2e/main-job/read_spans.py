"""Reads the spans of every answer with the published SDK, and the text that Python finds at each.

usage: read_spans.py WORKSPACE DATASET FIELD QUESTION   prints one JSON object: lists of [label, text] by external ID
"""

import json
import sys

import argilla as rg

workspace_name, dataset_name, field, question = sys.argv[1:]
client = rg.Argilla()
dataset = client.datasets(name=dataset_name, workspace=client.workspaces(workspace_name))

found = {}
for record in dataset.records(with_responses=True):
    text = record.fields[field]
    for response in record.responses:
        if response.question_name == question:
            found[record.id] = [[span["label"], text[span["start"] : span["end"]]] for span in response.value]

print(json.dumps(found))
