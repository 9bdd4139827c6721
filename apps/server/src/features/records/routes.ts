import {
  createRecordsWith,
  deleteRecord,
  deleteRecords,
  getRecord,
  listRecords,
  updateRecordWith,
  upsertRecordsWith,
} from '@postil/contract/records.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { rawJson, reply } from '#platform/http/answers/answers.ts'
import { type Registration, route } from '#platform/http/route.ts'
import { createBody, updateBody, upsertBody } from './bulk/bodies.ts'
import * as commands from './commands.ts'
import * as records from './service.ts'

export const recordRoutes = (limits: Limits): readonly Registration[] => [
  route(listRecords, ({ ctx, user, params, query }) => records.list(ctx, user, { ...params, ...query })),
  route(createRecordsWith(limits), ({ ctx, user, params, body }) => records.createRecords(ctx, user, params.dataset_id, body), {
    body: createBody,
  }),
  route(upsertRecordsWith(limits), ({ ctx, user, params, body }) => records.upsertRecords(ctx, user, params.dataset_id, body), {
    body: upsertBody,
  }),
  route(deleteRecords, async ({ ctx, user, params, query }) => {
    await ctx.store.write(commands.deleteRecords, { user: actorOf(user), ...params, ids: query.ids })
    return reply(204, undefined)
  }),
  route(getRecord, ({ ctx, user, params }) => records.get(ctx, user, params.record_id)),
  route(
    updateRecordWith(limits),
    async ({ ctx, user, params, body }) =>
      rawJson(await ctx.store.write(commands.updateRecord, { user: actorOf(user), ...params, packed: body })),
    { body: updateBody },
  ),
  route(deleteRecord, async ({ ctx, user, params }) =>
    rawJson(await ctx.store.write(commands.deleteRecord, { user: actorOf(user), ...params })),
  ),
]
