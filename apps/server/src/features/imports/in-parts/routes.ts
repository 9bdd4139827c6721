import { beginUpload, dropUpload, finishUpload, getUpload, sendPart } from '@postil/contract/files/uploads.ts'
import { type Registration, route, streamRoute } from '#platform/http/route.ts'
import * as uploads from './service.ts'

export const uploadRoutes: readonly Registration[] = [
  route(beginUpload, ({ ctx, user, body }) => uploads.beginUpload(ctx, user, body)),
  route(getUpload, ({ ctx, user, params }) => uploads.getUpload(ctx, user, params.file_id)),
  streamRoute(sendPart, ({ ctx, user, params, query, body }) =>
    uploads.sendPart(ctx, user, params.file_id, { at: query.at, chunks: body }),
  ),
  route(finishUpload, ({ ctx, user, params }) => uploads.finishUpload(ctx, user, params.file_id)),
  route(dropUpload, ({ ctx, user, params }) => uploads.dropUpload(ctx, user, params.file_id)),
]
