import { cancelJob, getJob, listJobs, listMyJobs } from '@postil/contract/jobs.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as queries from './queries.ts'
import * as jobs from './service.ts'

export const jobRoutes: readonly Registration[] = [
  route(listJobs, ({ ctx, user, query }) => jobs.listJobs(ctx, user, query.status)),
  route(listMyJobs, async ({ ctx, user }) => ({ items: await ctx.store.read(queries.listJobs, { user_id: user.id }) })),
  route(getJob, ({ ctx, user, params }) => jobs.getJob(ctx, user, params.job_id)),
  route(cancelJob, ({ ctx, user, params }) => jobs.cancelJob(ctx, user, params.job_id)),
]
