import {
  bulkResponses,
  clearMyResponse,
  createResponse,
  deleteResponse,
  putMyResponse,
  updateResponse,
} from '@postil/contract/responses.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { reply } from '#platform/http/answers/answers.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as commands from './one/commands.ts'
import * as responses from './service.ts'

export const responseRoutes: readonly Registration[] = [
  route(createResponse, ({ ctx, user, params, body }) => responses.create(ctx, user, params.record_id, body)),
  route(updateResponse, ({ ctx, user, params, body }) => responses.update(ctx, user, params.response_id, body)),
  route(deleteResponse, ({ ctx, user, params }) =>
    ctx.store.write(commands.deleteResponse, { user: actorOf(user), id: params.response_id }),
  ),
  route(bulkResponses, ({ ctx, user, body }) => responses.bulk(ctx, user, body.items)),
  route(putMyResponse, async ({ ctx, user, params, body }) => {
    const { response, created } = await responses.putMyResponse(ctx, user, params.record_id, body)
    return reply(created ? 201 : 200, response)
  }),
  route(clearMyResponse, ({ ctx, user, params, query }) => responses.clearMyResponse(ctx, user, params.record_id, query)),
]
