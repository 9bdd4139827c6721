import { deleteManyRecords } from '@postil/contract/record-deletions.ts'
import { printJob } from '#features/jobs/public.ts'
import { findTargets } from '#features/search/public.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { findJob } from '#platform/jobs/operations.ts'
import { startDeletion } from './commands.ts'

export const recordDeletionRoutes: readonly Registration[] = [
  route(deleteManyRecords, async ({ ctx, user, params, body }) => {
    const seqs = await findTargets(ctx, user, params.dataset_id, body)
    const id = await ctx.store.write(startDeletion, { user: actorOf(user), ...params, seqs })
    const job = await ctx.store.read(findJob, { id })
    if (job === null) throw new Error(`job ${id} no longer exists`)
    return printJob(job)
  }),
]
