import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
import { rememberUsers, slotOf, writeTally } from '../counters/counts.ts'
import type { StatusInput } from '../counters/settle.ts'
import { settleRecords } from '../counters/settle.ts'
import { recordStatus, Tally } from '../counters/tally.ts'
import { storeVersions } from '../history.ts'
import { replaceIndexRows } from '../index-rows.ts'
import { endManyLeases } from '../leases.ts'
import type { StoredResponse } from '../rows.ts'
import { responseColumns } from '../rows.ts'
import type { ScopeDataset, ScopeQuestion, ScopeRecord } from '../scope.ts'

const IDS_PER_BATCH = 500

/** An answer inside a record. Discarded answers may omit `values`. */
export type SentResponse = {
  readonly user_id: string
  readonly status: ResponseStatus
  readonly values?: AnswerValues | null | undefined
  /** Set if the answer is copied from another server. */
  readonly original?: OriginalRow | undefined
}
export type RecordWithResponses = {
  /** The record as stored before the call. Must be locked by the caller or created in the same command. */
  readonly record: ScopeRecord
  readonly responses: readonly SentResponse[]
  /** True for a copied record, which keeps its time when its status changes. */
  readonly keepsTime?: boolean
}

/** Returns those of the given user IDs that exist. */
export const knownUsers = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const wanted = [...new Set(ids)].sort()
  const found: string[] = []
  for (let from = 0; from < wanted.length; from += IDS_PER_BATCH) {
    const rows = await db.dialect
      .forShare(
        db.sql
          .selectFrom('users')
          .select('id')
          .where('id', 'in', wanted.slice(from, from + IDS_PER_BATCH)),
      )
      .execute()
    found.push(...rows.map(({ id }) => id))
  }
  return new Set(found)
}

/**
 * Returns the reason for the first fault in the answers inside a record, or null.
 * @param users the result of `knownUsers`
 * @param fields the record's fields as they will be stored
 */
export const recordResponsesFault = (
  responses: readonly SentResponse[],
  questions: readonly ScopeQuestion[],
  fields: FieldValues,
  users: ReadonlySet<string>,
): Reason | null => {
  for (const { user_id, status, values } of responses) {
    if (!users.has(user_id)) return `User with id=${user_id} not found`
    const fault = checkResponse(values, status, questions, fields)
    if (fault !== null) return fault
  }
  return null
}

/** Returns stored answers by the `seq` of their record. */
export const storedBySeq = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<Map<number, StoredResponse[]>> => {
  const bySeq = new Map<number, StoredResponse[]>(seqs.map((seq) => [seq, []]))
  if (seqs.length === 0) return bySeq
  const rows = await db.sql
    .selectFrom('responses')
    .select(['seq', ...responseColumns])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', seqs)
    .execute()
  for (const { seq, ...row } of rows) bySeq.get(seq)?.push(row)
  return bySeq
}

/** Returns the last versions of deleted answers, by `seq` and user. */
export const tombstonesBySeq = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<ReadonlyMap<string, number>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('response_tombstones')
    .select(['seq', 'user_id', 'version'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', seqs)
    .orderBy('version')
    .execute()
  return new Map(rows.map(({ seq, user_id, version }) => [`${seq} ${user_id}`, version]))
}

/** Whether an answer equals the stored one. Clients may read records and send them back, which must not change any answers. */
export const isUnchanged = (
  before: StoredResponse | null,
  { status, values, original }: Omit<SentResponse, 'user_id'>,
): boolean => before !== null && original === undefined && before.status === status && jsonEquals(before.values, values ?? {})

type Write = { readonly seq: number; readonly before: StoredResponse | null; readonly after: StoredResponse }

const mergeRecord = (
  item: RecordWithResponses,
  stored: readonly StoredResponse[],
  tombstones: ReadonlyMap<string, number>,
  { no, at }: { no: number; at: Micros },
): { writes: Write[]; answers: StoredResponse[] } => {
  const answers = new Map(stored.map((response) => [response.user_id, response]))
  const writes: Write[] = []
  for (const sent of item.responses) {
    const { user_id, status, values, original } = sent
    const before = answers.get(user_id) ?? null
    if (isUnchanged(before, sent)) continue
    const after: StoredResponse = {
      id: before?.id ?? original?.id ?? newDatasetId(no),
      record_id: item.record.id,
      user_id,
      values: (values ?? {}) as StoredResponse['values'],
      status,
      version: (before?.version ?? tombstones.get(`${item.record.seq} ${user_id}`) ?? 0) + 1,
      last_mutation_id: null,
      inserted_at: before?.inserted_at ?? original?.inserted_at ?? at,
      updated_at: original?.updated_at ?? at,
    }
    answers.set(user_id, after)
    writes.push({ seq: item.record.seq, before, after })
  }
  return { writes, answers: [...answers.values()] }
}

/** Inserts new rows, and replaces rows that have the same IDs. */
const writeRows = async (db: Db, datasetNo: number, writes: readonly Write[]): Promise<void> => {
  const replaced = writes.flatMap(({ before }) => (before === null ? [] : [before.id]))
  for (let from = 0; from < replaced.length; from += IDS_PER_BATCH) {
    await db.sql
      .deleteFrom('responses')
      .where('dataset_no', '=', datasetNo)
      .where('id', 'in', replaced.slice(from, from + IDS_PER_BATCH))
      .execute()
  }
  const rows = writes.map(({ seq, after }) => ({ dataset_no: datasetNo, seq, ...after, values: json(after.values) }))
  await db.dialect.insertMany(db.sql, 'responses', rows)
}

export type Settled = { readonly status: RecordStatus; readonly submitted: number; readonly updated_at: Micros | null }

/** Merges one list's answers into their records, in order, in the caller's transaction. See `storeBulkResponses`. */
const storeList = async (
  db: Db,
  dataset: ScopeDataset,
  questions: readonly ScopeQuestion[],
  { items, actor, tally }: { items: readonly RecordWithResponses[]; actor: string; tally: Tally },
): Promise<Map<number, Settled>> => {
  const at = now()
  const seqs = items.map(({ record }) => record.seq)
  const stored = await storedBySeq(db, dataset.no, seqs)
  const tombstones = await tombstonesBySeq(db, dataset.no, seqs)
  const settled = new Map<number, Settled>()
  const allWrites: Write[] = []
  const settling: StatusInput[] = []
  for (const item of items) {
    const { record, keepsTime = false } = item
    const answersBefore = stored.get(record.seq) ?? []
    const { writes, answers } = mergeRecord(item, answersBefore, tombstones, { no: dataset.no, at })
    allWrites.push(...writes)
    const submitted = answers.filter(({ status }) => status === 'submitted').length
    const status = recordStatus(submitted, dataset.min_submitted)
    tally.addChange({ status: record.status, answers: answersBefore }, { status, answers })
    settling.push({ seq: record.seq, from: record, to: { submitted, status }, keepsTime })
    settled.set(record.seq, { status, submitted, updated_at: keepsTime || status === record.status ? null : at })
  }
  await settleRecords(db, dataset.no, settling, at)
  await writeRows(db, dataset.no, allWrites)
  await endManyLeases(
    db,
    dataset.no,
    allWrites.flatMap(({ seq, after }) => (after.status === 'draft' ? [] : [{ seq, user_id: after.user_id }])),
  )
  const replaced = allWrites.flatMap(({ seq, before }) =>
    before === null ? [] : [{ dataset_no: dataset.no, seq, before, action: 'update' as const }],
  )
  await storeVersions(db, replaced, actor, at)
  await replaceIndexRows(
    db,
    dataset.no,
    questions,
    allWrites.map(({ seq, before, after }) => ({ seq, user_id: after.user_id, existed: before !== null, values: after.values })),
  )
  return settled
}

/**
 * Stores answers that were sent inside a bulk of records and have passed `recordResponsesFault`. Merges answers per user.
 * Updates the history, counters, statuses and the dataset's list of users with answers, but emits no answer events and records
 * no activity. Must be called last in the command, because it ends by writing counters.
 * @param items may omit records without answers; a record that occurs again builds on its earlier item
 * @param tally counter changes that the command has already collected, to be written at the same time
 * @returns by `seq`: status, number of submitted answers and, if the status changed, `updated_at`
 */
export const storeBulkResponses = async (
  db: Db,
  {
    dataset,
    questions,
    actor,
    items,
    tally = new Tally(),
  }: {
    readonly dataset: ScopeDataset
    readonly questions: readonly ScopeQuestion[]
    readonly actor: string
    readonly items: readonly RecordWithResponses[]
    readonly tally?: Tally
  },
): Promise<ReadonlyMap<number, Settled>> => {
  const settled = new Map<number, Settled>()
  let rest = items.filter(({ responses }) => responses.length > 0)
  while (rest.length > 0) {
    // A record that occurs again waits for the next round.
    const round = new Map<number, RecordWithResponses>()
    const later: RecordWithResponses[] = []
    for (const item of rest) {
      if (round.has(item.record.seq)) later.push(item)
      else round.set(item.record.seq, { ...item, record: { ...item.record, ...settled.get(item.record.seq) } })
    }
    const done = await storeList(db, dataset, questions, { items: [...round.values()], actor, tally })
    for (const [seq, { updated_at, ...state }] of done) {
      settled.set(seq, { ...state, updated_at: updated_at ?? settled.get(seq)?.updated_at ?? null })
    }
    rest = later
  }
  await rememberUsers(
    db,
    dataset.no,
    items.flatMap(({ responses }) => responses.map(({ user_id }) => user_id)),
    now(),
  )
  await writeTally(db, dataset.no, slotOf(actor), tally)
  return settled
}
