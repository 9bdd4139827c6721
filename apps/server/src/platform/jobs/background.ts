import { Problem } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Kinds } from './claim.ts'
import { findKind, type JobContext, type JobKind, knownKinds } from './kinds.ts'
import type { Claimed } from './operations.ts'
import { forgetJobs, recordFailure, releaseJobs, someDue, takeJobs, yieldWriter } from './operations.ts'
import { prepareRemote, RemoteFault } from './remote.ts'

export type BackgroundOptions = {
  /** How often an empty queue is polled, in milliseconds. */
  readonly pollMs?: number
  /**
   * How long a claim on a job lasts, in milliseconds. After that, another process can take over the job if the claiming process
   * was killed.
   */
  readonly holdMs?: number
  /** How long a job runs, in milliseconds, before it goes to the back of the queue and waits for its next turn. */
  readonly turnMs?: number
  /** Whether the server is handling requests. If omitted, the server is always treated as busy. */
  readonly isBusy?: () => boolean
  /** Whether people are active and may send a request at any moment. If omitted, people are always treated as active. */
  readonly isInUse?: () => boolean
}
type Background = {
  /** Checks the queue immediately. */
  readonly wake: () => void
  /** Stops all jobs after their current step and returns unfinished jobs to the queue. */
  readonly stop: () => Promise<void>
}

/**
 * Up to this many jobs take turns, so that a long job doesn't block a short one. The same limit applies separately to three
 * groups: jobs that wait for other machines, jobs that may wait for other machines for hours, and jobs that nobody waits for.
 */
const MAX_ACTIVE = 4
const HOUR_MS = 3_600_000
/** How often to look for new jobs while other jobs are running, in milliseconds. */
const POLL_ACTIVE_MS = 50
/**
 * Jobs that read from outside the store get longer turns, by this factor. When a process resumes such a job, it must first find
 * the job's position in the source again.
 */
const OUTSIDE_TURN_FACTOR = 5
/**
 * Some jobs must not noticeably slow down requests. After each step, such a job pauses for this many times the duration of the
 * step. For example, it pauses for 1.2 seconds after a step of 0.1 seconds.
 */
const GENTLE_PAUSE_FACTOR = 12

/** @property since start time of the job in this process, in milliseconds */
type ActiveJob = Claimed & { readonly since: number }

/**
 * Jobs that take turns with each other. Jobs that nobody waits for take turns separately, because their long pauses would delay
 * other jobs.
 */
type Lane = {
  readonly active: Map<string, ActiveJob>
  readonly accepts: (kind: JobKind) => boolean
  polledAt: number
  wakeUp: () => void
}
const laneOf = (accepts: Lane['accepts']): Lane => ({
  active: new Map(),
  accepts,
  polledAt: Number.NEGATIVE_INFINITY,
  wakeUp: () => {},
})

const namesOf = (which: Lane['accepts']): readonly string[] =>
  knownKinds()
    .filter(which)
    .map(({ kind }) => kind)

const isLong = ({ outsideWork }: JobKind): boolean => outsideWork?.long === true
const isRemote = (kind: JobKind): boolean => kind.outsideWork?.remote === true && !isLong(kind)
/** The given kinds, with all kinds that count toward the same limit per person. */
const withPeers = (kinds: readonly string[]): Kinds => ({ kinds, peers: namesOf((kind) => !isLong(kind)) })
const isGentleKind = ({ outsideWork }: JobKind): boolean => outsideWork?.gentle === true

/**
 * Runs jobs step by step in the background. While the server handles requests, a job pauses between two steps for at least as
 * long as the previous step took.
 */
export const startBackground = (ctx: JobContext, options: BackgroundOptions = {}): Background => {
  const { store, log } = ctx
  const { pollMs = 500, holdMs = 5_000, turnMs = 2_000, isBusy = () => true, isInUse = () => true } = options
  const hold = holdMs * 1000
  const mainLane = laneOf((kind) => kind.outsideWork?.remote !== true && !isGentleKind(kind))
  const lanes = [mainLane, laneOf(isGentleKind)]
  /** Prepared input for the next steps of the jobs that this process has claimed. */
  const prepared = new Map<string, Promise<unknown>>()
  const remoteJobs = new Map<string, Promise<void>>()
  const longJobs = new Map<string, Promise<void>>()
  const stop = new AbortController()
  const stopping = stop.signal
  let prunedAt = Number.NEGATIVE_INFINITY

  const sleep = (lane: Lane, ms: number) =>
    new Promise<void>((resolve) => {
      if (stopping.aborted) resolve()
      const timer = setTimeout(resolve, ms)
      lane.wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /**
   * If all slots are taken and other jobs are waiting, stops one job that has used up its turn and puts it back into the queue.
   */
  const yieldTurn = async ({ active, accepts }: Lane): Promise<void> => {
    if (active.size < MAX_ACTIVE) return
    const isTurnOver = ({ kind, since }: ActiveJob) =>
      performance.now() - since > turnMs * (findKind(kind)?.outsideWork === undefined ? 1 : OUTSIDE_TURN_FACTOR)
    const [first] = [...active.values()].filter(isTurnOver)
    if (first === undefined || !(await store.read(someDue, withPeers(namesOf(accepts))))) return
    await store.write(releaseJobs, { held: [first] })
    active.delete(first.id)
    prepared.delete(first.id)
  }

  const takeRemote = async (jobs: Map<string, Promise<void>>, which: Kinds): Promise<void> => {
    if (which.kinds.length === 0) return
    for (const job of await store.write(takeJobs, { ...which, limit: MAX_ACTIVE - jobs.size, hold })) {
      jobs.set(
        job.id,
        runRemote(job).finally(() => jobs.delete(job.id)),
      )
    }
  }

  const takeLong = async (): Promise<void> => {
    const long = namesOf(isLong)
    const which = { kinds: long, peers: long }
    if (longJobs.size < MAX_ACTIVE && (await store.read(someDue, which))) await takeRemote(longJobs, which)
  }

  const take = async (lane: Lane): Promise<void> => {
    const { active, accepts } = lane
    // Hundreds of short steps finish per second, so don't read the queue after each one.
    if (active.size > 0 && performance.now() - lane.polledAt < POLL_ACTIVE_MS) return
    lane.polledAt = performance.now()
    await yieldTurn(lane)
    const localKinds = active.size < MAX_ACTIVE ? namesOf(accepts) : []
    const remoteKinds = lane === mainLane && remoteJobs.size < MAX_ACTIVE ? namesOf(isRemote) : []
    if (lane === mainLane) await takeLong()
    if (!(await store.read(someDue, withPeers([...localKinds, ...remoteKinds])))) return
    const taken = await store.write(takeJobs, { ...withPeers(localKinds), limit: MAX_ACTIVE - active.size, hold })
    for (const job of taken) active.set(job.id, { ...job, since: performance.now() })
    await takeRemote(remoteJobs, withPeers(remoteKinds))
  }

  /** Handles a failed step: the job is retried later, or fails. */
  const failStep = async ({ id, kind, until }: Claimed, error: unknown): Promise<void> => {
    log.error({ err: error, job: id, kind }, 'a step of a background job failed')
    // People see this reason. Messages of unexpected errors aren't shown, because they contain SQL and paths.
    const failReason = error instanceof Problem ? error.reason : message('stepFault', { job: id })
    // If a disk is full, `error.reason` says that nothing was changed. Earlier steps of the job may have changed something, so
    // the job shows `lacksRoom` instead, which says only which disk is full.
    const spaceFault = error instanceof Problem ? error.data.lacksRoom : undefined
    const state = await store.write(recordFailure, {
      id,
      until,
      reason: spaceFault ?? failReason,
      keepsAttempts: spaceFault !== undefined,
    })
    if (state === 'failed') await findKind(kind)?.outsideWork?.ended(ctx, id)
  }

  /**
   * Runs one step with its prepared input. @returns the job with its new claim, or null if the job has ended or the claim was
   * lost
   */
  const step = async <J extends Claimed>(job: J, input: unknown, isGentle = false): Promise<J | null> => {
    const kind = findKind(job.kind)
    if (kind === undefined) throw new Error(`no job of kind ${job.kind} is registered`)
    const result = await store.write(kind.step, { id: job.id, until: job.until, hold, input, isGentle })
    if (result.state === 'finished' || result.state === 'failed') await kind.outsideWork?.ended(ctx, job.id)
    return result.state === 'started' ? { ...job, until: result.until } : null
  }

  const advance = async ({ active }: Lane, job: ActiveJob): Promise<void> => {
    const began = performance.now()
    const outside = findKind(job.kind)?.outsideWork
    const gentle = outside?.gentle === true && isInUse()
    const ready = prepared.get(job.id)
    prepared.delete(job.id)
    try {
      const input = await (ready ?? outside?.prepare(ctx, job.id))
      const next = outside?.prepareNext?.(ctx, job.id, input) ?? null
      // The next step awaits this promise and handles its failure. Without a next step, a failure would be an unhandled
      // rejection.
      next?.catch(() => undefined)
      const after = await step(job, input, gentle)
      // Waits until the store has finished the step's follow-up work, because the length of the pause depends on the total time.
      if (gentle) await store.write(yieldWriter, {})
      if (after === null) active.delete(job.id)
      else {
        active.set(job.id, after)
        if (next !== null) prepared.set(job.id, next)
      }
    } catch (error) {
      active.delete(job.id)
      await failStep(job, error)
    }
    const elapsed = performance.now() - began
    const pauseMs = gentle ? elapsed * GENTLE_PAUSE_FACTOR : isBusy() ? elapsed : 0
    if (!stopping.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }

  const release = (held: Claimed): Promise<void> =>
    store.write(releaseJobs, { held: [held] }).catch((error: unknown) => {
      // If the store is unavailable, the job can be claimed again when its claim expires.
      log.warn({ err: error }, 'background jobs paused: the database is unavailable')
    })

  const failRemote = async (held: Claimed, error: unknown): Promise<void> => {
    const isHeld = error instanceof RemoteFault
    const job = isHeld ? { ...held, until: error.until } : held
    if (stopping.aborted) return release(job)
    await failStep(job, isHeld ? error.cause : error).catch(() => undefined)
  }

  /** Runs a job that waits for other machines, until the job ends or this process stops. */
  const runRemote = async (claimed: Claimed): Promise<void> => {
    let held = claimed
    try {
      while (!stopping.aborted) {
        const prepared = await prepareRemote(ctx, held, { hold, stopping })
        if (prepared === null) return
        held = { ...held, until: prepared.until }
        if (stopping.aborted) break
        const after = await step(held, prepared.input)
        if (after === null) return
        held = after
      }
    } catch (error) {
      return failRemote(held, error)
    }
    await release(held)
  }

  const forget = async (): Promise<void> => {
    if (performance.now() - prunedAt < HOUR_MS) return
    await store.write(forgetJobs, {})
    prunedAt = performance.now()
  }

  const round = async (lane: Lane): Promise<void> => {
    await take(lane)
    for (const job of [...lane.active.values()]) if (!stopping.aborted) await advance(lane, job)
    if (lane === mainLane && lane.active.size === 0) await forget()
  }

  const loop = async (lane: Lane): Promise<void> => {
    while (!stopping.aborted) {
      try {
        await round(lane)
      } catch (error) {
        // Gives up the active jobs, because the database may be unavailable for a while. The jobs can be claimed again when their
        // claims expire.
        for (const id of lane.active.keys()) prepared.delete(id)
        lane.active.clear()
        log.warn({ err: error }, 'background jobs paused: the database is unavailable')
        await sleep(lane, pollMs * 4)
      }
      if (!stopping.aborted && lane.active.size === 0) await sleep(lane, pollMs)
    }
  }

  const ended = Promise.all(lanes.map(loop))
  const wake = (): void => {
    for (const lane of lanes) lane.wakeUp()
  }
  return {
    wake,
    stop: async () => {
      stop.abort()
      wake()
      await ended
      await Promise.all([...remoteJobs.values(), ...longJobs.values()])
      const held = lanes.flatMap(({ active }) => [...active.values()])
      if (held.length > 0) await store.write(releaseJobs, { held }).catch(() => undefined)
    },
  }
}
