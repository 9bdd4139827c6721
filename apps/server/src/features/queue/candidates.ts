import { sql } from 'kysely'
import { openRecords, orderOf, type Placed, type QueueReach } from '#features/search/service.ts'
import { together } from '#platform/db/statements/together.ts'

/** How many partly answered records are looked at for somebody at a time. */
const LOOKED_AT = 1000

type Reach = Pick<QueueReach, 'db' | 'datasetNo'>
type Look = { readonly seq: number; readonly shuffle: number; readonly answered: number | null }

/** From where on partly answered records are looked at for somebody who has answered very many of them: a hint. */
const cursors = new Map<string, number>()
const MOST_CURSORS = 10_000
const END = 2 ** 32

/**
 * Partly answered records by `shuffle`, from a place on and then from the beginning. NOTE: conditions as in the index
 * `records_partly`, or it is not used.
 */
const lookFrom = async ({ db, datasetNo }: Reach, userId: string, from: number): Promise<readonly Look[]> => {
  const part = (least: number, below: number) => sql`
    select looked.seq, looked.shuffle, (select 1 from responses where responses.dataset_no = ${datasetNo}
      and responses.seq = looked.seq and responses.user_id = ${userId}) as answered
    from (select seq, shuffle from records
      where dataset_no = ${datasetNo} and status = 'pending' and submitted > 0 and shuffle >= ${least} and shuffle < ${below}
      order by shuffle, seq limit ${LOOKED_AT}) as looked`
  const { rows } = await sql<Look>`${part(from, END)} union all ${part(0, from)}`.execute(db.sql)
  // NOTE: neither engine promises the order of the parts
  const inOrder = [...rows].sort((a, b) => Number(a.shuffle < from) - Number(b.shuffle < from) || a.shuffle - b.shuffle)
  return inOrder.slice(0, LOOKED_AT)
}

/** Of partly answered records those that the user has not answered: all when not more than that can be looked at. */
const openOf = (
  looked: readonly Look[],
  name: string,
  { count, skip }: { readonly count: number; readonly skip: ReadonlySet<number> },
): readonly Look[] => {
  const open = looked.filter(({ seq, answered }) => answered === null && !skip.has(seq))
  const last = looked[LOOKED_AT - 1]
  if (last === undefined) cursors.delete(name)
  else if (open.length < count) {
    cursors.set(name, last.shuffle)
    if (cursors.size > MOST_CURSORS) cursors.delete(cursors.keys().next().value ?? '')
  }
  return open
}

type Draft = { readonly seq: number; readonly shuffle: number | null; readonly submitted: number | null }

/** The user's drafts to pending records, which are in nobody's list of open records but still the user's work. */
const ownDrafts = async ({ db, datasetNo }: Reach, userId: string): Promise<readonly Draft[]> => {
  const { rows } = await sql<Draft>`
    select responses.seq,
      (select shuffle from records where dataset_no = ${datasetNo} and seq = responses.seq and status = 'pending') as shuffle,
      (select submitted from records where dataset_no = ${datasetNo} and seq = responses.seq) as submitted
    from responses where dataset_no = ${datasetNo} and user_id = ${userId} and status = 'draft'`.execute(db.sql)
  return rows
}

const inOrder = (a: Placed, b: Placed) => a.key - b.key || a.seq - b.seq

/** What is the same whatever is skipped, so that it is asked for with everything else. */
export type Begun = { readonly drafts: readonly Draft[]; readonly looked: readonly Look[] }

/** Records with work of the user or of others in them. @param overlap answers that complete a record. @param drafts whether drafts are wanted */
export const begunRecords = async (
  reach: Reach,
  userId: string,
  { start, overlap, drafts: wanted }: { readonly start: number; readonly overlap: number; readonly drafts: boolean },
): Promise<Begun> => {
  const from = cursors.get(`${reach.datasetNo} ${userId}`) ?? start
  // NOTE: where one answer completes a record none is partly answered
  const [drafts, looked] = await together([
    wanted ? ownDrafts(reach, userId) : [],
    overlap > 1 ? lookFrom(reach, userId, from) : [],
  ])
  return { drafts, looked }
}

/** Of partly answered records those that could be handed to a user who has not begun them, in no order. */
export const partlyOpen = (
  { datasetNo }: Reach,
  userId: string,
  { looked }: Begun,
  wanted: { readonly count: number; readonly skip: ReadonlySet<number> },
): readonly number[] => openOf(looked, `${datasetNo} ${userId}`, wanted).map(({ seq }) => seq)

/**
 * The first records that could be handed to a user, of those that are not in `skip`: partly answered ones, then others, each in
 * the user's order. A snapshot: who hands them out looks again under a lock.
 * @returns null when it would take long to find them, which `far` allows
 */
export const findCandidates = async (
  reach: QueueReach,
  userId: string,
  { drafts, looked }: Begun,
  { count, skip, far }: { readonly count: number; readonly skip: ReadonlySet<number>; readonly far: boolean },
): Promise<readonly number[] | null> => {
  const { counts, datasetNo } = reach
  const { keyOf } = orderOf(userId, datasetNo, counts.pending + counts.completed)
  const partly = openOf(looked, `${datasetNo} ${userId}`, { count, skip }).map(({ seq, shuffle }) => ({
    seq,
    key: keyOf(shuffle),
  }))
  const others: Placed[] = []
  for (const { seq, shuffle, submitted } of drafts) {
    if (shuffle !== null && !skip.has(seq)) (submitted === 0 ? others : partly).push({ seq, key: keyOf(shuffle) })
  }
  const first = partly.sort(inOrder).slice(0, count)
  if (first.length === count) return first.map(({ seq }) => seq)
  const found = new Set([...skip, ...first.map(({ seq }) => seq)])
  const open = await openRecords(reach, userId, { count: count - first.length, skip: found, far })
  if (open === null) return null
  const rest = [...others, ...open].sort(inOrder)
  return [...first, ...rest].slice(0, count).map(({ seq }) => seq)
}
