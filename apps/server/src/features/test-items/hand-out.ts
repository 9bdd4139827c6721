import { type RawBuilder, sql } from 'kysely'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { recordIds } from '#platform/db/keys/record-ids.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { newDatasetId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { isTestFor } from './own-tests.ts'
import type { Checks } from './settings.ts'

type Person = { readonly datasetNo: number; readonly userId: string }

/** Maximum number of final answers that one query examines to find test items for a person. */
export const MAX_EXAMINED = 5000

type Decided = { readonly where: RawBuilder<unknown>; readonly limit: number }

/** Complete records that have final answers and that the person has never answered, in ascending order of `seq`. */
const unansweredOf = async (
  db: Db,
  { datasetNo, userId }: Person,
  { where, limit }: Decided,
  count: number,
): Promise<readonly number[]> => {
  const { rows } = await sql<{ seq: number }>`
    select seq from (select seq from gold where dataset_no = ${datasetNo} and final and not stale
        and ${where} order by seq limit ${limit}) as decided
    where ${isTestFor(userId, datasetNo, sql.ref('decided.seq'))}
      and (select 1 from response_tombstones where dataset_no = ${datasetNo} and response_tombstones.seq = decided.seq
        and user_id = ${userId} limit 1) is null
      and (select 1 from test_items where dataset_no = ${datasetNo} and test_items.seq = decided.seq
        and user_id = ${userId}) is null
    order by seq limit ${count}`.execute(db.sql)
  return rows.map(({ seq }) => seq)
}

/**
 * Returns which of the given records can be test items for a person. These records are complete, have final answers, and have
 * never been answered by the person.
 */
export const usableTests = async (db: Db, person: Person, seqs: readonly number[], count: number): Promise<readonly number[]> => {
  if (count === 0 || seqs.length === 0) return []
  return unansweredOf(db, person, { where: sql`seq in ${db.dialect.listed(seqs)}`, limit: seqs.length }, count)
}

/** Records that can be test items for a person, starting at a random position. */
const candidates = async (db: Db, person: Person, count: number): Promise<readonly number[]> => {
  if (count === 0) return []
  const { datasetNo } = person
  const state = await db.sql
    .selectFrom('dataset_state')
    .select('next_seq')
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  const start = Math.floor(Math.random() * state.next_seq)
  const found: number[] = []
  for (const [from, to] of [
    [start, state.next_seq],
    [0, start],
  ] as const) {
    if (found.length >= count) break
    const where = sql`seq >= ${from} and seq < ${to}`
    found.push(...(await unansweredOf(db, person, { where, limit: MAX_EXAMINED }, count)))
  }
  return found.slice(0, count)
}

/**
 * The person's test items that have no submitted or discarded answer yet, in the order in which they were assigned.
 * @param drafts whether to include test items whose answer is a draft
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

type Place = {
  /** How many records have been assigned to the person so far. */
  readonly before: number
  /**
   * How many records had been assigned to the person when the last test item was assigned. If no test item has been assigned yet,
   * this equals `before`. The first test item then comes after `every` - 1 more records, regardless of when test items were
   * turned on.
   */
  readonly last: number
}

const lastTestOf = (db: Db, { datasetNo, userId }: Person) =>
  db.sql
    .selectFrom('test_people')
    .select('handed_out')
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** How far a person is from the next test item. */
export const placeOf = async (db: Db, person: Person): Promise<Place> => {
  const [before, state] = await pipeline([handedOutTo(db, person), lastTestOf(db, person)])
  return { before, last: state?.handed_out ?? before }
}

/** New records and the test items between them, in the order in which a person gets them. */
const withPlaces = <T>(records: readonly T[], { before, last }: Place, every: number): readonly (T | 'test')[] => {
  const placed: (T | 'test')[] = []
  let lastTest = last
  for (let i = 0; ; i += 1) {
    if (before + i - lastTest >= every - 1) {
      placed.push('test')
      lastTest = before + i
    }
    if (i >= records.length) return placed
    placed.push(records[i]!)
  }
}

/**
 * How many test items a person gets together with the next `records` records. @param slots the maximum number of records and test
 * items together
 */
export const countDue = (place: Place, every: number, { records, slots }: { readonly records: number; readonly slots: number }) =>
  withPlaces(
    Array.from({ length: records }, () => 'record'),
    place,
    every,
  )
    .slice(0, Math.max(0, slots))
    .filter((one) => one === 'test').length

type HandOut = Person & {
  readonly checks: Checks
  /** The records that the person gets, in order. The first `known` of them had already been assigned to the person. */
  readonly seqs: readonly number[]
  readonly known: number
  /** The records that are already in the person's list. */
  readonly exclude: ReadonlySet<number>
  readonly limit: number
  /** The maximum number of records and test items that the person can get in addition to those that the person already has. */
  readonly room: number
  /** Whether test items with a draft are returned. */
  readonly drafts: boolean
  /**
   * Test items are chosen from these records. Records that can't be test items for the person are skipped. Null: test items are
   * chosen from the whole dataset.
   */
  readonly among: readonly number[] | null
}

/**
 * Adds test items to the records that a person gets from the queue. These are the person's open test items, and a new test item
 * after every `every` - 1 assigned records. Test items aren't leased, because their records need no answer. The caller has locked
 * the person and has leased the records. The caller must release the records that aren't returned.
 * @returns the records and test items, in order
 */
export const withTests = async (
  db: Db,
  { checks, seqs, known, exclude, limit, room, drafts, among, ...person }: HandOut,
): Promise<readonly number[]> => {
  const { datasetNo, userId } = person
  const [handedOut, open, state] = await pipeline([
    handedOutTo(db, person),
    openTests(db, person, { drafts }),
    lastTestOf(db, person),
  ])
  const before = handedOut - (seqs.length - known)
  const last = state?.handed_out ?? before
  const shown = [...open.filter((seq) => !exclude.has(seq)), ...seqs.slice(0, known)]
  const next = withPlaces(seqs.slice(known), { before, last }, checks.every)
  const slots = Math.max(0, Math.min(limit - shown.length, room))
  const wanted = next.slice(0, slots).filter((one) => one === 'test').length
  const found = among === null ? await candidates(db, person, wanted) : await usableTests(db, person, among, wanted)
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
  const placed = onlyFound(next, found.length).slice(0, slots)
  const lastPlace = placed.lastIndexOf('test')
  const lastTest = lastPlace < 0 ? last : before + placed.slice(0, lastPlace).filter((one) => one !== 'test').length
  await storePlace(db, person, state?.handed_out ?? null, lastTest)
  const tests = [...found]
  const all = [...shown, ...placed.flatMap((one) => (one === 'test' ? (tests.shift() ?? []) : [one]))]
  return all.slice(0, limit)
}

/**
 * If `next` has more `test` entries than test items were found, removes the last of these entries. The records after them move
 * up.
 * @param found how many test items were found
 */
const onlyFound = <T>(next: readonly (T | 'test')[], found: number): readonly (T | 'test')[] => {
  let tests = 0
  return next.filter((one) => {
    if (one === 'test') tests += 1
    return one !== 'test' || tests <= found
  })
}

const storePlace = async (db: Db, { datasetNo, userId }: Person, before: number | null, handedOut: number): Promise<void> => {
  if (before === handedOut) return
  await db.sql
    .insertInto('test_people')
    .values({ dataset_no: datasetNo, user_id: userId, handed_out: handedOut, continued_at: null })
    .onConflict((c) => c.columns(['dataset_no', 'user_id']).doUpdateSet({ handed_out: handedOut }))
    .execute()
}
