import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type {
  BulkResponseItem,
  BulkResponseResult,
  MyRemoval,
  MyResponse,
  Response,
  ResponseCreate,
} from '@postil/contract/responses.ts'
import { Problem, unauthorized, unprocessable } from '@postil/contract/wire/errors.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from './one/commands.ts'
import * as myResponse from './one/my-response.ts'
import type { SentAnswer } from './sent-answer.ts'

type Ctx = { readonly store: Store; readonly config: Pick<Config, 'maxAnswer'> }

/** @throws Problem unprocessable for values over the limit */
const sentOf = ({ config }: Ctx, { status, values, suggestion_outcomes, shown, active_ms }: SentAnswer): SentAnswer => {
  const fault = answerSizeFault(values, config.maxAnswer)
  if (fault !== null) throw unprocessable(fault)
  return { status, values, suggestion_outcomes, shown, active_ms }
}

/** Creates the caller's first answer to a record. @throws Problem not_found, forbidden, conflict, unprocessable */
export const create = async (ctx: Ctx, user: Actor, record_id: string, body: ResponseCreate): Promise<Response> =>
  ctx.store.write(commands.createResponse, { user: actorOf(user), record_id, sent: sentOf(ctx, body) })

/** Replaces the status and values of an answer. @throws Problem not_found, forbidden, unprocessable */
export const update = async (ctx: Ctx, user: Actor, id: string, body: SentAnswer): Promise<Response> =>
  ctx.store.write(commands.updateResponse, { user: actorOf(user), id, sent: sentOf(ctx, body) })

const detailOf = ({ data }: Problem): string =>
  data.kind === 'forbidden' ? `argilla.api.errors::ForbiddenOperationError(detail=${data.detail})` : data.detail

/** Creates or replaces the caller's answers in order, each in its own transaction. */
export const bulk = async (
  ctx: Ctx,
  user: Actor,
  items: readonly BulkResponseItem[],
): Promise<{ items: BulkResponseResult[] }> => {
  const results: BulkResponseResult[] = []
  for (const { record_id, ...body } of items) {
    try {
      const item = await ctx.store.write(commands.upsertResponse, { user: actorOf(user), record_id, sent: sentOf(ctx, body) })
      results.push({ item, error: null })
    } catch (error) {
      // An unavailable database isn't the item's fault. The client must repeat the entire request.
      if (!(error instanceof Problem) || error.data.kind === 'unavailable') throw error
      results.push({ item: null, error: { detail: detailOf(error) } })
    }
  }
  return { items: results }
}

/** @throws Problem unauthorized for an answer by another user */
const checkAuthor = (user: Actor, author: string | null | undefined): void => {
  if (author != null && author !== user.id) throw unauthorized('You are not signed in as the author of this answer')
}

/**
 * Writes the caller's answer exactly once, even if the request is repeated. @throws Problem unauthorized, not_found, forbidden,
 * conflict, unprocessable
 */
export const putMyResponse = async (
  ctx: Ctx,
  user: Actor,
  record_id: string,
  { user_id, mutation_id, base_version, ...body }: MyResponse,
): Promise<{ response: Response; created: boolean }> => {
  checkAuthor(user, user_id)
  return ctx.store.write(myResponse.putMyResponse, {
    user: actorOf(user),
    record_id,
    mutation_id,
    base_version,
    sent: sentOf(ctx, body),
  })
}

/**
 * Deletes the caller's answer exactly once, even if the request is repeated. @throws Problem unauthorized, not_found,
 * forbidden, conflict
 */
export const clearMyResponse = async (
  ctx: Ctx,
  user: Actor,
  record_id: string,
  { user_id, mutation_id, base_version, active_ms }: MyRemoval,
): Promise<{ response: Response | null }> => {
  checkAuthor(user, user_id)
  const args = { user: actorOf(user), record_id, mutation_id, base_version: base_version ?? null, active_ms }
  return { response: await ctx.store.write(myResponse.clearMyResponse, args) }
}
