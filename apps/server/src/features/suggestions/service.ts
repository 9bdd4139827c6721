import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { SuggestionCreate } from '@postil/contract/suggestions.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { prepareSuggestion } from '#features/records/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import * as operations from './operations.ts'

type Ctx = { readonly store: Store }

/** @throws Problem not_found, forbidden */
export const listSuggestions = async (ctx: Ctx, user: Actor, record_id: string): Promise<RawJson> => {
  const texts = await ctx.store.read(operations.listSuggestions, { user: actorOf(user), record_id })
  return rawJson(`{"items":[${texts.join(',')}]}`)
}

/** Creates or replaces the suggestion for a question. @throws Problem not_found, forbidden, unprocessable */
export const putSuggestion = async (
  ctx: Ctx & { readonly config: Pick<Config, 'maxAnswer'> },
  user: Actor,
  record_id: string,
  body: SuggestionCreate,
): Promise<{ readonly body: RawJson; readonly created: boolean }> => {
  const fault = answerSizeFault(body.value, ctx.config.maxAnswer)
  if (fault !== null) throw unprocessable(fault)
  const sent = prepareSuggestion(body)
  const { text, created } = await ctx.store.write(operations.putSuggestion, { user: actorOf(user), record_id, sent })
  return { body: rawJson(text), created }
}
