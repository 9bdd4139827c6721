import type { z } from 'zod'

/** Who may call: `none` is public, `user` needs an API key, a bearer token or a browser session. */
export type Access = 'none' | 'user'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/**
 * How the body travels; `form` is urlencoded or multipart, `json` is read as JSON also without a content type, and a `stream` is a
 * file that the handler reads while it arrives.
 */
export type BodyKind = 'none' | 'json' | 'form' | 'stream'

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> = {
  /** Stable operation name, `feature.action`, also the operationId of the API documentation. */
  readonly id: string
  readonly method: Method
  /** Path below the base URL with `:name` parameters, for example `/api/v1/datasets/:dataset_id`. */
  readonly path: string
  readonly access: Access
  readonly params: Params
  readonly query: Query
  readonly bodyKind: BodyKind
  readonly body: Body
  /** Status of a success; handlers may answer another one of `successes` explicitly. */
  readonly status: number
  readonly successes: readonly number[]
  /** The body of a success; `z.undefined()` for 204. */
  readonly result: Result
  /** Documented error statuses beside 401 and 422 of every route. */
  readonly errors: readonly number[]
  /** True for routes that the published wire does not have. */
  readonly addition: boolean
  /** Content types of a success that is a file; empty for JSON. */
  readonly media: readonly string[]
  readonly summary: string
}

// biome-ignore lint/suspicious/noExplicitAny: the type parameters of "any endpoint" are invariant in zod
export type AnyEndpoint = Endpoint<any, any, any, any>

export type ParamsOf<E extends AnyEndpoint> = z.output<E['params']>
export type QueryOf<E extends AnyEndpoint> = z.output<E['query']>
export type BodyOf<E extends AnyEndpoint> = z.output<E['body']>
/** What a client sends, before defaults are filled in. */
export type BodyInputOf<E extends AnyEndpoint> = z.input<E['body']>
export type ResultOf<E extends AnyEndpoint> = z.output<E['result']>
