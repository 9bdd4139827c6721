import { comparedFields, type Sides } from '@postil/contract/comparison-sides.ts'
import { type ComparisonReport, type getComparisons, maxComparedModels, type RankedModel } from '@postil/contract/comparisons.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import type { UserShares } from '#platform/shares.ts'
import { wilsonInterval } from '#platform/wilson.ts'
import { intervalsOf, type Pair, strengthsOf } from './bradley-terry.ts'
import type { ComparisonCounts } from './counts.ts'
import * as queries from './queries.ts'

type Ctx = { readonly store: Store } & UserShares

/** The probability that a player with this strength wins against a player with the mean strength. */
const chanceOf = (strength: number): number => 1 / (1 + Math.exp(-strength))

const rank = ({ duels }: ComparisonCounts): RankedModel[] => {
  const names = [...new Set([...duels.keys()].flatMap((key) => JSON.parse(key) as Sides))].sort()
  if (names.length > maxComparedModels)
    throw unprocessable(message('tooManyModels', { found: names.length, limit: maxComparedModels }))
  const index = new Map(names.map((name, at) => [name, at]))
  const pairs = [...duels].map(([key, results]): Pair => {
    const [first, second] = JSON.parse(key) as Sides
    return { first: index.get(first) ?? 0, second: index.get(second) ?? 0, ...results }
  })
  const strengths = strengthsOf(pairs)
  const intervals = intervalsOf(pairs, strengths)
  const models = names.map((name, at): RankedModel => {
    const own = pairs.filter(({ first, second }) => first === at || second === at)
    const sum = (of: (pair: Pair) => number): number => own.reduce((all, pair) => all + of(pair), 0)
    const strength = strengths.get(at)
    const interval = intervals.get(at)
    return {
      name,
      wins: sum(({ first, wins, losses }) => (first === at ? wins : losses)),
      losses: sum(({ first, wins, losses }) => (first === at ? losses : wins)),
      ties: sum(({ ties }) => ties),
      score: strength === undefined ? null : chanceOf(strength),
      interval: interval === undefined ? null : { low: chanceOf(interval.low), high: chanceOf(interval.high) },
    }
  })
  // Rounded, because computed strengths that should be equal can differ in the last digits.
  const place = ({ score }: RankedModel): number => (score === null ? -1 : Math.round(score * 1e9))
  return models.sort((a, b) => place(b) - place(a) || (a.name < b.name ? -1 : 1))
}

const print = (counts: ComparisonCounts, hasModels: boolean): ComparisonReport => {
  const { question, answers, preferred, ties, bothBad, sides, leftOut } = counts
  return {
    question_id: question.id,
    name: question.name,
    answers,
    fields: comparedFields(question.settings.compare).map((name, at) => ({ name, preferred: preferred[at] ?? 0 })),
    ties,
    both_bad: bothBad,
    sides: {
      ...sides,
      share: sides.answers === 0 ? null : { value: sides.first / sides.answers, ...wilsonInterval(sides.first, sides.answers) },
    },
    models: hasModels ? { comparisons: answers - leftOut, left_out: leftOut, ranking: rank(counts) } : null,
  }
}

/**
 * Reports the answers to all comparison questions of a dataset. @throws Problem not_found, forbidden, unprocessable
 */
export const report = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  { first, second }: QueryOf<typeof getComparisons>,
): Promise<{ items: ComparisonReport[] }> => {
  if ((first === undefined) !== (second === undefined)) throw unprocessable(message('twoModelProperties'))
  const properties: Sides | null = first === undefined || second === undefined ? null : [first, second]
  const release = await ctx.slowSearches.take(user.id)
  try {
    const counts = await ctx.store.read(
      queries.countComparisons,
      { user: actorOf(user), dataset_id, properties },
      { lane: 'slow' },
    )
    return { items: counts.map((one) => print(one, properties !== null)) }
  } finally {
    release()
  }
}
