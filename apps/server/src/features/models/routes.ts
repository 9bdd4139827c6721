import {
  checkModelConnection,
  createModelConnection,
  deleteModelConnection,
  listModelConnections,
  updateModelConnection,
} from '@postil/contract/model-connections.ts'
import { type Registration, route } from '#platform/http/route.ts'
import * as connections from './connections/service.ts'

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
]
