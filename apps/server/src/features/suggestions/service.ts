import type { SuggestionCreate } from '@postil/contract/suggestions.ts'
import type { Actor } from '#features/records/service.ts'
import { prepareSuggestion } from '#features/records/service.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import * as operations from './operations.ts'

type Ctx = { readonly store: Store }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

/** @throws Problem not_found, forbidden */
export const listSuggestions = async (ctx: Ctx, user: Actor, record_id: string): Promise<RawJson> => {
  const texts = await ctx.store.read(operations.listSuggestions, { user: actorOf(user), record_id })
  return rawJson(`{"items":[${texts.join(',')}]}`)
}

/** Creates or replaces the suggestion for a question. @throws Problem not_found, forbidden, unprocessable */
export const putSuggestion = async (
  ctx: Ctx,
  user: Actor,
  record_id: string,
  body: SuggestionCreate,
): Promise<{ readonly body: RawJson; readonly created: boolean }> => {
  const sent = prepareSuggestion(body)
  const { text, created } = await ctx.store.write(operations.putSuggestion, { user: actorOf(user), record_id, sent })
  return { body: rawJson(text), created }
}

/** @throws Problem not_found, forbidden */
export const deleteSuggestions = async (ctx: Ctx, user: Actor, record_id: string, ids: string): Promise<undefined> => {
  await ctx.store.write(operations.deleteSuggestions, { user: actorOf(user), record_id, ids })
}

/** @returns the suggestion before its deletion. @throws Problem not_found, forbidden */
export const deleteSuggestion = async (ctx: Ctx, user: Actor, id: string): Promise<RawJson> =>
  rawJson(await ctx.store.write(operations.deleteSuggestion, { user: actorOf(user), id }))
