import { command, query } from '#platform/db/operations.ts'
import { outboxRow } from '#platform/events/outbox.ts'
import { now } from '#platform/time.ts'
import { claimEvents, dueEvents, settleEvent, someEventDue } from '../claim.ts'
import { enqueueJob, type Job, jobKind, type RemoteControl } from '../kinds.ts'
import '../operations.ts'

export const counting = jobKind('test.count', async (db, { args, done }) => {
  await db.sql
    .insertInto('counters')
    .values({ name: String(args.name), n: 1 })
    .onConflict((c) => c.column('name').doUpdateSet((eb) => ({ n: eb('counters.n', '+', 1) })))
    .execute()
  return { finished: done + 1 >= Number(args.to), done: done + 1 }
})

export const failing = jobKind('test.fail', async () => {
  throw new Error('broken on purpose')
})

/** A job that nobody waits for. It takes `args.to` steps (1 if omitted) and stores how long each step may run. */
const countGently = async (_db: unknown, { ms, args, done }: Job) => ({
  finished: done + 1 >= Number(args['to'] ?? 1),
  done: done + 1,
  args: { ...args, ms },
})
export const gentle = jobKind('test.gentle', countGently, {
  gentle: true,
  prepare: async () => undefined,
  ended: async () => undefined,
})

/**
 * State of the `test.remote` jobs. `prepare` runs while a step is prepared, and tests can replace it. `ended` is the number of
 * these jobs that have ended.
 */
export const remoteCounting: { prepare: (away: RemoteControl) => Promise<string>; ended: number } = {
  prepare: async () => 'came',
  ended: 0,
}

/** Waits for the remote side once and stores the result. */
export const remote = jobKind<string>(
  'test.remote',
  async (_db, _job, input) => ({ finished: true, args: { input }, done: 7, total: 7 }),
  {
    remote: true,
    prepare: (_ctx, _id, away) =>
      remoteCounting.prepare(away ?? { signal: new AbortController().signal, reportProgress: () => undefined }),
    ended: async () => {
      remoteCounting.ended += 1
    },
  },
)

/** A job that may run for hours. It runs until the test ends it. */
export const longWork: { readonly calls: string[]; readonly end: PromiseWithResolvers<void> } = {
  calls: [],
  end: Promise.withResolvers(),
}
export const long = jobKind<undefined>('test.long', async () => ({ finished: true }), {
  remote: true,
  long: true,
  prepare: async (_ctx, id) => {
    longWork.calls.push(id)
    await longWork.end.promise
    return undefined
  },
  ended: async () => undefined,
})

/**
 * For tests: what the preparations of `test.ahead` jobs did. `prepare` adds the number to which the prepared step counts, for
 * example `3`. `prepareNext` adds the same with a suffix, for example `3 ahead`.
 */
export const seen: { readonly prepared: string[]; failPrepareNext: boolean } = { prepared: [], failPrepareNext: false }

/** Counts to `args.to`. A step fails if it receives the input that was prepared for another step. */
export const ahead = jobKind<{ readonly n: number }>(
  'test.ahead',
  async (_db, { args, done }, { n }) =>
    n === done + 1 ? { finished: n >= Number(args.to), done: n } : { finished: false, failed: `${n} after ${done}` },
  {
    prepare: async ({ store }, id) => {
      const job = (await store.read(allJobs, {})).find((one) => one.id === id)
      const n = (job?.done ?? 0) + 1
      seen.prepared.push(`${n}`)
      return { n }
    },
    prepareNext: (_ctx, _id, { n }) => {
      if (seen.failPrepareNext) {
        seen.failPrepareNext = false
        return Promise.reject(new Error('broken on purpose'))
      }
      seen.prepared.push(`${n + 1} ahead`)
      return Promise.resolve({ n: n + 1 })
    },
    ended: async () => undefined,
  },
)

const declared = {
  'test.count': counting,
  'test.fail': failing,
  'test.remote': remote,
  'test.long': long,
  'test.ahead': ahead,
  'test.gentle': gentle,
}
type Enqueued = { kind: keyof typeof declared; args: { [key: string]: unknown }; sealed?: string; user_id?: string }
export const enqueue = command('test.enqueue', (db, { kind, ...job }: Enqueued) => enqueueJob(db, declared[kind], job))

/**
 * Calls `now` in the store's writer `micros` times. Each call advances the writer's time by at least one microsecond, so the
 * writer's time gets ahead of the machine's clock. Bulk writes have the same effect.
 */
export const makeDue = command('test.hurry', async (_db, { micros }: { micros: number }) => {
  for (let i = 0; i < micros; i++) now()
})

const clock = Date.now
const setBack = async (_db: unknown, { ms }: { ms: number }) => {
  Date.now = ms === 0 ? clock : () => clock() - ms
}
/** `setBackWriter` sets the clock of the store's writer back by `ms`. `setBackReader` does the same for a reader. */
export const setBackWriter = command('test.set-back-writer', setBack)
export const setBackReader = query('test.set-back-reader', setBack)

/** Puts all jobs in the state that a process leaves behind if it is killed while its clock is `ahead` microseconds ahead. */
export const setAhead = command('test.leave-ahead', async (db, { ahead }: { ahead: number }) => {
  const at = now() + ahead
  await db.sql
    .updateTable('jobs')
    .set({ state: 'started', available_at: at + 1_000_000, updated_at: at })
    .execute()
})

export const allJobs = query('test.jobs', (db) => db.sql.selectFrom('jobs').selectAll().orderBy('inserted_at').execute())
export const counted = query('test.counted', (db) => db.sql.selectFrom('counters').selectAll().execute())

export const dropAll = command('test.drop-jobs', async (db) => {
  await db.sql.deleteFrom('jobs').execute()
})

/** Makes all jobs due and sets their last update to `age` microseconds ago. */
export const advanceClock = command('test.pass-time', async (db, { age }: { age: number }) => {
  await db.sql
    .updateTable('jobs')
    .set({ available_at: now() - 1, updated_at: now() - age })
    .execute()
})

type AddedEvent = { webhook_id: string; subject_id: string; id?: string }
export const addEvent = command('test.event', async (db, { webhook_id, subject_id, id }: AddedEvent) => {
  const row = outboxRow(webhook_id, 1, { event: 'record.updated', subject_id, at: now(), data: {} })
  await db.sql
    .insertInto('outbox')
    .values(id === undefined ? row : { ...row, id })
    .execute()
  return id ?? row.id
})
export const eventDue = query('test.event-due', (db, { webhook_id }: { webhook_id: string }) => someEventDue(db, [webhook_id]))
/** Claims a webhook's events about dataset 1. */
export const takeEvents = command(
  'test.take-events',
  async (db, { webhook_id, limit, hold }: { webhook_id: string; limit: number; hold: number }) => {
    const ids = (await dueEvents(db, webhook_id, limit)).map(({ id }) => id)
    return ids.length === 0 ? [] : claimEvents(db, { dataset_no: 1, ids, hold })
  },
)
export const dueNow = query('test.due-events', (db, { webhook_id }: { webhook_id: string }) => dueEvents(db, webhook_id, 100))
export const claim = command('test.claim-events', claimEvents)
export const settle = command(
  'test.settle',
  (db, { held, to }: { held: Parameters<typeof settleEvent>[1]; to: Parameters<typeof settleEvent>[2] }) =>
    settleEvent(db, held, to),
)
