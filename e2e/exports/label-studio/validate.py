"""Checks tasks and their annotations with the schema of Label Studio. Reads JSON and prints what is invalid as JSON."""

import json
import sys

from label_studio_sdk.label_interface import LabelInterface


def faults(interface, task):
    # The library can't check the annotations inside a task, so they are checked one by one
    if not interface.validate_task({"data": task["data"]}):
        yield [task["id"], "data"]
    for annotation in task["annotations"]:
        for region in annotation["result"]:
            if not interface.validate_region(region):
                yield [task["id"], region]
        if not interface.validate_annotation(annotation):
            yield [task["id"], "annotation"]
    for prediction in task["predictions"]:
        if not interface.validate_prediction(prediction):
            yield [task["id"], "prediction"]


given = json.load(sys.stdin)
interface = LabelInterface(given["config"])
tasks = given["tasks"]
results = sum(len(annotation["result"]) for task in tasks for annotation in task["annotations"])
print(json.dumps({"tasks": len(tasks), "results": results, "faults": [one for task in tasks for one in faults(interface, task)]}))
