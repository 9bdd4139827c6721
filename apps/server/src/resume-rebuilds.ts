import { Problem } from '@postil/contract/wire/errors.ts'
import { resumeTextRebuilds } from '#features/jobs/public.ts'
import { resumeAgreementFills } from '#features/responses/public.ts'
import type { AppContext } from './context.ts'

const RETRY_MS = 10_000

/**
 * Queues the rebuilds that earlier processes didn't finish. If a node of a cluster is down, retries in the background until the
 * node is back or `stop` is aborted.
 */
export const resumeRebuilds = async (
  ctx: Pick<AppContext, 'store' | 'log'>,
  stop: AbortSignal,
  retryMs = RETRY_MS,
): Promise<void> => {
  try {
    await resumeTextRebuilds(ctx)
    await resumeAgreementFills(ctx)
  } catch (error) {
    if (!(error instanceof Problem && error.data.kind === 'unavailable')) throw error
    if (stop.aborted) return
    ctx.log.warn({ reason: error.message }, 'unfinished rebuilds are resumed once the whole database is available')
    const retry = () =>
      resumeRebuilds(ctx, stop, retryMs).catch((err: unknown) => ctx.log.error({ err }, 'could not resume unfinished rebuilds'))
    const timer = setTimeout(retry, retryMs)
    stop.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
}
