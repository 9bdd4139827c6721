import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { sql } from 'kysely'
import type { FoundDataset } from '#features/datasets/public.ts'
import { goldOfRecords, printGold, type StoredGold, usernamesOf, usersIn } from '#features/gold/public.ts'
import { fullView, sizesOfRecords } from '#features/records/public.ts'
import { printResponse, responsesOfRecords, type StoredResponse } from '#features/responses/public.ts'
import { batchesOf } from '#platform/db/batches.ts'
import type { Db } from '#platform/db/db.ts'
import { printTime } from '#platform/time.ts'
import { existedAt, type StoredSnapshot } from './rows.ts'

/* The history stores the state before each change. The state at a given time is therefore the state before the first change since
   then, or the current state if there was no change. */

/** The state of a record at the time of a snapshot, as far as it is known. */
type Then = Pick<RecordPayload, 'id' | 'external_id' | 'fields' | 'metadata' | 'inserted_at' | 'updated_at'>

/** Records of a snapshot. Their status, suggestions, vectors and comments at that time are unknown. */
export type ThenPage = { readonly records: readonly RecordPayload[]; readonly lastSeq: number | null }

type Of = { readonly no: number; readonly snapshot: StoredSnapshot }

/** The next records that still exist or were deleted after the snapshot, in insertion order. */
const nextSeqs = async (db: Db, { no, snapshot }: Of, after: number, limit: number): Promise<readonly number[]> => {
  const present = await db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .where('seq', '<', snapshot.next_seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  // Reads deleted records only up to the last existing record of this page, because the next page reads those after it.
  const to = present.length < limit ? snapshot.next_seq - 1 : (present.at(-1)?.seq ?? after)
  const deleted = await db.sql
    .selectFrom('history')
    .select('seq')
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .where('seq', '<=', to)
    .where('subject', '=', 'record')
    .where('action', '=', 'delete')
    .where('at', '>', snapshot.at)
    .orderBy('seq')
    .limit(limit)
    .execute()
  const seqs = [...new Set([...present, ...deleted].map(({ seq }) => seq))].sort((a, b) => a - b)
  return seqs.slice(0, limit)
}

/** Selects the first change since the snapshot of each record, each answer and each final answer. */
const selectFirstChanges = (db: Db, { no, snapshot }: Of, seqs: readonly number[]) =>
  db.sql
    .selectFrom((eb) =>
      eb
        .selectFrom('history')
        .select(['seq', 'subject', 'image'])
        .select(sql<number>`row_number() over (partition by seq, subject, subject_id order by at, id)`.as('place'))
        .where('dataset_no', '=', no)
        .where('seq', 'in', db.dialect.listed(seqs))
        .where('at', '>', snapshot.at)
        .where('subject', 'in', ['record', 'response', 'gold'])
        .as('changes'),
    )
    .where('place', '=', 1)

/** The size of the first changes in bytes, by `seq`. */
const sizesOfChanges = async (db: Db, of: Of, seqs: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await selectFirstChanges(db, of, seqs)
    .select(['seq', sql<number>`sum(octet_length(image))`.as('bytes')])
    .groupBy('seq')
    .execute()
  return new Map(rows.map(({ seq, bytes }) => [seq, Number(bytes)]))
}

type Images = {
  readonly records: ReadonlyMap<number, Then>
  readonly answers: readonly (readonly [seq: number, answer: StoredResponse])[]
  readonly gold: ReadonlyMap<number, StoredGold>
}

const imagesOf = async (db: Db, of: Of, seqs: readonly number[]): Promise<Images> => {
  const records = new Map<number, Then>()
  const answers: [number, StoredResponse][] = []
  const gold = new Map<number, StoredGold>()
  const rows = await selectFirstChanges(db, of, seqs).select(['seq', 'subject', 'image']).execute()
  for (const { seq, subject, image } of rows) {
    // `image` contains the row before the change. Its columns therefore depend on the subject.
    const stored: unknown = image
    if (subject === 'record') records.set(seq, stored as Then)
    else if (subject === 'response') answers.push([seq, stored as StoredResponse])
    else gold.set(seq, stored as StoredGold)
  }
  return { records, answers, gold }
}

const recordsNow = async (db: Db, { no }: Of, seqs: readonly number[]): Promise<ReadonlyMap<number, Then>> => {
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'id', 'external_id', 'fields', 'metadata', 'inserted_at', 'updated_at'])
    .where('dataset_no', '=', no)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  return new Map(
    rows.map(({ seq, inserted_at, updated_at, fields, metadata, ...record }) => [
      seq,
      // This cast is safe: the contract's schemas validated the content before it was stored.
      { ...record, fields, metadata, inserted_at: printTime(inserted_at), updated_at: printTime(updated_at) } as Then,
    ]),
  )
}

/** The answers at the time of the snapshot, by `seq`, in creation order. */
const answersThen = async (db: Db, of: Of, seqs: readonly number[], changed: Images['answers']) => {
  const present = await responsesOfRecords(db, of.no, seqs)
  const images = new Map(changed.map(([, answer]) => [answer.id, answer]))
  const found = new Map<number, StoredResponse[]>()
  const add = (seq: number, answer: StoredResponse): void => {
    if (existedAt(answer, of.snapshot.at)) found.set(seq, [...(found.get(seq) ?? []), answer])
  }
  for (const [seq, answers] of present) for (const answer of answers) if (!images.has(answer.id)) add(seq, answer)
  for (const [seq, answer] of changed) add(seq, answer)
  for (const answers of found.values()) answers.sort((a, b) => a.inserted_at - b.inserted_at || (a.id < b.id ? -1 : 1))
  return found
}

const goldThen = async (db: Db, of: Of, seqs: readonly number[], changed: Images['gold']) => {
  const present = await goldOfRecords(db, of.no, seqs)
  const all = [...new Map([...present, ...changed])].filter(([, { inserted_at }]) => inserted_at < of.snapshot.at)
  const names = await usernamesOf(
    db,
    all.flatMap(([, gold]) => usersIn(gold)),
  )
  // The history doesn't record whether final answers were stale.
  return new Map(all.map(([seq, gold]) => [seq, printGold({ ...gold, stale: false }, names)]))
}

/** The parts of a current record whose size counts toward the batch size. */
const view = {
  include: { responses: true, suggestions: false, vectors: 'none', agreement: false, gold: true },
  viewer: fullView,
} as const

/**
 * The records after a `seq` as they were at the time of a snapshot, with the answers and final answers of that time, in
 * insertion order. Reads as many as fit into one batch. Later changes, including those during the download, have no effect.
 */
export const recordsThen = async (
  db: Db,
  { dataset, snapshot, after, limit }: { dataset: FoundDataset; snapshot: StoredSnapshot; after: number; limit: number },
): Promise<ThenPage> => {
  const of = { no: dataset.no, snapshot }
  const wanted = await nextSeqs(db, of, after, limit)
  if (wanted.length === 0) return { records: [], lastSeq: null }
  const bytes = new Map(await sizesOfRecords(db, dataset, wanted, view))
  for (const [seq, size] of await sizesOfChanges(db, of, wanted)) bytes.set(seq, (bytes.get(seq) ?? 0) + size)
  const seqs = batchesOf(wanted, bytes)[0] ?? []
  const images = await imagesOf(db, of, seqs)
  const present = await recordsNow(db, of, seqs)
  const answers = await answersThen(db, of, seqs, images.answers)
  const gold = await goldThen(db, of, seqs, images.gold)
  const records = seqs.flatMap((seq): RecordPayload[] => {
    const record = images.records.get(seq) ?? present.get(seq)
    if (record === undefined) return []
    const { id, external_id, fields, metadata, inserted_at, updated_at } = record
    return [
      {
        ...{ id, external_id, fields, metadata, inserted_at, updated_at },
        status: 'pending',
        responses: (answers.get(seq) ?? []).map(printResponse),
        gold: gold.get(seq) ?? null,
        dataset_id: dataset.id,
      },
    ]
  })
  return { records, lastSeq: seqs.at(-1) ?? null }
}
