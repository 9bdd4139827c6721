import { Problem } from '@postil/contract/wire/errors.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import { findKind, type JobContext, type JobKind, knownKinds } from './kinds.ts'
import type { Claimed } from './operations.ts'
import { forgetJobs, giveBackJobs, missJob, passTurn, someDue, takeJobs } from './operations.ts'
import { prepareRemote, RemoteFault } from './remote.ts'

export type BackgroundOptions = {
  /** Milliseconds between looks into an empty queue. */
  readonly pollMs?: number
  /** Milliseconds for which a job is held; one of a killed process is taken over after that. */
  readonly holdMs?: number
  /** Milliseconds after which a job goes behind those that wait, and goes on when its turn comes again. */
  readonly turnMs?: number
  /** Whether anybody is being served; left out: always. */
  readonly isBusy?: () => boolean
  /** Whether people are about, who may ask for something any moment; left out: always. */
  readonly isInUse?: () => boolean
}
export type Background = {
  /** Looks into the queue at once. */
  readonly wake: () => void
  /** Ends after the running step; unfinished jobs go back into the queue. */
  readonly stop: () => Promise<void>
}

/** Jobs that take turns, so that a long one keeps no short one waiting; as many that wait for other machines, and that nobody waits for. */
const AT_ONCE = 4
const HOUR_MS = 3_600_000
/** How often it is looked for new jobs while others are at work. */
const LOOK_MS = 50
/** So many times as long is the turn of a job that reads from elsewhere than the store: whoever takes it up has to find its place there. */
const OUTSIDE_TURN = 5
/** So many times as long as a step took rests a job that people should not notice: it slows down one of so many of their calls. */
const GENTLE_REST = 12

/** @property since when it has been at work here, in milliseconds */
type AtWork = Claimed & { readonly since: number }

/** Jobs that take turns with each other. What nobody waits for has turns of its own: it rests long, and others would rest with it. */
type Lane = {
  readonly active: Map<string, AtWork>
  readonly takes: (kind: JobKind) => boolean
  lookedAt: number
  wakeUp: () => void
}
const laneOf = (takes: Lane['takes']): Lane => ({
  active: new Map(),
  takes,
  lookedAt: Number.NEGATIVE_INFINITY,
  wakeUp: () => {},
})

const namesOf = (which: Lane['takes']): readonly string[] =>
  knownKinds()
    .filter(which)
    .map(({ kind }) => kind)

const isRemote = ({ outside }: JobKind): boolean => outside?.remote === true
const isGentle = ({ outside }: JobKind): boolean => outside?.gentle === true

/** Carries out jobs step by step, beside the work for users: while anybody is served, it rests between two steps as long as the step took, or longer. */
export const startBackground = (ctx: JobContext, options: BackgroundOptions = {}): Background => {
  const { store, log } = ctx
  const { pollMs = 500, holdMs = 5_000, turnMs = 2_000, isBusy = () => true, isInUse = () => true } = options
  const hold = holdMs * 1000
  const awaited = laneOf((kind) => !isRemote(kind) && !isGentle(kind))
  const lanes = [awaited, laneOf(isGentle)]
  /** What was prepared for the next steps of jobs that are held here. */
  const prepared = new Map<string, Promise<unknown>>()
  const away = new Map<string, Promise<void>>()
  const stop = new AbortController()
  const stopping = stop.signal
  let forgotAt = Number.NEGATIVE_INFINITY

  const sleep = (lane: Lane, ms: number) =>
    new Promise<void>((resolve) => {
      if (stopping.aborted) resolve()
      const timer = setTimeout(resolve, ms)
      lane.wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** Where all places are taken and others wait. */
  const makeRoom = async ({ active, takes }: Lane): Promise<void> => {
    if (active.size < AT_ONCE) return
    const hasHadItsTurn = ({ kind, since }: AtWork) =>
      performance.now() - since > turnMs * (findKind(kind)?.outside === undefined ? 1 : OUTSIDE_TURN)
    const [first] = [...active.values()].filter(hasHadItsTurn)
    if (first === undefined || !(await store.read(someDue, { kinds: namesOf(takes) }))) return
    await store.write(giveBackJobs, { held: [first] })
    active.delete(first.id)
    prepared.delete(first.id)
  }

  const take = async (lane: Lane): Promise<void> => {
    const { active, takes } = lane
    // NOTE: short steps come by the hundred in a second
    if (active.size > 0 && performance.now() - lane.lookedAt < LOOK_MS) return
    lane.lookedAt = performance.now()
    await makeRoom(lane)
    const here = active.size < AT_ONCE ? namesOf(takes) : []
    const there = lane === awaited && away.size < AT_ONCE ? namesOf(isRemote) : []
    if (!(await store.read(someDue, { kinds: [...here, ...there] }))) return
    const taken = await store.write(takeJobs, { kinds: here, limit: AT_ONCE - active.size, hold })
    for (const job of taken) active.set(job.id, { ...job, since: performance.now() })
    if (there.length === 0) return
    for (const job of await store.write(takeJobs, { kinds: there, limit: AT_ONCE - away.size, hold })) {
      away.set(
        job.id,
        goAway(job).finally(() => away.delete(job.id)),
      )
    }
  }

  /** After a step that failed: another try later, or none. */
  const miss = async ({ id, kind, until }: Claimed, error: unknown): Promise<void> => {
    log.error({ err: error, job: id, kind }, 'a step of a background job failed')
    // NOTE: people are shown the reason, and messages of faults carry SQL and paths
    const told = error instanceof Problem ? error.message : sayReason('stepFault', { job: id })
    // NOTE: that nothing was changed, as a refusal says, is true of the step and not of those before
    const lack = error instanceof Problem ? error.data.lacksRoom : undefined
    const state = await store.write(missJob, { id, until, reason: lack ?? told, waits: lack !== undefined })
    if (state === 'failed') await findKind(kind)?.outside?.ended(ctx, id)
  }

  /** One step with what was prepared for it. @returns the job as it is held after it; null when it has ended or was lost */
  const step = async <J extends Claimed>(job: J, input: unknown, gently = false): Promise<J | null> => {
    const kind = findKind(job.kind)
    if (kind === undefined) throw new Error(`no job of kind ${job.kind} is declared`)
    const result = await store.write(kind.step, { id: job.id, until: job.until, hold, input, gently })
    if (result.state === 'finished' || result.state === 'failed') await kind.outside?.ended(ctx, job.id)
    return result.state === 'started' ? { ...job, until: result.until } : null
  }

  const advance = async ({ active }: Lane, job: AtWork): Promise<void> => {
    const began = performance.now()
    const outside = findKind(job.kind)?.outside
    const gently = outside?.gentle === true && isInUse()
    const ready = prepared.get(job.id)
    prepared.delete(job.id)
    try {
      const input = await (ready ?? outside?.prepare(ctx, job.id))
      const next = outside?.ahead?.(ctx, job.id, input) ?? null
      // NOTE: who waits for it is told when it fails, and nobody may ever wait
      next?.catch(() => undefined)
      const after = await step(job, input, gently)
      // NOTE: what a step leaves the store to do is rested for as well
      if (gently) await store.write(passTurn, {})
      if (after === null) active.delete(job.id)
      else {
        active.set(job.id, after)
        if (next !== null) prepared.set(job.id, next)
      }
    } catch (error) {
      active.delete(job.id)
      await miss(job, error)
    }
    const took = performance.now() - began
    const rest = gently ? took * GENTLE_REST : isBusy() ? took : 0
    if (!stopping.aborted) await new Promise((resolve) => setTimeout(resolve, rest))
  }

  const giveBack = (held: Claimed): Promise<void> =>
    store.write(giveBackJobs, { held: [held] }).catch((error: unknown) => {
      // NOTE: where the store is away, the job is free again after its hold
      log.warn({ err: error }, 'background jobs wait for the store')
    })

  const missAway = async (held: Claimed, error: unknown): Promise<void> => {
    const isHeld = error instanceof RemoteFault
    const job = isHeld ? { ...held, until: error.until } : held
    if (stopping.aborted) return giveBack(job)
    await miss(job, isHeld ? error.cause : error).catch(() => undefined)
  }

  /** Carries out a job that waits for other machines, to its end or ours. */
  const goAway = async (claimed: Claimed): Promise<void> => {
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
      return missAway(held, error)
    }
    await giveBack(held)
  }

  const forget = async (): Promise<void> => {
    if (performance.now() - forgotAt < HOUR_MS) return
    await store.write(forgetJobs, {})
    forgotAt = performance.now()
  }

  const round = async (lane: Lane): Promise<void> => {
    await take(lane)
    for (const job of [...lane.active.values()]) if (!stopping.aborted) await advance(lane, job)
    if (lane === awaited && lane.active.size === 0) await forget()
  }

  const loop = async (lane: Lane): Promise<void> => {
    while (!stopping.aborted) {
      try {
        await round(lane)
      } catch (error) {
        // NOTE: the database may be away for a while; what is held is taken again after its hold
        for (const id of lane.active.keys()) prepared.delete(id)
        lane.active.clear()
        log.warn({ err: error }, 'background jobs wait for the store')
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
      await Promise.all(away.values())
      const held = lanes.flatMap(({ active }) => [...active.values()])
      if (held.length > 0) await store.write(giveBackJobs, { held }).catch(() => undefined)
    },
  }
}
