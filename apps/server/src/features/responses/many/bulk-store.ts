import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { Kept } from '#platform/kept.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
import { rememberUsers, slotOf, writeTally } from '../counters/counts.ts'
import type { Settling } from '../counters/settle.ts'
import { settleRecords } from '../counters/settle.ts'
import { recordStatus, Tally } from '../counters/tally.ts'
import { keepImages } from '../history.ts'
import { replaceIndexRows } from '../index-rows.ts'
import { endManyLeases } from '../leases.ts'
import type { StoredResponse } from '../rows.ts'
import { responseColumns } from '../rows.ts'
import type { ScopeDataset, ScopeQuestion, ScopeRecord } from '../scope.ts'

const IDS_AT_ONCE = 500

/** An answer inside a record; `values` may be left out of discarded ones. */
export type SentResponse = {
  readonly user_id: string
  readonly status: ResponseStatus
  readonly values?: AnswerValues | null | undefined
  /** Of one that was brought over from another server. */
  readonly kept?: Kept | undefined
}
export type RecordWithResponses = {
  /** As the record is stored when this is called, locked by the caller or created in the same command. */
  readonly record: ScopeRecord
  readonly responses: readonly SentResponse[]
  /** True for a record that was brought over: its time stays where a new status would move it. */
  readonly keepsTime?: boolean
}

/** Which of the users exist. */
export const knownUsers = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const wanted = [...new Set(ids)].sort()
  const found: string[] = []
  for (let from = 0; from < wanted.length; from += IDS_AT_ONCE) {
    const rows = await db.dialect
      .forShare(
        db.sql
          .selectFrom('users')
          .select('id')
          .where('id', 'in', wanted.slice(from, from + IDS_AT_ONCE)),
      )
      .execute()
    found.push(...rows.map(({ id }) => id))
  }
  return new Set(found)
}

/**
 * One sentence on what is wrong with the answers that come inside a record, or null.
 * @param users what `knownUsers` found
 * @param fields the record's fields as they will be stored
 */
export const recordResponsesFault = (
  responses: readonly SentResponse[],
  questions: readonly ScopeQuestion[],
  fields: FieldValues,
  users: ReadonlySet<string>,
): string | null => {
  for (const { user_id, status, values } of responses) {
    if (!users.has(user_id)) return `User with id=${user_id} not found`
    const fault = checkResponse(values, status, questions, fields)
    if (fault !== null) return fault
  }
  return null
}

/** Stored answers by the place of their record. */
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

/** Versions that deleted answers reached, by `seq` and user. */
export const gravesBySeq = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<ReadonlyMap<string, number>> => {
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

/** Whether an answer stands already as it is sent: who reads records and sends them back changes no answer. */
export const isStanding = (before: StoredResponse | null, { status, values, kept }: Omit<SentResponse, 'user_id'>): boolean =>
  before !== null && kept === undefined && before.status === status && jsonEquals(before.values, values ?? {})

type Write = { readonly seq: number; readonly before: StoredResponse | null; readonly after: StoredResponse }

const mergeRecord = (
  item: RecordWithResponses,
  stored: readonly StoredResponse[],
  graves: ReadonlyMap<string, number>,
  { no, at }: { no: number; at: Micros },
): { writes: Write[]; answers: StoredResponse[] } => {
  const answers = new Map(stored.map((response) => [response.user_id, response]))
  const writes: Write[] = []
  for (const sent of item.responses) {
    const { user_id, status, values, kept } = sent
    const before = answers.get(user_id) ?? null
    if (isStanding(before, sent)) continue
    const after: StoredResponse = {
      id: before?.id ?? kept?.id ?? newDatasetId(no),
      record_id: item.record.id,
      user_id,
      values: (values ?? {}) as StoredResponse['values'],
      status,
      version: (before?.version ?? graves.get(`${item.record.seq} ${user_id}`) ?? 0) + 1,
      last_mutation_id: null,
      inserted_at: before?.inserted_at ?? kept?.inserted_at ?? at,
      updated_at: kept?.updated_at ?? at,
    }
    answers.set(user_id, after)
    writes.push({ seq: item.record.seq, before, after })
  }
  return { writes, answers: [...answers.values()] }
}

/** New rows, and in place of those that are replaced rows with the same ids. */
const writeRows = async (db: Db, datasetNo: number, writes: readonly Write[]): Promise<void> => {
  const replaced = writes.flatMap(({ before }) => (before === null ? [] : [before.id]))
  for (let from = 0; from < replaced.length; from += IDS_AT_ONCE) {
    await db.sql
      .deleteFrom('responses')
      .where('dataset_no', '=', datasetNo)
      .where('id', 'in', replaced.slice(from, from + IDS_AT_ONCE))
      .execute()
  }
  const rows = writes.map(({ seq, after }) => ({ dataset_no: datasetNo, seq, ...after, values: json(after.values) }))
  await db.dialect.insertMany(db.sql, 'responses', rows)
}

export type Settled = { readonly status: RecordStatus; readonly submitted: number; readonly updated_at: Micros | null }

/** Merges the answers of one list into their records, in order, in the caller's transaction; see `storeBulkResponses`. */
const storeList = async (
  db: Db,
  dataset: ScopeDataset,
  questions: readonly ScopeQuestion[],
  { items, actor, tally }: { items: readonly RecordWithResponses[]; actor: string; tally: Tally },
): Promise<Map<number, Settled>> => {
  const at = now()
  const seqs = items.map(({ record }) => record.seq)
  const stored = await storedBySeq(db, dataset.no, seqs)
  const graves = await gravesBySeq(db, dataset.no, seqs)
  const settled = new Map<number, Settled>()
  const allWrites: Write[] = []
  const settling: Settling[] = []
  for (const item of items) {
    const { record, keepsTime = false } = item
    const answersBefore = stored.get(record.seq) ?? []
    const { writes, answers } = mergeRecord(item, answersBefore, graves, { no: dataset.no, at })
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
  await keepImages(db, replaced, actor, at)
  await replaceIndexRows(
    db,
    dataset.no,
    questions,
    allWrites.map(({ seq, before, after }) => ({ seq, user_id: after.user_id, existed: before !== null, values: after.values })),
  )
  return settled
}

/**
 * Answers that come inside a bulk of records: merged per user, checked before by `recordResponsesFault`. Keeps history, counters, statuses and
 * the dataset's progress users; no events of answers, no activity. Call it last in the command: it ends with counters.
 * @param items records without answers may be left out; an item for a record that was named before builds on it
 * @param tally what the command has done already to answers of other records: it is written with the rest
 * @returns status, number of submitted answers and (where the status changed) `updated_at` by `seq`
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
    // A record that is named twice waits for the next round.
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
