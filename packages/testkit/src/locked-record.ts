import pg from 'pg'
import { expect, vi } from 'vitest'

type Outcome = { readonly status: number } | { readonly state: string }
/** A request with its label. */
export type LockedRequest = readonly [what: string, ask: () => Promise<Outcome>]

type Held = {
  /** Statements of a transaction that stays open while the requests wait. */
  readonly statements: readonly (readonly [text: string, values?: unknown[]])[]
  readonly end: 'commit' | 'rollback'
}

/**
 * Sends requests while another connection holds locks (PostgreSQL). Each request is sent as soon as the previous request waits
 * for a lock. All requests must wait until the transaction ends.
 * @returns the outcomes, sorted, for example `first answer 201`
 */
export const runWhileLocked = async (
  connectionString: string | undefined,
  { statements, end }: Held,
  requests: readonly LockedRequest[],
): Promise<readonly string[]> => {
  // A second connection is needed, because pg_stat_activity does not change within a transaction
  const [sql, watch] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
  await Promise.all([sql.connect(), watch.connect()])
  const waiting = async (n: number) => {
    const all = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await watch.query(all)).rows).toHaveLength(n), { timeout: 10_000, interval: 50 })
  }
  const outcomes: string[] = []
  const recordOutcome = async ([what, ask]: LockedRequest) => {
    const outcome = await ask()
    outcomes.push(`${what} ${'status' in outcome ? outcome.status : outcome.state}`)
  }
  const running: Promise<void>[] = []
  await sql.query('begin')
  for (const [text, values] of statements) await sql.query(text, values)
  try {
    for (const request of requests) {
      const one = recordOutcome(request)
      running.push(one)
      await Promise.race([one, waiting(running.length)])
      expect(outcomes).toEqual([])
    }
  } finally {
    await sql.query(end)
    await Promise.all([...running, sql.end(), watch.end()])
  }
  return outcomes.sort()
}

/** `runWhileLocked` with a row lock on a record. */
export const runWhileRecordLocked = (
  connectionString: string | undefined,
  recordId: string | undefined,
  requests: readonly LockedRequest[],
): Promise<readonly string[]> =>
  runWhileLocked(
    connectionString,
    { statements: [['select seq from records where id = $1 for update', [recordId]]], end: 'rollback' },
    requests,
  )
