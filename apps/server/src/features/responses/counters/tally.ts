import type { CountKind, RecordStatus, ResponseStatus } from '#platform/db/tables.ts'

export type Answered = { readonly user_id: string; readonly status: ResponseStatus }
type UserDelta = {
  readonly user_id: string
  readonly record_status: RecordStatus
  readonly response_status: ResponseStatus
  readonly n: number
}

/**
 * With the `overlap` distribution, a record is completed once it has `minSubmitted` submitted answers plus the additional answers
 * that a lead has requested (`extra`).
 */
export const recordStatus = (submitted: number, minSubmitted: number, extra: number): RecordStatus =>
  submitted >= minSubmitted + extra ? 'completed' : 'pending'

type RecordState = { readonly status: RecordStatus; readonly extra: number; readonly answers: readonly Answered[] }

/**
 * Returns the change in the number of submitted answers when an answer's status changes from `before` to `after`; null means no
 * answer.
 */
export const submittedDelta = (before: ResponseStatus | null, after: ResponseStatus | null): number =>
  Number(after === 'submitted') - Number(before === 'submitted')

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** Collects counter changes, which a command writes once, at its end. They are written in key order to prevent deadlocks. */
export class Tally {
  readonly #users = new Map<string, UserDelta>()
  readonly #records = new Map<Exclude<CountKind, 'reopened'>, number>()
  #reopened = 0
  #changed: Set<number> | 'all' = new Set()

  addAnswer(answered: Answered, record_status: RecordStatus, n: number): void {
    const { user_id, status: response_status } = answered
    const key = `${user_id} ${record_status} ${response_status}`
    this.#users.set(key, { user_id, record_status, response_status, n: (this.#users.get(key)?.n ?? 0) + n })
  }

  /** @param extra how many answers each of the records needs in addition to the dataset's minimum */
  addRecord(status: RecordStatus, n: number, extra: number): void {
    this.#records.set(status, (this.#records.get(status) ?? 0) + n)
    this.#records.set(`extra_${status}`, (this.#records.get(`extra_${status}`) ?? 0) + n * extra)
  }

  /**
   * Counts a change to a record and its answers. Unchanged answers may be left out of both lists if the record's status also
   * stays the same.
   */
  addChange(before: RecordState, after: RecordState): void {
    this.addRecord(before.status, -1, before.extra)
    this.addRecord(after.status, 1, after.extra)
    const isReverted = before.answers.some(({ user_id }) => !after.answers.some((answered) => answered.user_id === user_id))
    if (isReverted || (before.status === 'completed' && after.status === 'pending')) this.#reopened += 1
    for (const answered of before.answers) this.addAnswer(answered, before.status, -1)
    for (const answered of after.answers) this.addAnswer(answered, after.status, 1)
  }

  /** Adds a record whose answers, final answers or status change. */
  addChanged(seq: number): void {
    if (this.#changed !== 'all') this.#changed.add(seq)
  }

  /** Treats all records as changed, because the answers or final answers of any record may have changed. */
  addChangedAll(): void {
    this.#changed = 'all'
  }

  get changed(): ReadonlySet<number> | 'all' {
    return this.#changed
  }

  users(): readonly UserDelta[] {
    return [...this.#users.entries()]
      .filter(([, { n }]) => n !== 0)
      .sort(([a], [b]) => compare(a, b))
      .map(([, delta]) => delta)
  }

  records(): readonly { readonly kind: CountKind; readonly n: number }[] {
    return [...this.#records.entries()]
      .filter(([, n]) => n !== 0)
      .sort(([a], [b]) => compare(a, b))
      .map(([kind, n]) => ({ kind, n }))
  }

  /**
   * Returns by how much the number of records with each status changes. Also returns how many records may have returned to a
   * queue, because such records invalidate stored queue positions.
   */
  counts(): readonly { readonly kind: CountKind; readonly n: number }[] {
    return this.#reopened === 0 ? this.records() : [...this.records(), { kind: 'reopened', n: this.#reopened }]
  }
}
