import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Response } from '@postil/contract/responses.ts'
import type { Response as Answer, Client } from '@postil/testkit/client.ts'

const statuses = ['draft', 'submitted', 'discarded'] as const
type Body = {
  readonly status: (typeof statuses)[number]
  readonly values: { readonly [question: string]: { readonly value: unknown } }
}
/** The expected state of an answer, or null if there must be none. */
export type ExpectedAnswer = (Body & { readonly version: number }) | null

type UncertainWrite = {
  readonly after: ExpectedAnswer
  /** Sends the same request again. Null if it must not be repeated. */
  readonly repeat: ((client: Client) => Promise<Answer<unknown>>) | null
}

/** What one user knows about one record. */
type RecordState = {
  current: ExpectedAnswer
  /** The highest version that the server has confirmed. The confirmation of a deletion also counts. */
  highestVersion: number
  /** The request that was neither confirmed nor rejected. */
  uncertain: UncertainWrite | null
}

const newBody = (): Body => {
  const status = statuses[randomInt(3)] as Body['status']
  const stars = { stars: { value: randomInt(1, 3) } }
  return { status, values: { label: { value: ['yes', 'no'][randomInt(2)] }, ...(randomInt(2) === 0 && stars) } }
}

type WriteAction = {
  readonly after: ExpectedAnswer
  readonly send: (client: Client) => Promise<Answer<unknown>>
  readonly isRepeatable: boolean
}

const putMine = (record: string, { current, highestVersion }: RecordState): WriteAction => {
  const body = newBody()
  const sent = { mutation_id: randomUUID(), base_version: current?.version ?? null, ...body }
  return {
    after: { ...body, version: highestVersion + 1 },
    send: (client) => client.put(`/records/${record}/responses/mine`, sent),
    isRepeatable: true,
  }
}
const clearMine = (record: string, known: RecordState): WriteAction => {
  if (known.current === null) return putMine(record, known)
  const path = `/records/${record}/responses/mine?mutation_id=${randomUUID()}&base_version=${known.current.version}`
  return { after: null, send: (client) => client.delete(path), isRepeatable: true }
}
const create = (record: string, known: RecordState): WriteAction => {
  if (known.current !== null) return putMine(record, known)
  const body = newBody()
  return {
    after: { ...body, version: known.highestVersion + 1 },
    send: (client) => client.post(`/records/${record}/responses`, body),
    isRepeatable: false,
  }
}
const bulk = (record: string, { highestVersion }: RecordState): WriteAction => {
  const body = newBody()
  const items = [{ record_id: record, ...body }]
  return {
    after: { ...body, version: highestVersion + 1 },
    send: (client) => client.post('/me/responses/bulk', { items }),
    isRepeatable: false,
  }
}
const writeActions = [putMine, putMine, putMine, clearMine, create, bulk]

/** A user who answers records one by one and remembers what the server confirmed. */
export class Writer {
  readonly user: { readonly id: string; readonly api_key: string }
  readonly #known: Map<string, RecordState>
  readonly #records: readonly string[]
  confirmed = 0
  constructor(user: Writer['user'], records: readonly string[]) {
    this.user = user
    this.#records = records
    this.#known = new Map(records.map((record) => [record, { current: null, highestVersion: 0, uncertain: null }]))
  }

  #confirm(known: RecordState, after: ExpectedAnswer): void {
    known.current = after
    known.highestVersion += 1
    known.uncertain = null
    this.confirmed += 1
  }

  /** Repeats requests whose outcome is unknown. Each must succeed and take effect exactly once. */
  async repeat(client: Client, { inTrouble = false } = {}): Promise<void> {
    for (const [record, known] of this.#known) {
      if (known.uncertain?.repeat == null) continue
      const { status, body } = await known.uncertain.repeat(client)
      if (inTrouble && status >= 500) return
      if (status >= 300) throw new Error(`a repeated answer to ${record} was rejected: ${status} ${JSON.stringify(body)}`)
      const version = (body as Response).version
      if (known.uncertain.after !== null && version !== known.highestVersion + 1) {
        throw new Error(`a repeated answer to ${record} has version ${version} instead of ${known.highestVersion + 1}`)
      }
      this.#confirm(known, known.uncertain.after)
    }
  }

  /**
   * Submits answers until the server is gone or the signal is aborted. A record whose request failed is skipped until `settle` is
   * called.
   */
  async work(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sure = this.#records.filter((one) => this.#known.get(one)?.uncertain === null)
      const record = sure[randomInt(Math.max(1, sure.length))]
      if (record === undefined) {
        // All records have a request whose outcome is unknown. This happens when the server is down for a long time. The
        // repeatable requests are sent again until the server is back.
        await pause(20)
        await this.repeat(client, { inTrouble: true }).catch((error: unknown) => {
          if (!(error instanceof TypeError)) throw error
        })
        continue
      }
      const known = this.#known.get(record) as RecordState
      const act = (writeActions[randomInt(writeActions.length)] as (typeof writeActions)[number])(record, known)
      known.uncertain = { after: act.after, repeat: act.isRepeatable ? act.send : null }
      try {
        const { status, body } = await act.send(client)
        if (status < 300) this.#confirm(known, act.after)
        else if (status < 500)
          throw new Refused(`${status} ${JSON.stringify(body)} for ${record} at version ${known.highestVersion}`)
      } catch (error) {
        if (error instanceof Refused) throw error
        if (signal.aborted) return
        await pause(5)
      }
    }
  }

  /**
   * Compares the stored answers with the confirmed ones. A request that was cut off may or may not have taken effect. No other
   * difference is allowed.
   * @param stored the user's answers, keyed by record
   */
  settle(stored: ReadonlyMap<string, Response>): void {
    for (const [record, known] of this.#known) {
      const found = stored.get(record)
      const now: ExpectedAnswer =
        found === undefined ? null : { status: found.status, values: found.values as Body['values'], version: found.version }
      const matches = (wanted: ExpectedAnswer) => JSON.stringify(sortKeys(now)) === JSON.stringify(sortKeys(wanted))
      if (
        known.uncertain !== null &&
        matches(known.uncertain.after) &&
        !(known.uncertain.after === null && known.current === null)
      ) {
        if (known.uncertain.repeat === null) this.#confirm(known, known.uncertain.after)
        continue
      }
      if (!matches(known.current)) {
        const expected = { current: known.current, uncertain: known.uncertain?.after }
        throw new Error(`record ${record}: stored ${JSON.stringify(now)}, expected ${JSON.stringify(expected)}`)
      }
      if (known.uncertain?.repeat === null) known.uncertain = null
    }
  }
}

class Refused extends Error {}

const sortKeys = (current: ExpectedAnswer) =>
  current && { ...current, values: Object.entries(current.values).sort(([a], [b]) => (a < b ? -1 : 1)) }
