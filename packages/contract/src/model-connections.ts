import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { httpUrl } from './wire/http-url.ts'
import { patch } from './wire/patch.ts'
import { ReasonPart } from './wire/reason-part.ts'
import { float, int, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const maxModelConnections = 20
export const maxModelConcurrency = 64

/** An endpoint that speaks the OpenAI protocol, with one of its models. */
export const ModelConnection = z.strictObject({
  id: printedUuid(),
  workspace_id: printedUuid(),
  name: z.string(),
  base_url: z.string(),
  model: z.string(),
  /** Whether a key is stored. The key itself is never returned. */
  has_key: z.boolean(),
  /** Prices per million tokens, in any currency. Null if unknown. */
  input_price: z.number().nullable(),
  output_price: z.number().nullable(),
  /** How many requests a run sends at the same time. */
  concurrency: z.int(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type ModelConnection = z.infer<typeof ModelConnection>

/** An address to which a path is appended. It must not contain a key. Keys belong in `api_key`, which is encrypted. */
const baseUrl = httpUrl.transform((href, ctx) => {
  const url = new URL(href)
  if (url.username === '' && url.password === '' && url.search === '' && url.hash === '') return href.replace(/\/+$/, '')
  const message = 'Value error, the URL must not have a user name, a password, a query or a fragment'
  ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
  return z.NEVER
})
const name = text({ min: 1, max: 200 })
const model = text({ min: 1, max: 200 })
// A header can contain only these characters.
const key = text({ min: 1, max: 1000, trim: true, pattern: /^[\x21-\x7e]+$/ })
const price = float({ ge: 0, le: 1_000_000 })
const concurrency = int({ ge: 1, le: maxModelConcurrency })

export const ModelConnectionCreate = z.object({
  name,
  /** The address to which `/chat/completions` is appended. */
  base_url: baseUrl,
  model,
  /** Null for servers that don't need a key, for example local ones. */
  api_key: key.nullish(),
  input_price: price.nullish(),
  output_price: price.nullish(),
  concurrency: concurrency.default(4),
})
export type ModelConnectionCreate = z.infer<typeof ModelConnectionCreate>
export type ModelConnectionInput = z.input<typeof ModelConnectionCreate>

/** If the address changes, the key must be sent too, so that nobody can send a stored key to an address of their own. */
export const ModelConnectionUpdate = patch(
  { name, base_url: baseUrl, model, concurrency },
  { api_key: key, input_price: price, output_price: price },
)
export type ModelConnectionUpdate = z.infer<typeof ModelConnectionUpdate>

const ofWorkspace = '/workspaces/:workspace_id/model-connections'
const one = '/model-connections/:connection_id'

export const listModelConnections = defineEndpoint({
  id: 'model_connections.list',
  method: 'GET',
  path: ofWorkspace,
  result: itemsOf(ModelConnection),
  errors: [403, 404],
  addition: true,
  summary: 'List the model connections of a workspace, oldest first',
})
export const createModelConnection = defineEndpoint({
  id: 'model_connections.create',
  method: 'POST',
  path: ofWorkspace,
  body: ModelConnectionCreate,
  status: 201,
  result: ModelConnection,
  errors: [403, 404],
  addition: true,
  summary: 'Create a model connection; a workspace has at most 20',
})
export const updateModelConnection = defineEndpoint({
  id: 'model_connections.update',
  method: 'PATCH',
  path: one,
  body: ModelConnectionUpdate,
  result: ModelConnection,
  errors: [403, 404],
  addition: true,
  summary: 'Update a model connection; a new address requires the key to be sent again',
})
export const deleteModelConnection = defineEndpoint({
  id: 'model_connections.delete',
  method: 'DELETE',
  path: one,
  result: ModelConnection,
  errors: [403, 404],
  addition: true,
  summary: 'Delete a model connection and its key; runs that used it are kept',
})

export const ModelCheck = z.strictObject({
  /** What the model answered. Null if it gave no answer. */
  answer: z.string().nullable(),
  /** Why there is no answer; null if there is one. */
  reason: z.string().nullable(),
  reason_parts: z.array(ReasonPart),
  ms: z.int(),
})
export type ModelCheck = z.infer<typeof ModelCheck>

export const checkModelConnection = defineEndpoint({
  id: 'model_connections.check',
  method: 'POST',
  path: `${one}/check`,
  result: ModelCheck,
  errors: [403, 404],
  addition: true,
  summary: 'Test whether the model responds',
})

export const modelConnectionEndpoints = [
  listModelConnections,
  createModelConnection,
  updateModelConnection,
  deleteModelConnection,
  checkModelConnection,
] as const
