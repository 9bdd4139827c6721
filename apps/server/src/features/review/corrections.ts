import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import type { CorrectedQuestion } from '@postil/contract/corrections.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Include } from '@postil/contract/wire/query-lists.ts'
import { authorOf, goldOfRecords, type StoredGold, type Usernames, usernamesOf, usersIn } from '#features/gold/public.ts'
import { datasetScope, presentPage, type RecordPage, viewerOf } from '#features/records/public.ts'
import { responsesOfRecords, type StoredResponse } from '#features/responses/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { printTime } from '#platform/time.ts'
import { reviewPolicy } from './policy.ts'
import { type InDataset, rulesOf } from './settings.ts'

/** The maximum number of the user's reviewed answers that one request compares with the final answers. */
const MAX_COMPARED = 500

/** The parts of a record that a correction includes. */
export const correctionInclude: Include = {
  responses: true,
  suggestions: false,
  vectors: 'none',
  agreement: false,
  gold: false,
}

/** The records that have final answers and a submitted answer by the user, most recently reviewed first. */
const reviewedOf = async (
  db: Db,
  { datasetNo, userId, offset }: { readonly datasetNo: number; readonly userId: string; readonly offset: number },
): Promise<readonly number[]> => {
  const rows = await db.sql
    .selectFrom('responses')
    .innerJoin('gold', (join) =>
      join.onRef('gold.dataset_no', '=', 'responses.dataset_no').onRef('gold.seq', '=', 'responses.seq'),
    )
    .select('responses.seq')
    .where('responses.dataset_no', '=', datasetNo)
    .where('responses.user_id', '=', userId)
    .where('responses.status', '=', 'submitted')
    .where('gold.final', '=', true)
    .where('gold.stale', '=', false)
    .orderBy('gold.updated_at', 'desc')
    .orderBy('responses.seq', 'desc')
    .offset(offset)
    .limit(MAX_COMPARED + 1)
    .execute()
  return rows.map(({ seq }) => seq)
}

/**
 * The questions whose final answer differs from the user's answer. @param names the usernames of reviewers; null if the user must
 * not see them
 */
const differences = (
  questions: readonly { readonly name: string }[],
  { values }: StoredResponse,
  gold: StoredGold,
  names: Usernames | null,
): readonly CorrectedQuestion[] =>
  questions.flatMap(({ name }) => {
    const decided = Object.hasOwn(gold.values, name) ? gold.values[name] : undefined
    if (decided === undefined) return []
    const given = Object.hasOwn(values, name) ? (values[name]?.value as AnswerValue) : null
    const isSame = given !== null && comparableText(given as JsonValue) === comparableText(decided.value as JsonValue)
    if (isSame) return []
    const { value: final, reason, note, by, at } = decided
    return [{ name, value: given, final, reason, note, by: names && authorOf(by, names), at: printTime(at) }]
  })

type FindArgs = InDataset & { readonly limit: number; readonly offset: number }
type Found = {
  readonly page: RecordPage
  readonly questions: ReadonlyMap<number, readonly CorrectedQuestion[]>
  readonly next: number | null
}

/** The user's submitted answers that differ from the final answers. @throws Problem not_found, forbidden */
export const findCorrections = query(
  'review.corrections',
  async (db, { user, dataset_id, limit, offset }: FindArgs): Promise<Found> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: false })
    if (!reviewPolicy.corrections(user, dataset)) throw forbidden()
    const [questions, reviewed, viewer] = await pipeline([
      questionRows(db, dataset.id),
      reviewedOf(db, { datasetNo: dataset.no, userId: user.id, offset }),
      viewerOf(db, dataset.id, user, { own: true }),
    ])
    const compared = reviewed.slice(0, MAX_COMPARED)
    const [golds, responses] = await pipeline([
      goldOfRecords(db, dataset.no, compared),
      responsesOfRecords(db, dataset.no, compared, user.id),
    ])
    const isNamed = rulesOf(dataset).names === 'shown' || reviewPolicy.seeNames(user, dataset)
    const names = isNamed ? await usernamesOf(db, [...golds.values()].flatMap(usersIn)) : null
    const found = new Map<number, readonly CorrectedQuestion[]>()
    let examined = 0
    for (const seq of compared) {
      if (found.size === limit) break
      examined += 1
      const [gold, response] = [golds.get(seq), responses.get(seq)?.[0]]
      const differing = gold === undefined || response === undefined ? [] : differences(questions, response, gold, names)
      if (differing.length > 0) found.set(seq, differing)
    }
    const page = await presentPage(db, dataset, [...found.keys()], { include: correctionInclude, viewer })
    return { page, questions: found, next: examined < reviewed.length ? offset + examined : null }
  },
)
