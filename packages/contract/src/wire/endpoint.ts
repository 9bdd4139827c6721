import type { z } from 'zod'

/**
 * Who may call a route. `none`: anyone. `user`: callers with an API key, a bearer token or a browser session. `key`: callers with
 * an API key, which can be sent as a bearer token.
 */
export type Access = 'none' | 'user' | 'key'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/**
 * The encoding of the body. `form` is urlencoded or multipart. `json` is parsed as JSON even without a content type. `stream` is
 * a file that the handler reads as it arrives.
 */
export type BodyKind = 'none' | 'json' | 'form' | 'stream'

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
  Verb extends Method = Method,
  Path extends string = string,
> = {
  /** A stable operation name, `feature.action`. Also the operationId in the API documentation. */
  readonly id: string
  readonly method: Verb
  /** The path below the base URL with `:name` parameters, for example `/api/v1/datasets/:dataset_id`. */
  readonly path: Path
  readonly access: Access
  readonly params: Params
  readonly query: Query
  readonly bodyKind: BodyKind
  readonly body: Body
  /** The usual success status. Handlers may return any other status in `successes`. */
  readonly status: number
  readonly successes: readonly number[]
  /** The response body on success. `z.undefined()` for 204. */
  readonly result: Result
  /** Documented error statuses, in addition to 401 and 422, which every route can return. */
  readonly errors: readonly number[]
  /** True for routes that the published wire does not have. */
  readonly addition: boolean
  /** Content types if the response is a file. Empty for JSON. */
  readonly media: readonly string[]
  readonly summary: string
}

// biome-ignore lint/suspicious/noExplicitAny: the type parameters of "any endpoint" are invariant in zod
export type AnyEndpoint = Endpoint<any, any, any, any>

export type ParamsOf<E extends AnyEndpoint> = z.output<E['params']>
export type QueryOf<E extends AnyEndpoint> = z.output<E['query']>
export type BodyOf<E extends AnyEndpoint> = z.output<E['body']>
/** What a client sends, before defaults are applied. */
export type BodyInputOf<E extends AnyEndpoint> = z.input<E['body']>
export type ResultOf<E extends AnyEndpoint> = z.output<E['result']>
