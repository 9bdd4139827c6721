import type { CountKind, RecordStatus, ResponseStatus } from '#platform/db/tables.ts'

/** Who answered a record, and how. */
export type Answered = { readonly user_id: string; readonly status: ResponseStatus }
export type UserDelta = {
  readonly user_id: string
  readonly record_status: RecordStatus
  readonly response_status: ResponseStatus
  readonly n: number
}

/** `overlap`: complete with `minSubmitted` submitted answers. */
export const recordStatus = (submitted: number, minSubmitted: number): RecordStatus =>
  submitted >= minSubmitted ? 'completed' : 'pending'

/** How the number of submitted answers changes when an answer goes from `before` to `after`; null stands for none. */
export const submittedDelta = (before: ResponseStatus | null, after: ResponseStatus | null): number =>
  Number(after === 'submitted') - Number(before === 'submitted')

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/**
 * Differences of counters that are written once, at the end of a command: in the order of their keys, so that two commands never wait for
 * each other in a circle.
 */
export class Tally {
  readonly #users = new Map<string, UserDelta>()
  readonly #records = new Map<RecordStatus, number>()
  #reopened = 0

  addAnswer(answered: Answered, record_status: RecordStatus, n: number): void {
    const { user_id, status: response_status } = answered
    const key = `${user_id} ${record_status} ${response_status}`
    this.#users.set(key, { user_id, record_status, response_status, n: (this.#users.get(key)?.n ?? 0) + n })
  }

  addRecord(status: RecordStatus, n: number): void {
    this.#records.set(status, (this.#records.get(status) ?? 0) + n)
  }

  /**
   * A record and its answers went from one state to another. Answers that did not change may be left out of both lists as long as the
   * record's status did not change either.
   */
  addChange(
    before: { readonly status: RecordStatus; readonly answers: readonly Answered[] },
    after: { readonly status: RecordStatus; readonly answers: readonly Answered[] },
  ): void {
    this.addRecord(before.status, -1)
    this.addRecord(after.status, 1)
    const isTakenBack = before.answers.some(({ user_id }) => !after.answers.some((answered) => answered.user_id === user_id))
    if (isTakenBack || (before.status === 'completed' && after.status === 'pending')) this.#reopened += 1
    for (const answered of before.answers) this.addAnswer(answered, before.status, -1)
    for (const answered of after.answers) this.addAnswer(answered, after.status, 1)
  }

  users(): readonly UserDelta[] {
    return [...this.#users.entries()]
      .filter(([, { n }]) => n !== 0)
      .sort(([a], [b]) => compare(a, b))
      .map(([, delta]) => delta)
  }

  records(): readonly { readonly kind: RecordStatus; readonly n: number }[] {
    return [...this.#records.entries()]
      .filter(([, n]) => n !== 0)
      .sort(([a], [b]) => compare(a, b))
      .map(([kind, n]) => ({ kind, n }))
  }

  /** Records by status, and how many may be in a queue again that they had left: who remembers a place in one looks at that. */
  counts(): readonly { readonly kind: CountKind; readonly n: number }[] {
    return this.#reopened === 0 ? this.records() : [...this.records(), { kind: 'reopened', n: this.#reopened }]
  }
}
