import { checkFile, importReport, startImport, uploadFile } from '@postil/contract/imports.ts'
import { sentTypeOf } from '#platform/http/admit.ts'
import { type Registration, route, streamRoute } from '#platform/http/route.ts'
import { reportOf } from './report.ts'
import * as imports from './service.ts'

export const importRoutes: readonly Registration[] = [
  streamRoute(uploadFile, ({ ctx, user, params, query, body, request }) =>
    imports.uploadFile(ctx, user, params.dataset_id, { ...query, type: sentTypeOf(request), chunks: body }),
  ),
  route(checkFile, ({ ctx, user, params, body }) => imports.checkFile(ctx, user, params, body.mapping)),
  route(startImport, ({ ctx, user, params, body }) => imports.startImport(ctx, user, params, body.mapping)),
  route(importReport, ({ ctx, user, params, query }) => reportOf(ctx, user, params, query.format)),
]
