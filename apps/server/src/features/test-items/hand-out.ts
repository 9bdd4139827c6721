import { sql } from 'kysely'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { recordIds } from '#platform/db/keys/record-ids.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { newDatasetId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { isTestFor } from './own-tests.ts'
import type { Checks } from './settings.ts'

type Person = { readonly datasetNo: number; readonly userId: string }

/** How many of the final answers after a random place are examined for records that the person hasn't answered. */
const MAX_EXAMINED = 5000

/**
 * Complete records with final answers that the person has never answered, from a random place on.
 */
const candidates = async (db: Db, person: Person, count: number): Promise<readonly number[]> => {
  if (count === 0) return []
  const { datasetNo, userId } = person
  const state = await db.sql
    .selectFrom('dataset_state')
    .select('next_seq')
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  const start = Math.floor(Math.random() * state.next_seq)
  const part = (from: number, to: number) => sql<{ seq: number }>`
    select seq from (select seq from gold where dataset_no = ${datasetNo} and final and not stale
        and seq >= ${from} and seq < ${to}
        order by seq limit ${MAX_EXAMINED}) as decided
    where ${isTestFor(userId, datasetNo, sql.ref('decided.seq'))}
      and (select 1 from response_tombstones where dataset_no = ${datasetNo} and response_tombstones.seq = decided.seq
        and user_id = ${userId} limit 1) is null
      and (select 1 from test_items where dataset_no = ${datasetNo} and test_items.seq = decided.seq
        and user_id = ${userId}) is null
    order by seq limit ${count}`
  const found: number[] = []
  for (const [from, to] of [
    [start, state.next_seq],
    [0, start],
  ] as const) {
    if (found.length >= count) break
    const { rows } = await part(from, to).execute(db.sql)
    found.push(...rows.map(({ seq }) => seq))
  }
  return found.slice(0, count)
}

/**
 * The person's test items that have no submitted or discarded answer yet, the first one that was assigned first.
 * @param drafts whether to include those with a draft
 */
export const openTests = async (db: Db, person: Person, { drafts }: { readonly drafts: boolean }): Promise<readonly number[]> => {
  const { datasetNo, userId } = person
  const { rows } = await sql<{ seq: number }>`
    select seq from test_items where dataset_no = ${datasetNo} and user_id = ${userId}
      and (status is null ${drafts ? sql`or status = 'draft'` : sql``}) and ${isTestFor(userId, datasetNo, sql.ref('test_items.seq'))}
      and (select 1 from gold where dataset_no = ${datasetNo} and gold.seq = test_items.seq and final and not stale) is not null
    order by inserted_at, seq`.execute(db.sql)
  return rows.map(({ seq }) => seq)
}

/** How many records have been assigned to the person: those that the person has answered or holds. */
const handedOutTo = async (db: Db, { datasetNo, userId }: Person): Promise<number> => {
  const [answered, held] = await pipeline([
    db.sql
      .selectFrom('user_counts')
      .select((eb) => eb.fn.sum<number | null>('n').as('n'))
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .where('response_status', '!=', 'draft')
      .executeTakeFirst(),
    db.sql
      .selectFrom('leases')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .where('until', '>', db.dialect.now)
      .executeTakeFirst(),
  ])
  return Number(answered?.n ?? 0) + Number(held?.n ?? 0)
}

type HandOut = Person & {
  readonly checks: Checks
  /** The records that the person gets, in order. The first `known` have been assigned before. */
  readonly seqs: readonly number[]
  readonly known: number
  /** The records that the person's list contains already. */
  readonly exclude: ReadonlySet<number>
  readonly limit: number
  /** How many records and test items the person can get in addition to those that the person has. */
  readonly room: number
  /** Whether test items with a draft are returned. */
  readonly drafts: boolean
}

/**
 * Adds test items to the records that a person gets from the queue: those that are still open, and a new one each time that
 * `every` - 1 records have been assigned. They aren't leased, because they need no answer. The caller has locked the person and
 * has leased the records. The caller releases the records that aren't returned. @returns the records and test items, in order
 */
export const withTests = async (
  db: Db,
  { checks, seqs, known, exclude, limit, room, drafts, ...person }: HandOut,
): Promise<readonly number[]> => {
  const { datasetNo, userId } = person
  const [handedOut, open, state] = await pipeline([
    handedOutTo(db, person),
    openTests(db, person, { drafts }),
    db.sql
      .selectFrom('test_people')
      .select('handed_out')
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  ])
  const before = handedOut - (seqs.length - known)
  // The first test item comes after `every` - 1 records, whenever test items are turned on.
  let last = state?.handed_out ?? before
  const shown = [...open.filter((seq) => !exclude.has(seq)), ...seqs.slice(0, known)]
  /** New test items and records, in order. */
  const next: (number | 'test')[] = []
  const placeTest = (count: number): void => {
    if (count - last < checks.every - 1) return
    next.push('test')
    last = count
  }
  placeTest(before)
  for (const [i, seq] of seqs.slice(known).entries()) {
    next.push(seq)
    placeTest(before + i + 1)
  }
  const placed = next.slice(0, Math.max(0, Math.min(limit - shown.length, room)))
  const wanted = placed.filter((one) => one === 'test').length
  const found = await candidates(db, person, wanted)
  const ids = await recordIds(db, datasetNo, found)
  const at = now()
  await db.dialect.insertMany(
    db.sql,
    'test_items',
    found.map((seq) => ({
      dataset_no: datasetNo,
      seq,
      user_id: userId,
      id: newDatasetId(datasetNo),
      record_id: ids.get(seq)!,
      values: json({}),
      suggestion_outcomes: null,
      status: null,
      active_ms: null,
      version: 0,
      last_mutation_id: null,
      rightness: null,
      gold_version: null,
      inserted_at: at,
      updated_at: at,
    })),
  )
  await storePlace(
    db,
    person,
    state?.handed_out ?? null,
    placeOfLast(placed, { before, found: found.length, last: state?.handed_out ?? before }),
  )
  const tests = [...found]
  const all = [...shown, ...placed.flatMap((one) => (one === 'test' ? (tests.shift() ?? []) : [one]))]
  return all.slice(0, limit)
}

/** How many records had been assigned before the last test item that was found. */
const placeOfLast = (
  placed: readonly (number | 'test')[],
  { before, found, last }: { readonly before: number; readonly found: number; readonly last: number },
): number => {
  let [count, tests, place] = [before, 0, last]
  for (const one of placed) {
    if (one !== 'test') count += 1
    else if (tests < found) {
      tests += 1
      place = count
    }
  }
  return place
}

const storePlace = async (db: Db, { datasetNo, userId }: Person, before: number | null, handedOut: number): Promise<void> => {
  if (before === handedOut) return
  await db.sql
    .insertInto('test_people')
    .values({ dataset_no: datasetNo, user_id: userId, handed_out: handedOut, continued_at: null })
    .onConflict((c) => c.columns(['dataset_no', 'user_id']).doUpdateSet({ handed_out: handedOut }))
    .execute()
}
