import * as contract from '@postil/contract/assignments.ts'
import { parseIds } from '@postil/contract/wire/query-lists.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import { listAssignees, listOwnAssignments, listRecordAssignees } from './queries.ts'
import * as assignments from './service.ts'

export const assignmentRoutes: readonly Registration[] = [
  route(contract.assignRecords, ({ ctx, user, params, body }) => assignments.assign(ctx, user, params.dataset_id, body)),
  route(contract.unassignRecords, ({ ctx, user, params, body }) => assignments.unassign(ctx, user, params.dataset_id, body)),
  route(contract.moveAssignments, ({ ctx, user, params, body }) => assignments.move(ctx, user, params.dataset_id, body)),
  route(contract.undoAssignments, ({ ctx, user, params }) => assignments.undo(ctx, user, params.dataset_id, params.job_id)),
  route(contract.listAssignments, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(listAssignees, { user: actorOf(user), ...params }, { lane: 'slow' }),
  })),
  route(contract.listRecordAssignments, async ({ ctx, user, params, query }) => ({
    items: await ctx.store.read(listRecordAssignees, { user: actorOf(user), ...params, record_ids: parseIds(query.ids) }),
  })),
  route(contract.listMyAssignments, async ({ ctx, user }) => ({
    items: await ctx.store.read(listOwnAssignments, { user: actorOf(user) }),
  })),
]
