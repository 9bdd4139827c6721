import {
  applySchema,
  getSchemaDiff,
  getSeenTexts,
  listSchemaVersions,
  planSchema,
  putSeenTexts,
  resumeSchema,
  revertSchema,
} from '@postil/contract/schema-versions.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { ownUnseenTexts, seeVersion } from '#features/datasets/public.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as commands from './commands.ts'
import { planChanges } from './plan.ts'
import { listVersions, versionDiff } from './queries.ts'

/** @param limits the maximum number of options of a question */
export const schemaVersionRoutes = (limits: Limits): readonly Registration[] => [
  route(listSchemaVersions, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(listVersions, { user: actorOf(user), ...params }),
  })),
  route(getSchemaDiff, ({ ctx, user, params }) => ctx.store.read(versionDiff, { user: actorOf(user), ...params })),
  route(getSeenTexts, ({ ctx, user, params }) => ctx.store.read(ownUnseenTexts, { user: actorOf(user), ...params })),
  route(putSeenTexts, ({ ctx, user, params, body }) => ctx.store.write(seeVersion, { user: actorOf(user), ...params, body })),
  route(planSchema, ({ ctx, user, params, body }) =>
    ctx.store.read(planChanges, { user: actorOf(user), ...params, ...body, limits }, { lane: 'slow' }),
  ),
  route(applySchema, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.applyPlan, { user: actorOf(user), ...params, body, limits }),
  ),
  route(revertSchema, ({ ctx, user, params }) => ctx.store.write(commands.revertVersion, { user: actorOf(user), ...params })),
  route(resumeSchema, ({ ctx, user, params }) => ctx.store.write(commands.resumeVersion, { user: actorOf(user), ...params })),
]
