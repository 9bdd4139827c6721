import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { openRecords, orderOf, type Placed, placeColumn, type QueueContext, type QueueOrder } from '#features/search/public.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'

/** How many partially answered records are read per user at a time. */
const SCAN_LIMIT = 1000

type DatasetSnapshot = Pick<QueueContext, 'db' | 'datasetNo'>
/** `place` is the record's `shuffle`, or its `seq` if the queue is in insertion order. */
type ScannedRecord = { readonly seq: number; readonly place: number; readonly answered: number | null }

/**
 * Some users have already answered very many partially answered records. For each of these users, where the next read of such
 * records starts. A missing or outdated entry only makes the search longer.
 */
const cursors = new LRUCache<string, number>({ max: 10_000 })
const END = 2 ** 32
const nameOf = ({ datasetNo }: DatasetSnapshot, { userId, shuffled }: QueueOrder): string => `${datasetNo} ${userId} ${shuffled}`

/**
 * Returns partially answered records in order of their places. Starts at a given place, continues to the end, and then continues
 * from the beginning up to the given place. The conditions must match the indexes `records_partly` and `records_partly_seq`, or
 * the indexes aren't used.
 */
const scanFrom = async (
  { db, datasetNo }: DatasetSnapshot,
  order: QueueOrder,
  from: number,
): Promise<readonly ScannedRecord[]> => {
  const place = sql.ref(placeColumn(order))
  const part = (least: number, below: number) => sql`
    select looked.seq, looked.place, (select 1 from responses where responses.dataset_no = ${datasetNo}
      and responses.seq = looked.seq and responses.user_id = ${order.userId}) as answered
    from (select seq, ${place} as place from records
      where dataset_no = ${datasetNo} and status = 'pending' and submitted > 0 and ${place} >= ${least} and ${place} < ${below}
      order by ${place}, seq limit ${SCAN_LIMIT}) as looked`
  const { rows } = await sql<ScannedRecord>`${part(from, END)} union all ${part(0, from)}`.execute(db.sql)
  // Neither engine guarantees the order of a union's parts
  const inOrder = [...rows].sort((a, b) => Number(a.place < from) - Number(b.place < from) || a.place - b.place)
  return inOrder.slice(0, SCAN_LIMIT)
}

/**
 * `ofOthers` contains records that are assigned only to other people. They don't count toward `count`. If a call finds fewer than
 * `count` open records, the next call starts after the records that this call has read.
 */
type OpenRequest = { readonly count: number; readonly skip: ReadonlySet<number>; readonly ofOthers?: ReadonlySet<number> }

/**
 * Returns the scanned records that the user hasn't answered. The list may be incomplete, because one scan covers at most
 * `SCAN_LIMIT` partially answered records.
 */
const openOf = (
  scanned: readonly ScannedRecord[],
  name: string,
  { count, skip, ofOthers = new Set() }: OpenRequest,
): readonly ScannedRecord[] => {
  const open = scanned.filter(({ seq, answered }) => answered === null && !skip.has(seq))
  const last = scanned[SCAN_LIMIT - 1]
  if (last === undefined) cursors.delete(name)
  else if (open.filter(({ seq }) => !ofOthers.has(seq)).length < count) cursors.set(name, last.place)
  return open
}

/** `place` is null if the record is completed. */
type Draft = { readonly seq: number; readonly place: number | null; readonly submitted: number | null }

/** The user's drafts. They don't appear in any list of open records, but are still the user's work. */
const ownDrafts = async ({ db, datasetNo }: DatasetSnapshot, order: QueueOrder): Promise<readonly Draft[]> => {
  const { rows } = await sql<Draft>`
    select responses.seq,
      (select ${sql.ref(placeColumn(order))} from records
        where dataset_no = ${datasetNo} and seq = responses.seq and status = 'pending') as place,
      (select submitted from records where dataset_no = ${datasetNo} and seq = responses.seq) as submitted
    from responses where dataset_no = ${datasetNo} and user_id = ${order.userId} and status = 'draft'`.execute(db.sql)
  return rows
}

const inOrder = (a: Placed, b: Placed) => a.key - b.key || a.seq - b.seq

/**
 * Drafts and partially answered records. They are read before it is known which records the user must not get, so that they can
 * be read together with other data.
 */
export type RecordsInProgress = { readonly drafts: readonly Draft[]; readonly scanned: readonly ScannedRecord[] }

/**
 * Records that the user or others have started. @param overlap number of answers that complete a record. @param drafts whether
 * to read drafts
 */
export const recordsInProgress = async (
  context: DatasetSnapshot,
  order: QueueOrder,
  { start, overlap, drafts: request }: { readonly start: number; readonly overlap: number; readonly drafts: boolean },
): Promise<RecordsInProgress> => {
  const from = cursors.get(nameOf(context, order)) ?? start
  // If one answer completes a record, no record is partially answered
  const [drafts, scanned] = await pipeline([
    request ? ownDrafts(context, order) : [],
    overlap > 1 ? scanFrom(context, order, from) : [],
  ])
  return { drafts, scanned }
}

/** Partially answered records that could be assigned to a user who hasn't started them, in no particular order. */
export const openPartlyAnswered = (
  context: DatasetSnapshot,
  order: QueueOrder,
  { scanned }: RecordsInProgress,
  request: OpenRequest,
): readonly number[] => openOf(scanned, nameOf(context, order), request).map(({ seq }) => seq)

/**
 * The first records outside `skip` that could be assigned to a user: partially answered records first, then the rest, each in the
 * user's order. This is only a snapshot: the assigning command checks again under a lock.
 * @returns null if finding the records would take long and `thorough` is false
 */
export const findCandidates = async (
  context: QueueContext,
  order: QueueOrder,
  { drafts, scanned }: RecordsInProgress,
  { count, skip, thorough }: { readonly count: number; readonly skip: ReadonlySet<number>; readonly thorough: boolean },
): Promise<readonly number[] | null> => {
  const { counts, datasetNo } = context
  const { keyOf } = orderOf(order, datasetNo, counts.pending + counts.completed)
  const partly = openOf(scanned, nameOf(context, order), { count, skip }).map(({ seq, place }) => ({
    seq,
    key: keyOf(place),
  }))
  const others: Placed[] = []
  for (const { seq, place, submitted } of drafts) {
    if (place !== null && !skip.has(seq)) (submitted === 0 ? others : partly).push({ seq, key: keyOf(place) })
  }
  const first = partly.sort(inOrder).slice(0, count)
  if (first.length === count) return first.map(({ seq }) => seq)
  const found = new Set([...skip, ...first.map(({ seq }) => seq)])
  const open = await openRecords(context, order, { count: count - first.length, skip: found, thorough })
  if (open === null) return null
  const rest = [...others, ...open].sort(inOrder)
  return [...first, ...rest].slice(0, count).map(({ seq }) => seq)
}
