import type { Micros } from '#platform/time.ts'
import { findKind, type JobContext, type RemoteControl } from './kinds.ts'
import type { Claimed } from './operations.ts'
import { renewJob } from './operations.ts'

type Progress = { readonly done: number; readonly total: number | null }

/** Waits until the time has passed or the signal is aborted, whichever is first. */
const sleep = (ms: number, ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ended.aborted) return resolve()
    const finished = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      ended.removeEventListener('abort', finished)
      resolve()
    }, ms)
    ended.addEventListener('abort', finished, { once: true })
  })

/** The next step's input and the claim's expiry time, or null if the claim was lost. */
export type Prepared = { readonly input: unknown; readonly until: Micros } | null

/**
 * Prepares a step that waits for other machines. While the preparation runs, the claim is renewed three times per claim period.
 * Each renewal also reports the progress. If the job was canceled or taken over, the preparation ends at the next renewal.
 * @param stopping a signal that also ends the preparation
 * @throws RemoteFault for any error of `prepare` while the job is claimed. Errors after the claim was lost are ignored
 */
export const prepareRemote = async (
  ctx: JobContext,
  job: Claimed,
  { hold, stopping }: { readonly hold: number; readonly stopping: AbortSignal },
): Promise<Prepared> => {
  const kind = findKind(job.kind)
  if (kind?.outsideWork === undefined) throw new Error(`jobs of kind ${job.kind} do not prepare their steps`)
  const finished = new AbortController()
  const lost = new AbortController()
  let progress: Progress | null = null
  const renewUntilDone = async (): Promise<Micros | null> => {
    for (let until = job.until; ; ) {
      await sleep(hold / 3000, finished.signal)
      if (finished.signal.aborted) return until
      const renewed = await ctx.store.write(renewJob, { id: job.id, until, hold, ...progress }).catch(() => until)
      if (renewed === null) {
        lost.abort()
        return null
      }
      until = renewed
    }
  }
  const held = renewUntilDone()
  const control: RemoteControl = {
    signal: AbortSignal.any([lost.signal, stopping]),
    reportProgress: (done, total) => {
      progress = { done, total }
    },
  }
  try {
    const input = await kind.outsideWork.prepare(ctx, job.id, control)
    finished.abort()
    const until = await held
    if (until !== null) return { input, until }
  } catch (error) {
    finished.abort()
    const until = await held
    if (until !== null) throw new RemoteFault(error, until)
  }
  // Another process has taken over the job. It can't use the data that this process has prepared, so `ended` cleans the data up.
  await kind.outsideWork.ended(ctx, job.id)
  return null
}

/** A failed preparation of a job that is still claimed. */
export class RemoteFault extends Error {
  readonly until: Micros
  constructor(cause: unknown, until: Micros) {
    super('preparing a step failed', { cause })
    this.until = until
  }
}
