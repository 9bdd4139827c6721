import { maxCountedReviews, type ReviewQueueResult } from '@postil/contract/review.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { parseIds } from '@postil/contract/wire/query-lists.ts'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { seqsOf } from '#features/queue/public.ts'
import { datasetScope, type ScopeDataset } from '#features/records/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { recordIds } from '#platform/db/keys/record-ids.ts'
import { command, query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { hasAgreement } from '#question-types/agreement.ts'
import { canReview, type InDataset, type Rules, rulesOf } from './settings.ts'

type Candidate = { readonly seq: number; readonly number: number }
type Search = { readonly dataset: ScopeDataset; readonly rules: Rules; readonly userId: string; readonly limit: number }

/**
 * The upper bound (exclusive) of shuffle numbers. They are spread evenly, so the records in a range of shuffle numbers are a
 * fixed random sample.
 */
const SHUFFLE_END = 2 ** 32

/**
 * Whether a record can be reviewed by the user now. Each subquery looks up one row by the primary key, regardless of the
 * planner's estimates.
 */
const isOpen = ({ dataset: { no, min_submitted }, rules, userId }: Search, at: RawBuilder<number>, seq: RawBuilder<unknown>) => {
  const sampled = rules.mode === 'sample' ? sql`and shuffle < ${rules.sample * SHUFFLE_END}` : sql``
  const own = rules.own_answers
    ? sql``
    : sql`and (select 1 from responses where dataset_no = ${no} and responses.seq = ${seq} and user_id = ${userId}
        and status = 'submitted') is null`
  return sql`
    (select 1 from gold where dataset_no = ${no} and gold.seq = ${seq} and final and not stale) is null
    and (select 1 from review_leases where dataset_no = ${no} and review_leases.seq = ${seq} and user_id <> ${userId}
      and until > ${at}) is null
    and (select 1 from records where dataset_no = ${no} and records.seq = ${seq}
      and ${rules.needs === null ? sql`submitted - extra_answers >= ${min_submitted}` : sql`submitted >= ${rules.needs}`} ${sampled}) is not null
    ${own}`
}

/**
 * The open records whose answers to a question differ, in ascending order of agreement. The conditions must match the partial
 * index `agreement_numbers_open`. Otherwise, the database doesn't use the index.
 */
const disagreements = async (db: Db, search: Search, { no, name }: { readonly no: number; readonly name: string }) => {
  const { dataset, rules, limit } = search
  const below = rules.mode === 'disagreements' && Object.hasOwn(rules.below, name) ? rules.below[name] : 1
  const { rows } = await sql<Candidate>`
    select seq, number from agreement_numbers as one
    where dataset_no = ${dataset.no} and key = ${indexKey(no)} and not reviewed and number < 1 and number < ${below}
      and ${isOpen(search, db.dialect.now, sql.ref('one.seq'))}
    order by number, seq limit ${limit}`.execute(db.sql)
  return rows
}

/** The reviewed records whose answers or fields have changed since the review. They come first in the review queue. */
const outdated = async (db: Db, search: Search): Promise<readonly Candidate[]> => {
  const { rows } = await sql<Candidate>`
    select seq, -1 as number from gold as one
    where dataset_no = ${search.dataset.no} and stale and final and ${isOpen(search, db.dialect.now, sql.ref('one.seq'))}
    order by seq limit ${search.limit}`.execute(db.sql)
  return rows
}

/**
 * A `seq` up to which the reviews of all records are finished, keyed by dataset number. Records up to this `seq` are skipped for
 * a minute. If one of them is reopened during this time, it may be missing from the review queue.
 */
const starts = new LRUCache<number, number>({ max: 1000, ttl: 60_000 })

/** The open records in insertion order. */
const openRecords = async (db: Db, search: Search): Promise<readonly Candidate[]> => {
  const { no } = search.dataset
  const start = starts.get(no) ?? 0
  const unfinished = await sql<{ seq: number }>`
    select seq from records as one where dataset_no = ${no} and seq > ${start}
      and (select 1 from gold where dataset_no = ${no} and gold.seq = one.seq and final and not stale) is null
    order by seq limit 1`.execute(db.sql)
  const first = unfinished.rows[0]?.seq
  if (first === undefined) return []
  if (!starts.has(no)) starts.set(no, first - 1)
  const { rows } = await sql<Candidate>`
    select seq, 1 as number from records as one
    where dataset_no = ${no} and seq >= ${first} and ${isOpen(search, db.dialect.now, sql.ref('one.seq'))}
    order by seq limit ${search.limit}`.execute(db.sql)
  return rows
}

/**
 * Finds the records that wait for review, in order. `isAll` is false if one of the queries reached its limit, because some
 * records may then be missing.
 */
const findOpen = async (db: Db, search: Search): Promise<{ readonly seqs: readonly number[]; readonly isAll: boolean }> => {
  const { dataset, rules, limit } = search
  const questions = (await questionRows(db, dataset.id)).filter(({ settings }) => hasAgreement(settings))
  const lists = await pipeline([
    outdated(db, search),
    ...questions.map((question) => disagreements(db, search, question)),
    ...(rules.mode === 'disagreements' ? [] : [openRecords(db, search)]),
  ])
  const lowest = new Map<number, number>()
  for (const { seq, number } of lists.flat()) lowest.set(seq, Math.min(number, lowest.get(seq) ?? 1))
  const inOrder = [...lowest].sort(([a, one], [b, other]) => one - other || a - b)
  return { seqs: inOrder.map(([seq]) => seq), isAll: lists.every((list) => list.length < limit) }
}

/** Reserves records for the user. Records that another reviewer has reserved in the meantime are left out. */
const reserve = async (
  db: Db,
  { datasetNo, userId, until }: { readonly datasetNo: number; readonly userId: string; readonly until: RawBuilder<number> },
  seqs: readonly number[],
): Promise<ReadonlyMap<number, Micros>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .insertInto('review_leases')
    .values([...seqs].sort((a, b) => a - b).map((seq) => ({ dataset_no: datasetNo, seq, user_id: userId, until })))
    .onConflict((c) =>
      c
        .columns(['dataset_no', 'seq'])
        .doUpdateSet((eb) => ({ user_id: eb.ref('excluded.user_id'), until: eb.ref('excluded.until') }))
        .where((eb) => eb.or([eb('review_leases.user_id', '=', userId), eb('review_leases.until', '<=', db.dialect.now)])),
    )
    .returning(['seq', 'until'])
    .execute()
  return new Map(rows.map((row) => [row.seq, row.until]))
}

/**
 * Returns which of the records have a finished review. Another reviewer can finish a review after the queue has found the record.
 */
const finished = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<ReadonlySet<number>> => {
  if (seqs.length === 0) return new Set()
  const rows = await db.sql
    .selectFrom('gold')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('final', '=', true)
    .where('stale', '=', false)
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

type FindArgs = InDataset & { readonly limit: number; readonly exclude: readonly string[] }
type Waiting = {
  /** Records that could be reserved, in order. */
  readonly records: readonly { readonly seq: number; readonly id: string }[]
  readonly left: number
  readonly more: boolean
}

/** The number of additional records to try to reserve, because other reviewers may reserve some of the records first. */
const SPARE = 20

/** Finds the next records to review. @throws Problem not_found, forbidden */
export const findReviews = query('review.find', async (db, { user, dataset_id, limit, exclude }: FindArgs): Promise<Waiting> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: false })
  if (!canReview(user, dataset)) throw forbidden()
  const rules = rulesOf(dataset)
  if (rules.mode === 'off') return { records: [], left: 0, more: false }
  const counted = maxCountedReviews + 1 + exclude.length
  const { seqs: found, isAll } = await findOpen(db, { dataset, rules, userId: user.id, limit: counted })
  const excluded = new Set((await seqsOf(db, dataset.no, exclude)).values())
  const open = found.filter((seq) => !excluded.has(seq))
  const ids = await recordIds(db, dataset.no, open.slice(0, limit + SPARE))
  return {
    records: [...ids].map(([seq, id]) => ({ seq, id })),
    left: Math.min(open.length, maxCountedReviews),
    more: !isAll || open.length > maxCountedReviews,
  }
})

type ReserveArgs = InDataset & {
  readonly limit: number
  readonly records: Waiting['records']
  /** How long a record is reserved, in microseconds. */
  readonly lease: number
}

/**
 * Reserves the first records, at most `limit`, that no other reviewer has reserved or finished. @throws Problem not_found,
 * forbidden
 */
export const reserveReviews = command(
  'review.reserve',
  async (db, { user, dataset_id, limit, records, lease }: ReserveArgs): Promise<ReviewQueueResult['items']> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    if (!canReview(user, dataset)) throw forbidden()
    const items: ReviewQueueResult['items'] = []
    const until = sql<number>`${db.dialect.now} + ${lease}`
    for (let from = 0; from < records.length && items.length < limit; ) {
      const next = records.slice(from, from + limit - items.length)
      from += next.length
      const seqs = next.map(({ seq }) => seq)
      const granted = await reserve(db, { datasetNo: dataset.no, userId: user.id, until }, seqs)
      const closed = await finished(db, dataset.no, [...granted.keys()])
      for (const { seq, id } of next) {
        const end = granted.get(seq)
        if (end !== undefined && !closed.has(seq)) items.push({ record_id: id, until: printTime(end) })
      }
    }
    return items
  },
)

/**
 * Releases the given records if they are reserved for the user. If `ids` is null, releases all records that are reserved for the
 * user. @throws Problem not_found, forbidden
 */
export const releaseReviews = command(
  'review.release',
  async (db, { user, dataset_id, ids }: InDataset & { readonly ids: string | null }): Promise<void> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    if (!canReview(user, dataset)) throw forbidden()
    let leases = db.sql.deleteFrom('review_leases').where('dataset_no', '=', dataset.no).where('user_id', '=', user.id)
    if (ids !== null) {
      leases = leases.where('seq', 'in', (eb) =>
        eb
          .selectFrom('records')
          .select('records.seq')
          .where('records.dataset_no', '=', dataset.no)
          .where('records.id', 'in', [...parseIds(ids)]),
      )
    }
    await leases.execute()
  },
)
