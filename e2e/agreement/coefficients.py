"""Computes coefficients of agreement with published libraries.

Reads a list of cases as JSON from standard input and prints a list of results as JSON. A result is null if the library doesn't
define it.
"""

import json
import math
import sys
import warnings
from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from nervaluate import Evaluator
from nltk.metrics.agreement import AnnotationTask
from scipy.optimize import linear_sum_assignment
from scipy.stats import friedmanchisquare, kendalltau
from sklearn.metrics import cohen_kappa_score

warnings.simplefilter("ignore")


def finite(value):
    return None if value is None or not math.isfinite(value) else float(value)


def attempt(compute):
    """Libraries raise errors of many types for constant answers and for too few of them."""
    try:
        return finite(compute())
    except Exception:
        return None


def table(case):
    """Units as rows and raters as columns, with NaN for missing answers."""
    cells = np.full((case["units"], case["raters"]), np.nan)
    for answer in case["answers"]:
        cells[answer["unit"], answer["rater"]] = answer["value"]
    return cells


def alphas(case, levels):
    data = table(case).T
    return {level: attempt(lambda: krippendorff.alpha(reliability_data=data, level_of_measurement=level)) for level in levels}


def gwet(case, weights):
    cells = table(case)
    rows = pd.DataFrame(cells[~np.isnan(cells).all(axis=1)])
    categories = list(range(case["values"]))
    return attempt(lambda: CAC(rows, weights=weights, categories=categories).gwet()["est"]["coefficient_value"])


def kappas(case, weights):
    cells = table(case)
    found = []
    for a, b in combinations(range(case["raters"]), 2):
        shared = cells[~np.isnan(cells[:, [a, b]]).any(axis=1)]
        if len(shared) > 0:
            labels = list(range(case["values"]))
            x, y = shared[:, a].astype(int), shared[:, b].astype(int)
            kappa = attempt(lambda: cohen_kappa_score(x, y, labels=labels, weights=weights))
            found.append({"a": a, "b": b, "units": len(shared), "kappa": kappa})
    return found


def jaccard(a, b):
    return 0.0 if not a | b else 1 - len(a & b) / len(a | b)


def masi(a, b):
    if not a | b:
        return 0.0
    contained = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0
    return 1 - len(a & b) / len(a | b) * contained


def set_alpha(triples, distance):
    """nltk compares all items, so items with one answer are left out first."""
    counts = {}
    for _, item, _ in triples:
        counts[item] = counts.get(item, 0) + 1
    shared = [one for one in triples if counts[one[1]] > 1]
    # If all label sets are equal, alpha is undefined, but nltk returns 1.
    if len({labels for _, _, labels in shared}) < 2:
        return None
    return attempt(lambda: AnnotationTask(data=shared, distance=distance).alpha())


def tree_distance(paths):
    """Length of the path between two labels, counted over a common root of all trees."""

    def distance(a, b):
        (c,), (k,) = a, b
        shared = len(set(paths[c]) & set(paths[k]))
        return (len(paths[c]) + len(paths[k]) - 2 * shared) / (2 * max(len(path) for path in paths))

    return distance


def with_ancestors(labels, paths):
    return frozenset(one for label in labels for one in paths[label])


def categories(case):
    triples = [(one["rater"], one["unit"], frozenset([one["value"]])) for one in case["answers"]]
    tree = set_alpha(triples, tree_distance(case["paths"]))
    return {**alphas(case, ["nominal"]), "tree": tree, "gwet": gwet(case, "identity"), "kappas": kappas(case, None)}


def scale(case):
    return {**alphas(case, ["ordinal", "interval"]), "gwet": gwet(case, "quadratic"), "kappas": kappas(case, "quadratic")}


def sets(case):
    triples = [(one["rater"], one["unit"], frozenset(case["sets"][one["value"]])) for one in case["answers"]]
    labels = sorted({label for one in case["sets"] for label in one})
    binary = {
        label: set_alpha([(rater, unit, frozenset([label in given])) for rater, unit, given in triples], jaccard) for label in labels
    }
    above = [(rater, unit, with_ancestors(given, case["paths"])) for rater, unit, given in triples]
    tree = set_alpha(above, jaccard)
    return {"jaccard": set_alpha(triples, jaccard), "masi": set_alpha(triples, masi), "tree": tree, "labels": binary}


def by_unit(case):
    units = {}
    for one in sorted(case["answers"], key=lambda one: (one["unit"], one["rater"])):
        units.setdefault(one["unit"], []).append(one["value"])
    return [values for values in units.values() if len(values) > 1]


def rankings(case):
    taus, concordances = [], []
    for values in by_unit(case):
        ranks = [case["rankings"][value] for value in values]
        pairs = [finite(kendalltau(a, b, variant="b").statistic) for a, b in combinations(ranks, 2)]
        defined = [one for one in pairs if one is not None]
        if defined:
            taus.append(np.mean(defined))
        # Friedman's statistic is W · m · (n − 1), with the same correction for ties.
        size = len(ranks[0])
        statistic = attempt(lambda: friedmanchisquare(*np.array(ranks).T).statistic)
        if statistic is not None:
            concordances.append(statistic / (len(ranks) * (size - 1)))
    return {"tau": finite(np.mean(taus)) if taus else None, "w": finite(np.mean(concordances)) if concordances else None}


def overlap(a, b):
    shared = min(a["end"], b["end"]) - max(a["start"], b["start"])
    return shared > 0 and shared / (a["end"] - a["start"] + b["end"] - b["start"] - shared) >= 0.5


def spans(case):
    letters = [
        (one["rater"], one["unit"] * case["length"] + at, frozenset(
            span["label"] for span in case["spans"][one["value"]] if span["start"] <= at < span["end"]
        ))
        for one in case["answers"]
        for at in range(case["length"])
    ]
    pairs = [pair for values in by_unit(case) for pair in combinations([case["spans"][value] for value in values], 2)]
    size = sum(len(a) + len(b) for a, b in pairs)
    matched = 0
    for a, b in pairs:
        if a and b:
            costs = np.array([[-int(x["label"] == y["label"] and overlap(x, y)) for y in b] for x in a])
            matched -= costs[linear_sum_assignment(costs)].sum()
    exact = None
    if size > 0:
        labels = sorted({span["label"] for one in case["spans"] for span in one})
        result = Evaluator([a for a, _ in pairs], [b for _, b in pairs], tags=labels, loader="dict").evaluate()
        exact = finite(result["overall"]["strict"].f1)
    return {"jaccard": set_alpha(letters, jaccard), "exact": exact, "overlapping": float(2 * matched / size) if size > 0 else None}


KINDS = {"categories": categories, "scale": scale, "sets": sets, "rankings": rankings, "spans": spans}
print(json.dumps([KINDS[case["kind"]](case) for case in json.load(sys.stdin)]))
