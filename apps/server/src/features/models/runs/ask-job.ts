import { message, type Reason } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
import { failureReason } from '#platform/jobs/failure-reason.ts'
import { type JobContext, jobKind, type RemoteControl } from '#platform/jobs/kinds.ts'
import { now } from '#platform/time.ts'
import { ModelFault } from '../client.ts'
import { askRecord, type Usage } from './ask-record.ts'
import { Budget, CapReached } from './budget.ts'
import type { PromptRecord } from './prompt.ts'
import { type AskArgs, type OpenRun, readOpenRun, readPromptRecords } from './read-run.ts'
import { type NewItem, storeItems } from './store-items.ts'

/** The number of records that are read at a time. Fewer are read if the records are large. */
const RECORDS_PER_READ = 50

type Outcome = {
  readonly outcome: 'finished' | 'paused' | 'failed'
  readonly reason: Reason | null
  /** The number of records that are done, because the model was asked about them or because they were deleted. */
  readonly done?: number
}

/** Reads the records of a run in batches, shortly before they are needed. Deleted records are left out. */
class RecordReader {
  readonly #ctx: JobContext
  readonly #open: OpenRun
  #at = 0
  #ready: (PromptRecord & { readonly seq: number })[] = []
  #reading: Promise<void> | null = null

  constructor(ctx: JobContext, open: OpenRun) {
    this.#ctx = ctx
    this.#open = open
  }

  async #read(): Promise<void> {
    const { run, open } = this.#open
    const seqs = open.slice(this.#at, this.#at + RECORDS_PER_READ)
    const { count, records } = await this.#ctx.store.read(readPromptRecords, { dataset_no: run.dataset_no, seqs })
    this.#at += count
    this.#ready.push(...records)
  }

  /** Starts the next read, unless one is in progress or all records have been read. */
  #readOn(): Promise<void> | null {
    if (this.#reading === null && this.#at < this.#open.open.length) {
      this.#reading = this.#read().finally(() => {
        this.#reading = null
      })
      // A failure is reported by the next call of `next`.
      this.#reading.catch(() => undefined)
    }
    return this.#reading
  }

  async next(): Promise<(PromptRecord & { readonly seq: number }) | null> {
    // Starts the next read early, so that workers don't have to wait for it.
    if (this.#ready.length < RECORDS_PER_READ / 2) void this.#readOn()
    while (this.#ready.length === 0) {
      const reading = this.#readOn()
      if (reading === null) return null
      await reading
    }
    return this.#ready.shift() ?? null
  }
}

type RunIds = { readonly run_id: string; readonly job_id: string; readonly dataset_no: number }

/**
 * Stores answers as they arrive. Answers that arrive during a write are stored together in the next write. Requests to the model
 * continue during writes. If the process is killed, the answers to requests in progress are lost. Up to `limit` answers that have
 * arrived but aren't stored yet are lost, too.
 */
class ItemWriter {
  readonly #ctx: JobContext
  readonly #ids: RunIds
  readonly #limit: number
  /** Answers that are not stored yet, including those that are being stored. */
  readonly #waiting: NewItem[] = []
  #writing: Promise<void> | null = null

  constructor(ctx: JobContext, ids: RunIds, limit: number) {
    this.#ctx = ctx
    this.#ids = ids
    this.#limit = limit
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const items = this.#waiting.slice()
      await this.#ctx.store.write(storeItems, { ...this.#ids, items, extra: { input: 0, output: 0 } })
      this.#waiting.splice(0, items.length)
    }
    // Set in the same turn of the event loop as the last check, so that no item can arrive in between and stay unwritten.
    this.#writing = null
  }

  /**
   * Adds an answer to those that will be stored. Resolves when the model may be asked for another answer. @throws the error of an
   * earlier write. After a failed write, nothing more is stored
   */
  async store(item: NewItem): Promise<void> {
    this.#waiting.push(item)
    if (this.#writing === null) {
      this.#writing = this.#write()
      // A failure is reported by a later call of `store` or by `flush`.
      this.#writing.catch(() => undefined)
    }
    if (this.#waiting.length > this.#limit) await this.#writing
  }

  /** Resolves when everything is stored. @throws the error of a write */
  async flush(): Promise<void> {
    await this.#writing
  }

  /** Counts the tokens of answers that could not be stored. These tokens must be counted, because they have been paid for. */
  async countUnstored(): Promise<void> {
    const sum = (of: (item: NewItem) => number): number => this.#waiting.reduce((total, item) => total + of(item), 0)
    await this.count({ input: sum((item) => item.input_tokens), output: sum((item) => item.output_tokens) })
  }

  async count({ input, output }: Usage): Promise<void> {
    if (input + output > 0) await this.#ctx.store.write(storeItems, { ...this.#ids, items: [], extra: { input, output } })
  }
}

/**
 * Asks the model about all open records of a run, several at the same time. Records with a stored answer are never asked about
 * again.
 */
const askAll = async (ctx: JobContext, job_id: string, open: OpenRun, control: RemoteControl): Promise<Outcome> => {
  const { run, connection, source } = open
  const budget = new Budget(run, run.spend_cap, { input: run.input_tokens, output: run.output_tokens })
  const reader = new RecordReader(ctx, open)
  const writer = new ItemWriter(ctx, { run_id: run.id, job_id, dataset_no: run.dataset_no }, connection.concurrency)
  const stopping = new AbortController()
  const signal = AbortSignal.any([control.signal, stopping.signal])
  const asking = { connection, source, setup: run.setup, budget, signal }
  let done = run.total - open.open.length
  let halted: Outcome | null = null
  let failure: { readonly error: unknown } | null = null
  control.reportProgress(done, run.total)
  /** @returns null if the run has to pause */
  const askAbout = async (record: PromptRecord & { readonly seq: number }): Promise<NewItem | null> => {
    const usage: Usage = { input: 0, output: 0 }
    const began = performance.now()
    try {
      const { answered, fault } = await askRecord(ctx, asking, record, usage)
      const ms = Math.round(performance.now() - began)
      const tokens = { input_tokens: usage.input, output_tokens: usage.output }
      return { seq: record.seq, record_id: record.id, answered, fault, ...tokens, ms }
    } catch (error) {
      // Tokens are counted even after a cancellation, because requests in progress may have been paid for.
      await writer.count(usage)
      if (!(error instanceof CapReached) && !(error instanceof ModelFault)) throw error
      const reason = error instanceof ModelFault ? error.reason : message('spendCapReached')
      halted ??= { outcome: 'paused', reason }
      return null
    }
  }
  const worker = async (): Promise<void> => {
    try {
      while (halted === null) {
        signal.throwIfAborted()
        const record = await reader.next()
        if (record === null) return
        const item = await askAbout(record)
        if (item === null) return
        await writer.store(item)
        done += 1
        control.reportProgress(done, run.total)
      }
    } catch (error) {
      // The job is retried after an error. If the other workers continued, they would ask about the same records as the retry.
      failure ??= { error }
      stopping.abort(error)
    }
  }
  await Promise.all(Array.from({ length: connection.concurrency }, worker))
  try {
    // Answers are stored even after a cancellation, because they have been paid for.
    await writer.flush()
  } catch (error) {
    failure ??= { error }
    await writer.countUnstored().catch(() => undefined)
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error
  return halted === null ? { outcome: 'finished', reason: null, done: run.total } : { ...(halted as Outcome), done }
}

const prepare = async (ctx: JobContext, job_id: string, control?: RemoteControl): Promise<Outcome | null> => {
  const open = await ctx.store.read(readOpenRun, { job_id })
  if (open === null) return null
  if ('failed' in open) return { outcome: 'failed', reason: open.failed }
  if (control === undefined) throw new Error('a job that asks a model must be remote')
  return askAll(ctx, job_id, open, control)
}

/** If the job of a run failed or was canceled, stores this in the run, because jobs are deleted after a while. */
const settleRun = command('models.settle-run', async (db, { job_id }: { readonly job_id: string }): Promise<void> => {
  const job = await db.sql
    .selectFrom('jobs')
    .select(['state', 'args', 'reason', 'reason_parts'])
    .where('id', '=', job_id)
    .executeTakeFirst()
  if (job === undefined || (job.state !== 'failed' && job.state !== 'canceled')) return
  const { run } = job.args as unknown as AskArgs
  await db.sql
    .updateTable('model_runs')
    .set({ outcome: job.state, reason: job.reason, reason_parts: job.reason_parts && json(job.reason_parts) })
    .where('id', '=', run)
    .where('job_id', '=', job_id)
    .where('outcome', 'is', null)
    .execute()
})

/** Asks a model about the records of a run. The job's only step stores how the run ended. */
export const askModelJob = jobKind<Outcome | null>(
  'models.run',
  async (db, job, found) => {
    if (found === null) return { finished: true }
    // Safe: only commands of this feature write these arguments.
    const { run } = job.args as unknown as AskArgs
    const { outcome, reason, done = job.done } = found
    await db.sql
      .updateTable('model_runs')
      .set({
        outcome,
        ...(reason === null ? { reason: null, reason_parts: null } : failureReason(reason)),
        updated_at: now(),
      })
      .where('id', '=', run)
      .where('job_id', '=', job.id)
      .execute()
    if (outcome === 'failed' && reason !== null) return { finished: false, failed: reason }
    return { finished: true, done }
  },
  {
    remote: true,
    long: true,
    prepare,
    ended: (ctx, job_id) => ctx.store.write(settleRun, { job_id }),
  },
)
