import type { SuggestionOutcome, SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import { questionRows } from '#features/schema/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Store } from '#platform/db/store.ts'
import type { UserShares } from '#platform/shares.ts'
import { datasetToCompare, type OfDataset } from './queries.ts'

/** What became of an agent's suggestions for a question, in submitted answers. */
export type Acceptance = {
  readonly question_id: string
  readonly question: string
  /** Null for suggestions without an agent. */
  readonly agent: string | null
  /** The author of the answers. Null if the counts are those of all people. */
  readonly user_id: string | null
  /** Answers whose suggestion was shown: the sum of the three outcomes. */
  readonly shown: number
  readonly confirmed: number
  readonly changed: number
  readonly accepted_unseen: number
  /** Answers without outcomes, for example from scripts, to records that now have such a suggestion. Not part of `shown`. */
  readonly unknown: number
}

type Counts = { [K in SuggestionOutcome | 'unknown']: number }
type Options = {
  /** Count only these users' answers; null for all. */
  readonly users: readonly string[] | null
  /** Whether to count each user's answers separately. */
  readonly perUser: boolean
}

/** How often each distinct set of outcomes was stored. There are few, because equal outcomes have equal JSON. */
const distinctOutcomes = (db: Db, datasetNo: number, { users, perUser }: Options) => {
  let rows = db.sql
    .selectFrom('responses')
    .select((eb) => ['suggestion_outcomes', eb.fn.countAll<number>().as('n')])
    .where('dataset_no', '=', datasetNo)
    .where('status', '=', 'submitted')
    .where('suggestion_outcomes', 'is not', null)
    .groupBy('suggestion_outcomes')
  if (users !== null) rows = rows.where('user_id', 'in', users)
  return perUser ? rows.select('user_id').groupBy('user_id').execute() : rows.execute()
}

/** The submitted answers without outcomes, by the suggestions that their records have now. */
const unknownOutcomes = (db: Db, datasetNo: number, { users, perUser }: Options) => {
  let rows = db.sql
    .selectFrom('responses')
    .innerJoin('suggestions', (join) =>
      join.onRef('suggestions.dataset_no', '=', 'responses.dataset_no').onRef('suggestions.seq', '=', 'responses.seq'),
    )
    .select((eb) => ['suggestions.question_no', 'suggestions.agent', eb.fn.countAll<number>().as('n')])
    .where('responses.dataset_no', '=', datasetNo)
    .where('responses.status', '=', 'submitted')
    .where('responses.suggestion_outcomes', 'is', null)
    .groupBy(['suggestions.question_no', 'suggestions.agent'])
  if (users !== null) rows = rows.where('responses.user_id', 'in', users)
  return perUser ? rows.select('responses.user_id').groupBy('responses.user_id').execute() : rows.execute()
}

const compareTexts = (a: string | null, b: string | null): number => {
  const [x, y] = [a ?? '', b ?? '']
  return x < y ? -1 : x > y ? 1 : 0
}

/** Reads all submitted answers of the dataset. Slow. @throws Problem not_found, forbidden */
export const readAcceptance = query(
  'agreement.acceptance',
  async (db, { users, perUser, ...of }: OfDataset & Options): Promise<readonly Acceptance[]> => {
    const dataset = await datasetToCompare(db, of)
    const options = { users, perUser }
    const [questions, known, unknown] = await pipeline([
      questionRows(db, dataset.id),
      distinctOutcomes(db, dataset.no, options),
      unknownOutcomes(db, dataset.no, options),
    ])
    const counts = questions.map((question) => ({ question, byPlace: new Map<string, Counts>() }))
    const add = (questionNo: number | string, agent: string | null, user: string | null, key: keyof Counts, n: number): void => {
      const found = counts.find(({ question: { no, name } }) => no === questionNo || name === questionNo)
      const place = JSON.stringify([agent, user])
      const before = found?.byPlace.get(place) ?? { confirmed: 0, changed: 0, accepted_unseen: 0, unknown: 0 }
      found?.byPlace.set(place, { ...before, [key]: before[key] + n })
    }
    for (const row of known) {
      const user = 'user_id' in row ? String(row.user_id) : null
      const uses = Object.entries((row.suggestion_outcomes ?? {}) as SuggestionOutcomes)
      for (const [name, { outcome, agent }] of uses) add(name, agent, user, outcome, Number(row.n))
    }
    for (const row of unknown) {
      const user = 'user_id' in row ? String(row.user_id) : null
      add(row.question_no, row.agent, user, 'unknown', Number(row.n))
    }
    return counts.flatMap(({ question: { id, name }, byPlace }) =>
      [...byPlace]
        .map(([place, found]): Acceptance => {
          const [agent, user_id] = JSON.parse(place) as [string | null, string | null]
          const shown = found.confirmed + found.changed + found.accepted_unseen
          return { question_id: id, question: name, agent, user_id, shown, ...found }
        })
        .sort((a, b) => compareTexts(a.agent, b.agent) || compareTexts(a.user_id, b.user_id)),
    )
  },
)

/** Counts what became of the suggestions, by question and agent. @throws Problem not_found, forbidden */
export const acceptanceOf = async (
  ctx: { readonly store: Store } & UserShares,
  user: Actor,
  dataset_id: string,
  { users = null, perUser = false }: Partial<Options> = {},
): Promise<readonly Acceptance[]> => {
  const release = await ctx.slowSearches.take(user.id)
  try {
    return await ctx.store.read(readAcceptance, { user: actorOf(user), dataset_id, users, perUser }, { lane: 'slow' })
  } finally {
    release()
  }
}
