import { getStoredFile } from '@postil/contract/stored-files.ts'
import { type Registration, route } from '#platform/http/route.ts'
import { serveFile } from './service.ts'

export const pictureRoutes: readonly Registration[] = [
  route(getStoredFile, ({ ctx, user, params, request }) =>
    serveFile(ctx, user, params, { range: request.headers.range, ifNoneMatch: request.headers['if-none-match'] }),
  ),
]
