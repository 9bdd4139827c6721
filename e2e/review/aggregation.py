"""Aggregates labels with crowd-kit.

Reads a list of cases as JSON from standard input and prints a list of results as JSON.
"""

import json
import sys

import numpy as np
import pandas as pd
from crowdkit.aggregation import MACE, DawidSkene, OneCoinDawidSkene
from scipy.stats import entropy


def table(case):
    return pd.DataFrame({"task": case["items"], "worker": case["annotators"], "label": case["labels"]})


def results(data, probabilities):
    """All labels, tasks and workers are in the data, so sorting them gives the order of their indexes."""
    posterior = probabilities.sort_index().sort_index(axis=1)
    # The skills of this model are the mean probabilities of the workers' answers.
    accuracy = OneCoinDawidSkene._m_step(data, posterior).sort_index()
    return {
        "posterior": posterior.to_numpy().ravel().tolist(),
        "entropy": entropy(posterior.to_numpy(), axis=1).tolist(),
        "accuracy": accuracy.tolist(),
    }


def dawid_skene(case):
    data = table(case)
    model = DawidSkene(n_iter=case["rounds"], tol=-np.inf).fit(data)
    return results(data, model.probas_)


def mace(case):
    data = table(case)
    # The library mixes sorted workers and labels with those in order of appearance, so they get names for which both are the same.
    workers, worker_names = pd.factorize(data["worker"])
    labels, label_names = pd.factorize(data["label"])
    renamed = pd.DataFrame({"task": data["task"], "worker": workers, "label": labels})
    model = MACE(n_restarts=1, n_iter=case["rounds"], random_state=case["seed"]).fit(renamed)
    start = MACE(random_state=case["seed"])
    start._initialize(len(worker_names), len(label_names))
    by_worker, by_label = np.argsort(worker_names), np.argsort(label_names)
    return {
        **results(data, model.probas_.rename(columns=dict(enumerate(label_names)))),
        "start": {
            "knowing": start.spamming_[by_worker, 1].tolist(),
            "guesses": start.thetas_[by_worker][:, by_label].ravel().tolist(),
        },
    }


RULES = {"dawid_skene": dawid_skene, "mace": mace}
print(json.dumps([{"rule": case["rule"], **RULES[case["rule"]](case)} for case in json.load(sys.stdin)]))
