"""Computes figures about a model's answers with published libraries.

Reads a list of cases as JSON from standard input and prints a list of results as JSON. A result is null if the library doesn't
define it.
"""

import json
import math
import sys
import warnings

import numpy as np
from scipy.stats import mannwhitneyu, ttest_1samp
from sklearn.metrics import brier_score_loss, precision_recall_fscore_support
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

warnings.simplefilter("ignore")


def finite(value):
    return float(value) if math.isfinite(value) else None


def kappa(case):
    table = np.zeros((case["values"], case["values"]))
    for expected, given in case["pairs"]:
        table[expected, given] += 1
    used = (table.sum(axis=0) + table.sum(axis=1)) > 0
    positions = np.arange(case["values"])[used]
    table = table[used][:, used]
    if len(table) < 2:
        return None
    weights = (positions[:, None] - positions) ** 2 if case["weighted"] else (positions[:, None] != positions) * 1.0
    result = cohens_kappa(table, weights=weights)
    found = [finite(result.kappa), finite(result.kappa_low), finite(result.kappa_upp)]
    return None if None in found else found


def labels(case):
    expected, given = zip(*case["pairs"])
    used = sorted(set(expected) | set(given))
    precision, recall, _, _ = precision_recall_fscore_support(expected, given, labels=used, zero_division=np.nan)
    return [[label, finite(precision[i]), finite(recall[i])] for i, label in enumerate(used)]


def wilson(case):
    right = sum(expected == given for expected, given in case["pairs"])
    return list(proportion_confint(right, len(case["pairs"]), method="wilson"))


def difference(case):
    one, other = case["groups"]
    return [float(bound) for bound in confint_proportions_2indep(*one, *other, method="newcomb", compare="diff")]


def calibration(case):
    scores = np.array(case["scores"])
    right = np.array([expected == given for expected, given in case["pairs"]]) * 1.0
    bins = np.searchsorted(np.linspace(0, 1, 11)[1:-1], scores)
    error = sum(np.abs(right[bins == b].mean() - scores[bins == b].mean()) * (bins == b).mean() for b in set(bins))
    return [float(error), float(brier_score_loss(right, scores, pos_label=1))]


def longer(case):
    lengths = np.array(case["lengths"])
    right = np.array([expected == given for expected, given in case["pairs"]])
    if right.all() or not right.any():
        return None
    wrong, others = lengths[~right], lengths[right]
    return float(mannwhitneyu(wrong, others).statistic / (len(wrong) * len(others)))


def alternative(case):
    values = []
    for duels in case["duels"]:
        differences = [float(person >= model) - float(model >= person) for model, person in duels]
        p = ttest_1samp(differences, case["epsilon"], alternative="less").pvalue
        values.append(float(p) if math.isfinite(p) else float(np.mean(differences) >= case["epsilon"]))
    return [values, multipletests(values, alpha=0.05, method="fdr_by")[0].tolist()]


def result(case):
    b, c = case["discordant"]
    return {
        "kappa": kappa(case),
        "labels": labels(case),
        "wilson": wilson(case),
        "difference": difference(case),
        "calibration": calibration(case),
        "longer": longer(case),
        "alternative": alternative(case),
        "mcnemar": float(mcnemar([[0, b], [c, 0]], exact=True).pvalue),
    }


print(json.dumps([result(case) for case in json.load(sys.stdin)]))
