import { forbidden, notFound } from '@postil/contract/errors.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { parseUuid } from '@postil/contract/scalars.ts'
import type { Store } from '#platform/db/store.ts'
import type { Role } from '#platform/db/tables.ts'
import { jobState } from '#platform/jobs/operations.ts'
import { jobPolicy } from './policy.ts'
import * as rebuild from './rebuild-text.ts'

// biome-ignore lint/performance/noBarrelFile: the feature's one door: what others call inside their own commands
export { backfillProperty, enqueueBackfill, unfilledProperties } from './backfill-property.ts'
export { purgeDataset } from './purge-dataset.ts'
export { beginTextRebuild, indexText, isTextIndexed } from './rebuild-text.ts'

/** State of a background job. @param id any text. @throws Problem not_found, then forbidden */
export const getJob = async (ctx: { readonly store: Store }, user: { readonly role: Role }, id: string): Promise<Job> => {
  const uuid = parseUuid(id)
  const status = uuid === null ? null : await ctx.store.read(jobState, { id: uuid })
  if (status === null) throw notFound('job', id)
  if (!jobPolicy.get(user)) throw forbidden()
  return { id, status }
}

/** Has every text index made again that another version of the tokenizer made, or that is only half made. */
export const resumeTextRebuilds = (ctx: { readonly store: Store }): Promise<void> =>
  ctx.store.write(rebuild.resumeTextRebuilds, {})
