import {
  checkFile,
  checkMyFileWith,
  chooseMyReadAs,
  chooseMyReading,
  chooseMySheet,
  chooseReadAs,
  chooseReading,
  chooseSheet,
  importReport,
  listImports,
  startImport,
  uploadFile,
  uploadMyFile,
} from '@postil/contract/files/imports.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import type { FastifyRequest } from 'fastify'
import { sentTypeOf } from '#platform/http/admit.ts'
import { originOf } from '#platform/http/hosts.ts'
import { type Registration, route, streamRoute } from '#platform/http/route.ts'
import { readAs, readingOfBody, rereadFile, rereadMyFile, sheetNamed } from './inspect/choose-reading.ts'
import * as imports from './service.ts'
import { reportOf } from './store/report.ts'

const announcedBy = (request: FastifyRequest) => ({
  type: sentTypeOf(request),
  announced: Number(request.headers['content-length'] ?? 0),
})

/** @param limits the operator's limits, such as the maximum number of options of a question */
export const importRoutes = (limits: Limits): readonly Registration[] => [
  streamRoute(uploadFile, ({ ctx, user, params, query, body, request }) =>
    imports.uploadFile(ctx, user, params.dataset_id, { ...query, ...announcedBy(request), chunks: body }),
  ),
  route(chooseSheet, ({ ctx, user, params, body }) => rereadFile(ctx, user, params, sheetNamed(body.sheet))),
  route(chooseMySheet, ({ ctx, user, params, body }) => rereadMyFile(ctx, user, params.file_id, sheetNamed(body.sheet))),
  route(chooseReadAs, ({ ctx, user, params, body }) => rereadFile(ctx, user, params, readAs(body.as))),
  route(chooseMyReadAs, ({ ctx, user, params, body }) => rereadMyFile(ctx, user, params.file_id, readAs(body.as))),
  route(chooseReading, ({ ctx, user, params, body }) => rereadFile(ctx, user, params, readingOfBody(body))),
  route(chooseMyReading, ({ ctx, user, params, body }) => rereadMyFile(ctx, user, params.file_id, readingOfBody(body))),
  route(checkFile, ({ ctx, user, params, body }) => imports.checkFile(ctx, user, params, body.mapping)),
  route(startImport, ({ ctx, user, params, body, request }) => {
    const base = `${originOf(ctx.config, request)}${ctx.config.baseUrl}`
    return imports.startImport(ctx, user, params, { mapping: body.mapping, base })
  }),
  route(importReport, ({ ctx, user, params, query }) => reportOf(ctx, user, params, query.format)),
  route(listImports, ({ ctx, user, params }) => imports.listImports(ctx, user, params.dataset_id)),
  streamRoute(uploadMyFile, ({ ctx, user, query, body, request }) =>
    imports.uploadMyFile(ctx, user, { ...query, ...announcedBy(request), chunks: body }),
  ),
  route(checkMyFileWith(limits), ({ ctx, user, params, body }) => imports.checkMyFile(ctx, user, params.file_id, body)),
]
