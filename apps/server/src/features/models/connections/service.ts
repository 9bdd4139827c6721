import type {
  ModelCheck,
  ModelConnection,
  ModelConnectionCreate,
  ModelConnectionUpdate,
} from '@postil/contract/model-connections.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Store } from '#platform/db/store.ts'
import { askModel, type ModelContext, ModelFault } from '../client.ts'
import * as operations from './operations.ts'
import { printConnection } from './rows.ts'

type Ctx = { readonly store: Store; readonly secrets: Pick<Secrets, 'encrypt'> }

/** @throws Problem forbidden, not_found */
export const listConnections = async (ctx: Ctx, user: Actor, workspace_id: string): Promise<{ items: ModelConnection[] }> => ({
  items: (await ctx.store.read(operations.listConnections, { user: actorOf(user), workspace_id })).map(printConnection),
})

/** @throws Problem forbidden, not_found, unprocessable */
export const createConnection = async (
  ctx: Ctx,
  user: Actor,
  workspace_id: string,
  body: ModelConnectionCreate,
): Promise<ModelConnection> => {
  const { name, base_url, model, api_key = null, input_price = null, output_price = null, concurrency } = body
  const connection = {
    name,
    base_url,
    model,
    key_sealed: api_key === null ? null : ctx.secrets.encrypt(api_key),
    input_price,
    output_price,
    concurrency,
  }
  return printConnection(await ctx.store.write(operations.createConnection, { user: actorOf(user), workspace_id, connection }))
}

/**
 * @throws Problem not_found, forbidden; unprocessable if the connection has a key and the request changes the address without
 * sending a key
 */
export const updateConnection = async (
  ctx: Ctx,
  user: Actor,
  id: string,
  { api_key, ...rest }: ModelConnectionUpdate,
): Promise<ModelConnection> => {
  const change = {
    ...rest,
    ...(api_key !== undefined && { key_sealed: api_key === null ? null : ctx.secrets.encrypt(api_key) }),
  }
  return printConnection(await ctx.store.write(operations.updateConnection, { user: actorOf(user), id, change }))
}

/** @throws Problem not_found, forbidden */
export const deleteConnection = async (ctx: Ctx, user: Actor, id: string): Promise<ModelConnection> =>
  printConnection(await ctx.store.write(operations.deleteConnection, { user: actorOf(user), id }))

/** How long a test of a connection waits for an answer. The endpoint may have to load the model first. */
const CHECK_MS = 30_000
const CHECK_TOKENS = 1000

/** @throws Problem not_found, forbidden */
export const checkConnection = async (
  ctx: ModelContext & { readonly store: Store },
  user: Actor,
  id: string,
): Promise<ModelCheck> => {
  const connection = await ctx.store.read(operations.getConnection, { user: actorOf(user), id })
  const began = performance.now()
  const check = (answer: string | null, reason: Reason | null): ModelCheck => ({
    answer,
    reason: reason === null ? null : renderMessage(reason),
    reason_parts: reason === null ? [] : [...partsOf(reason)],
    ms: Math.round(performance.now() - began),
  })
  try {
    const request = { messages: [{ role: 'user', content: 'Answer with the word OK.' }], max_tokens: CHECK_TOKENS } as const
    const { text, refusal } = await askModel(
      ctx,
      connection,
      { ...request, messages: [...request.messages] },
      { timeoutMs: CHECK_MS, retries: 0 },
    )
    return check(text ?? refusal, text === null && refusal === null ? message('modelNoText') : null)
  } catch (error) {
    if (error instanceof ModelFault) return check(null, error.reason)
    throw error
  }
}
