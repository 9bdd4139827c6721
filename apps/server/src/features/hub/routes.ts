import { checkHubWith, getHubRepository, previewHub } from '@postil/contract/files/hub.ts'
import { hubTokenHeader } from '@postil/contract/files/hub-token.ts'
import { exportDataset, importDataset } from '@postil/contract/jobs.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { type Registration, route, type UserCall } from '#platform/http/route.ts'
import * as preview from './import/preview.ts'
import * as hub from './service.ts'

/** A Hub token is sent in a header, so that no log records it. */
const callerOf = ({ user, request }: Pick<UserCall<AnyEndpoint>, 'user' | 'request'>): preview.Caller => {
  const header = request.headers[hubTokenHeader]
  return { user, token: typeof header === 'string' && header !== '' ? header : null }
}

/** @param limits the maximum number of options of a question */
export const hubRoutes = (limits: Limits): readonly Registration[] => [
  route(importDataset, ({ ctx, user, params, body }) => hub.startImport(ctx, user, params.dataset_id, body)),
  route(exportDataset, ({ ctx, user, params, body }) => hub.startExport(ctx, user, params.dataset_id, body)),
  route(getHubRepository, ({ ctx, query, ...call }) => preview.repository(ctx, callerOf(call), query.name)),
  route(previewHub, ({ ctx, query, ...call }) => preview.preview(ctx, callerOf(call), query)),
  route(checkHubWith(limits), ({ ctx, body, ...call }) => preview.check(ctx, callerOf(call), body)),
]
