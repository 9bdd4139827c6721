import { sql } from 'kysely'
import { goldOfRecords } from '#features/gold/public.ts'
import { questionRowsAt } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { wilsonInterval } from '#platform/wilson.ts'
import { scoreOf } from './score.ts'
import type { Checks } from './settings.ts'

/** The minimum number of scored test items before a person can be stopped. */
const LEAST_ITEMS = 10

export type TestResult = {
  readonly user_id: string
  /** The number of scored test items. */
  readonly items: number
  /** The mean score, from 0 to 1, with a 95% interval. */
  readonly score: { readonly value: number; readonly low: number; readonly high: number }
  /** Whether the queue assigns no more records to the person. */
  readonly stopped: boolean
}

type Sums = { items: number; sum: number; recentItems: number; recentSum: number }
type Row = { readonly user_id: string; readonly score: number; readonly recent: boolean }

/**
 * Whether an answer counts for the decision to stop the person. If a lead has let the person continue, only answers after that
 * time count. 1 if the answer counts, otherwise 0.
 */
const isRecent = sql<number>`case when test_people.continued_at is null or test_items.inserted_at > test_people.continued_at
  then 1 else 0 end`

/**
 * Selects submitted answers to test items. The review of the record must be finished, and its final answers must not be stale.
 * Other answers to test items aren't scored until the review is finished again.
 */
const scored = (db: Db, datasetNo: number, userId: string | null) => {
  const query = db.sql
    .selectFrom('test_items')
    .innerJoin('gold', (join) =>
      join.onRef('gold.dataset_no', '=', 'test_items.dataset_no').onRef('gold.seq', '=', 'test_items.seq'),
    )
    .leftJoin('test_people', (join) =>
      join.onRef('test_people.dataset_no', '=', 'test_items.dataset_no').onRef('test_people.user_id', '=', 'test_items.user_id'),
    )
    .where('test_items.dataset_no', '=', datasetNo)
    .where('test_items.status', '=', 'submitted')
    .where('gold.final', '=', true)
    .where('gold.stale', '=', false)
  return userId === null ? query : query.where('test_items.user_id', '=', userId)
}

/** For each person, the sum of the stored scores. Includes only answers that were compared with the current final answers. */
const storedScores = async (db: Db, datasetNo: number, userId: string | null) =>
  scored(db, datasetNo, userId)
    .whereRef('gold.version', '=', 'test_items.gold_version')
    .where('test_items.rightness', 'is not', null)
    .select(['test_items.user_id'])
    .select((eb) => [eb.fn.countAll<number>().as('items'), eb.fn.sum<number>('test_items.rightness').as('sum')])
    .select([
      sql<number>`sum(${isRecent})`.as('recentItems'),
      sql<number>`sum(test_items.rightness * ${isRecent})`.as('recentSum'),
    ])
    .groupBy('test_items.user_id')
    .execute()

/** The scores of answers that were compared with an earlier version of the final answers. */
const changedScores = async (db: Db, datasetNo: number, userId: string | null, tolerance: number): Promise<readonly Row[]> => {
  const rows = await scored(db, datasetNo, userId)
    .whereRef('gold.version', '!=', 'test_items.gold_version')
    .select(['test_items.seq', 'test_items.user_id', 'test_items.values', isRecent.as('recent')])
    .execute()
  if (rows.length === 0) return []
  const [questions, golds] = await pipeline([
    questionRowsAt(db, datasetNo),
    goldOfRecords(db, datasetNo, [...new Set(rows.map(({ seq }) => seq))]),
  ])
  return rows.flatMap(({ seq, user_id, values, recent }) => {
    const gold = golds.get(seq)
    const score = gold === undefined ? null : scoreOf(questions, values, gold, tolerance)
    return score === null ? [] : [{ user_id, score, recent: Number(recent) === 1 }]
  })
}

/**
 * The results of everyone who has answered test items, or of one person.
 * @param checks the current rules; null if test items are turned off. In that case, nobody counts as stopped
 */
export const testResults = async (
  db: Db,
  datasetNo: number,
  { checks, userId = null }: { readonly checks: Checks | null; readonly userId?: string | null },
): Promise<readonly TestResult[]> => {
  const all = new Map<string, Sums>()
  for (const { user_id, items, sum, recentItems, recentSum } of await storedScores(db, datasetNo, userId))
    all.set(user_id, {
      items: Number(items),
      sum: Number(sum),
      recentItems: Number(recentItems),
      recentSum: Number(recentSum),
    })
  for (const { user_id, score, recent } of await changedScores(db, datasetNo, userId, checks?.tolerance ?? 0)) {
    const sums = all.get(user_id) ?? { items: 0, sum: 0, recentItems: 0, recentSum: 0 }
    sums.items += 1
    sums.sum += score
    if (recent) {
      sums.recentItems += 1
      sums.recentSum += score
    }
    all.set(user_id, sums)
  }
  return [...all].map(([user_id, { items, sum, recentItems, recentSum }]) => ({
    user_id,
    items,
    score: { value: sum / items, ...wilsonInterval(sum, items) },
    stopped: isBelow(checks, recentItems, recentSum),
  }))
}

const isBelow = (checks: Checks | null, items: number, sum: number): boolean =>
  checks?.stop_below != null && items >= LEAST_ITEMS && wilsonInterval(sum, items).high < checks.stop_below

/** Whether the queue assigns no more records to a person. */
export const isStopped = async (db: Db, datasetNo: number, userId: string, checks: Checks | null): Promise<boolean> => {
  if (checks?.stop_below == null) return false
  const [result] = await testResults(db, datasetNo, { checks, userId })
  return result?.stopped ?? false
}
