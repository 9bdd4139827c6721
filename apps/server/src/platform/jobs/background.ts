import { Problem } from '@postil/contract/errors.ts'
import { findKind, type JobContext, knownKinds } from './kinds.ts'
import type { Claimed } from './operations.ts'
import { forgetJobs, giveBackJobs, missJob, someDue, takeJobs } from './operations.ts'

export type BackgroundOptions = {
  /** Milliseconds between looks into an empty queue. */
  readonly pollMs?: number
  /** Milliseconds for which a job is held; one of a killed process is taken over after that. */
  readonly holdMs?: number
}
export type Background = {
  /** Looks into the queue at once. */
  readonly wake: () => void
  /** Ends after the running step; unfinished jobs go back into the queue. */
  readonly stop: () => Promise<void>
}

/** Jobs that take turns, so that a long one keeps no short one waiting. */
const AT_ONCE = 4
const HOUR_MS = 3_600_000

/** Carries out jobs step by step, beside the work for users: between two steps it rests as long as the step took. */
export const startBackground = (ctx: JobContext, options: BackgroundOptions = {}): Background => {
  const { store, log } = ctx
  const { pollMs = 500, holdMs = 5_000 } = options
  const hold = holdMs * 1000
  const active = new Map<string, Claimed>()
  let stopping = false
  let wakeUp = () => {}
  let forgotAt = Number.NEGATIVE_INFINITY

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      if (stopping) resolve()
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const take = async (): Promise<void> => {
    const kinds = knownKinds()
    if (active.size >= AT_ONCE || !(await store.read(someDue, { kinds }))) return
    for (const job of await store.write(takeJobs, { kinds, limit: AT_ONCE - active.size, hold })) active.set(job.id, job)
  }

  const advance = async (job: Claimed): Promise<void> => {
    const kind = findKind(job.kind)
    if (kind === undefined) throw new Error(`no job of kind ${job.kind} is declared`)
    const began = performance.now()
    try {
      const input = await kind.outside?.prepare(ctx, job.id)
      const result = await store.write(kind.step, { id: job.id, until: job.until, hold, input })
      if (result.state === 'started') active.set(job.id, { ...job, until: result.until })
      else active.delete(job.id)
      if (result.state === 'finished' || result.state === 'failed') await kind.outside?.ended(ctx, job.id)
    } catch (error) {
      active.delete(job.id)
      log.error({ err: error, job: job.id, kind: job.kind }, 'a step of a background job failed')
      // NOTE: people are shown the reason, and messages of faults carry SQL and paths
      const reason =
        error instanceof Problem ? error.message : `A step failed because of a fault; the log has it under job ${job.id}`
      await store.write(missJob, { id: job.id, until: job.until, reason })
    }
    if (!stopping) await new Promise((resolve) => setTimeout(resolve, performance.now() - began))
  }

  const forget = async (): Promise<void> => {
    if (performance.now() - forgotAt < HOUR_MS) return
    await store.write(forgetJobs, {})
    forgotAt = performance.now()
  }

  const round = async (): Promise<void> => {
    await take()
    for (const job of [...active.values()]) if (!stopping) await advance(job)
    if (active.size === 0) await forget()
  }

  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        await round()
      } catch (error) {
        // NOTE: the database may be away for a while; what is held is taken again after its hold
        active.clear()
        log.warn({ err: error }, 'background jobs wait for the store')
        await sleep(pollMs * 4)
      }
      if (!stopping && active.size === 0) await sleep(pollMs)
    }
  }

  const ended = loop()
  return {
    wake: () => wakeUp(),
    stop: async () => {
      stopping = true
      wakeUp()
      await ended
      if (active.size > 0) await store.write(giveBackJobs, { held: [...active.values()] }).catch(() => undefined)
    },
  }
}
