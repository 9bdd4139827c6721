import { notFound } from '@postil/contract/wire/errors.ts'
import { timesOfVersion } from '#features/datasets/public.ts'
import type { Db } from '#platform/db/db.ts'
import { forEachSeq, seqList } from '#platform/db/keys/seq-list.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Micros } from '#platform/time.ts'
import type { Answers } from '../measures/answers.ts'

export type Selection = {
  /** Only these users; null for all. */
  readonly users: readonly string[] | null
  /** Only answers that have changed since this time; null for all. */
  readonly since: Micros | null
  /** Only answers that were given under this version of the schema; null for answers under any version. */
  readonly version: number | null
  /** Only these records; null for all. */
  readonly seqs: Float64Array | null
}

/** Number of users whose answers are read in one pipeline of statements. */
const USERS_AT_ONCE = 32

/**
 * All submitted answers of a dataset, sorted by record and user. The answers to record `seq` are at the positions from
 * `starts[seq]` to `starts[seq + 1]` (exclusive).
 */
export class Submitted {
  readonly users: readonly string[]
  readonly size: number
  readonly #starts: Uint32Array
  readonly #raters: Uint32Array
  constructor(users: readonly string[], starts: Uint32Array, raters: Uint32Array) {
    this.users = users
    this.size = starts.length - 1
    this.#starts = starts
    this.#raters = raters
  }
  get count(): number {
    return this.#raters.length
  }
  /** Returns the position of a rater's answer to a record. Returns −1 if this object doesn't contain the answer. */
  positionOf(seq: number, rater: number): number {
    const to = this.#starts[seq + 1] ?? 0
    for (let i = this.#starts[seq] ?? 0; i < to; i += 1) if (this.#raters[i] === rater) return i
    return -1
  }
  hasAnswers(seq: number): boolean {
    return (this.#starts[seq + 1] ?? 0) > (this.#starts[seq] ?? 0)
  }
  /**
   * The answers that have a value, by record.
   * @param values the value at each position; −1 if there is none
   */
  answersWith(values: Int32Array): { readonly answers: Answers; readonly seqs: Uint32Array } {
    const starts: number[] = [0]
    const seqs: number[] = []
    const kept = new Uint32Array(this.count)
    const raters = new Uint32Array(this.count)
    let end = 0
    for (let seq = 0; seq < this.size; seq += 1) {
      const from = end
      for (let i = this.#starts[seq]!; i < this.#starts[seq + 1]!; i += 1) {
        if (values[i]! < 0) continue
        kept[end] = values[i]!
        raters[end] = this.#raters[i]!
        end += 1
      }
      if (end === from) continue
      starts.push(end)
      seqs.push(seq)
    }
    return {
      answers: { starts: Uint32Array.from(starts), raters: raters.slice(0, end), values: kept.slice(0, end) },
      seqs: Uint32Array.from(seqs),
    }
  }
}

/** Everyone who has ever answered, in the order in which `pairsBy` numbers them. */
const answeringUsers = async (db: Db, datasetNo: number): Promise<string[]> => {
  const rows = await db.sql
    .selectFrom('dataset_users')
    .select('user_id')
    .where('dataset_no', '=', datasetNo)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

type Period = { readonly from: Micros | null; readonly until: Micros | null }

const submittedBy = async (db: Db, datasetNo: number, user: string, { from, until }: Period): Promise<string> => {
  let query = db.sql
    .selectFrom('responses')
    .select(seqList.as('seqs'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', user)
    .where('status', '=', 'submitted')
  if (from !== null) query = query.where('updated_at', '>=', from)
  if (until !== null) query = query.where('updated_at', '<', until)
  return (await query.executeTakeFirst())?.seqs ?? ''
}

/** @param size the dataset's next `seq` */
export const readSubmitted = async (db: Db, datasetNo: number, size: number, selection: Selection): Promise<Submitted> => {
  const users = await answeringUsers(db, datasetNo)
  const wanted = selection.users === null ? null : new Set(selection.users)
  const selected = selection.seqs === null ? null : new Uint8Array(size)
  for (const seq of selection.seqs ?? []) selected![seq] = 1
  const version = selection.version === null ? null : await timesOfVersion(db, datasetNo, selection.version)
  if (selection.version !== null && version === null) throw notFound('Schema version', String(selection.version))
  const period = { from: Math.max(selection.since ?? 0, version?.from ?? 0) || null, until: version?.until ?? null }
  const lists: { readonly rater: number; readonly list: string }[] = []
  const raters = users.map((_, rater) => rater).filter((rater) => wanted === null || wanted.has(users[rater]!))
  for (let at = 0; at < raters.length; at += USERS_AT_ONCE) {
    const batch = raters.slice(at, at + USERS_AT_ONCE)
    const found = await pipeline(batch.map((rater) => submittedBy(db, datasetNo, users[rater]!, period)))
    lists.push(...found.map((list, i) => ({ rater: batch[i]!, list })))
  }
  const starts = new Uint32Array(size + 1)
  const isWanted = (seq: number) => seq < size && (selected === null || selected[seq] === 1)
  for (const { list } of lists) {
    await db.dialect.flush()
    forEachSeq(list, (seq) => {
      if (isWanted(seq)) starts[seq + 1]! += 1
    })
  }
  for (let seq = 0; seq < size; seq += 1) starts[seq + 1]! += starts[seq]!
  const next = starts.slice()
  const sorted = new Uint32Array(starts[size]!)
  for (const { rater, list } of lists) {
    await db.dialect.flush()
    forEachSeq(list, (seq) => {
      if (!isWanted(seq)) return
      sorted[next[seq]!] = rater
      next[seq]! += 1
    })
  }
  return new Submitted(users, starts, sorted)
}
