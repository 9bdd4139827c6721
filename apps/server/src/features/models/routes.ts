import { getModelAlignment, listModelDisagreements } from '@postil/contract/model-alignment.ts'
import {
  checkModelConnection,
  createModelConnection,
  deleteModelConnection,
  listModelConnections,
  updateModelConnection,
} from '@postil/contract/model-connections.ts'
import {
  deleteModelRun,
  getModelRun,
  listModelRunItems,
  listModelRuns,
  previewModelRun,
  publishModelRun,
  resumeModelRun,
  startModelRun,
  unpublishModelRun,
} from '@postil/contract/model-runs.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { type Registration, route } from '#platform/http/route.ts'
import { whileConnected } from '#platform/http/while-connected.ts'
import { alignmentOf, disagreementsOf } from './alignment/service.ts'
import * as connections from './connections/service.ts'
import * as runs from './runs/operations.ts'
import { preview, startRun } from './runs/service.ts'

export const modelRoutes: readonly Registration[] = [
  route(listModelConnections, ({ ctx, user, params }) => connections.listConnections(ctx, user, params.workspace_id)),
  route(createModelConnection, ({ ctx, user, params, body }) =>
    connections.createConnection(ctx, user, params.workspace_id, body),
  ),
  route(updateModelConnection, ({ ctx, user, params, body }) =>
    connections.updateConnection(ctx, user, params.connection_id, body),
  ),
  route(checkModelConnection, ({ ctx, user, params }) => connections.checkConnection(ctx, user, params.connection_id)),
  route(deleteModelConnection, ({ ctx, user, params }) => connections.deleteConnection(ctx, user, params.connection_id)),
  route(listModelRuns, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(runs.listRuns, { user: actorOf(user), ...params }),
  })),
  route(startModelRun, ({ ctx, user, params, body }) => startRun(ctx, user, params.dataset_id, body)),
  route(previewModelRun, ({ ctx, user, params, body, request }) =>
    whileConnected(request, (signal) => preview(ctx, user, params.dataset_id, { body, signal })),
  ),
  route(getModelRun, ({ ctx, user, params }) => ctx.store.read(runs.getRun, { user: actorOf(user), ...params })),
  route(listModelRunItems, async ({ ctx, user, params, query: { failed, offset, limit } }) => ({
    items: await ctx.store.read(runs.listItems, { user: actorOf(user), ...params, failed, offset, limit }),
  })),
  route(resumeModelRun, ({ ctx, user, params, body: { spend_cap, retry_failed } }) =>
    ctx.store.write(runs.resumeRun, { user: actorOf(user), ...params, spend_cap, retry: retry_failed }),
  ),
  route(publishModelRun, ({ ctx, user, params }) =>
    ctx.store.write(runs.publishRun, { user: actorOf(user), ...params, undo: false }),
  ),
  route(unpublishModelRun, ({ ctx, user, params }) =>
    ctx.store.write(runs.publishRun, { user: actorOf(user), ...params, undo: true }),
  ),
  route(getModelAlignment, ({ ctx, user, params, query: { other = null, ...query } }) =>
    alignmentOf(ctx, user, { ...params, ...query, other }),
  ),
  route(listModelDisagreements, ({ ctx, user, params, query }) => disagreementsOf(ctx, user, { ...params, ...query })),
  route(deleteModelRun, ({ ctx, user, params }) => ctx.store.write(runs.deleteRun, { user: actorOf(user), ...params })),
]
