import type { Micros } from '#platform/time.ts'
import { type Away, findKind, type JobContext } from './kinds.ts'
import type { Claimed } from './operations.ts'
import { renewJob } from './operations.ts'

type Told = { readonly done: number; readonly total: number | null }

/** Until a time has passed or something has ended, whichever is first. */
const rest = (ms: number, ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ended.aborted) return resolve()
    const over = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      ended.removeEventListener('abort', over)
      resolve()
    }, ms)
    ended.addEventListener('abort', over, { once: true })
  })

/** The next step's input, and until when the job is held by now; null when it is not held any more. */
export type Prepared = { readonly input: unknown; readonly until: Micros } | null

/**
 * Prepares a step that waits for other machines. The job stays held for as long as it takes: as often as three times in its hold it is
 * held anew, which also tells how far it is. One that was canceled or taken over ends at the next of these.
 * @param stopping ends the preparation too; what it throws is then of no interest. @throws what `prepare` throws, while the job is held
 */
export const prepareRemote = async (
  ctx: JobContext,
  job: Claimed,
  { hold, stopping }: { readonly hold: number; readonly stopping: AbortSignal },
): Promise<Prepared> => {
  const kind = findKind(job.kind)
  if (kind?.outside === undefined) throw new Error(`no job of kind ${job.kind} prepares its steps`)
  const over = new AbortController()
  const lost = new AbortController()
  let told: Told | null = null
  const keep = async (): Promise<Micros | null> => {
    for (let until = job.until; ; ) {
      await rest(hold / 3000, over.signal)
      if (over.signal.aborted) return until
      const renewed = await ctx.store.write(renewJob, { id: job.id, until, hold, ...told }).catch(() => until)
      if (renewed === null) {
        lost.abort()
        return null
      }
      until = renewed
    }
  }
  const held = keep()
  const away: Away = {
    signal: AbortSignal.any([lost.signal, stopping]),
    tell: (done, total) => {
      told = { done, total }
    },
  }
  try {
    const input = await kind.outside.prepare(ctx, job.id, away)
    over.abort()
    const until = await held
    if (until !== null) return { input, until }
  } catch (error) {
    over.abort()
    const until = await held
    if (until !== null) throw new RemoteFault(error, until)
  }
  // NOTE: whatever this process keeps for the job is of no use to whoever has it now
  await kind.outside.ended(ctx, job.id)
  return null
}

/** A preparation that failed, of a job that is still held. */
export class RemoteFault extends Error {
  readonly until: Micros
  constructor(cause: unknown, until: Micros) {
    super('the preparation of a step failed', { cause })
    this.until = until
  }
}
