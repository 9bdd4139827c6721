"""Computes Bradley–Terry strengths with choix.

Reads a list of cases as JSON from standard input and prints a list of results as JSON. A case is the number of players and pairs
`[first, second, wins, losses, ties]`.
"""

import json
import sys

import choix


def strengths(case):
    count, pairs = case
    won = []
    for first, second, wins, losses, ties in pairs:
        # All results count twice, so that a tie is a win for each of both.
        won += [(first, second)] * (2 * wins + ties) + [(second, first)] * (2 * losses + ties)
    found = choix.ilsr_pairwise(count, won, max_iter=1000, tol=1e-10)
    return [float(one) for one in found - found.mean()]


print(json.dumps([strengths(case) for case in json.load(sys.stdin)]))
