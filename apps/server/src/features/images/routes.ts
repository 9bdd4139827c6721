import { getLinkedFile, getStoredFile, linkStoredFile } from '@postil/contract/files/stored-files.ts'
import type { FastifyRequest } from 'fastify'
import { publicRoute, type Registration, route } from '#platform/http/route.ts'
import { linkFile } from './link.ts'
import { serveFile, serveLinked } from './serve.ts'

const conditionsOf = ({ headers }: FastifyRequest) => ({ range: headers.range, ifNoneMatch: headers['if-none-match'] })

export const imageRoutes: readonly Registration[] = [
  route(getStoredFile, ({ ctx, user, params, request }) => serveFile(ctx, user, params, conditionsOf(request))),
  route(linkStoredFile, ({ ctx, user, params }) => linkFile(ctx, user, params)),
  publicRoute(getLinkedFile, ({ ctx, params, query, request }) =>
    serveLinked(ctx, { ...params, ...query }, conditionsOf(request)),
  ),
]
