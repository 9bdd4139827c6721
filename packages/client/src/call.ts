import type { Endpoints, Route } from '@postil/contract/endpoints.ts'
import type { ResultOf } from '@postil/contract/wire/endpoint.ts'
import type { z } from 'zod'
import { requestLine } from './address.ts'

type ParamsOf<R extends Route> = z.input<Endpoints[R]['params']>
type QueryOf<R extends Route> = z.input<Endpoints[R]['query']>
type BodyOf<R extends Route> = z.input<Endpoints[R]['body']>

type NoKeys = Record<never, never>

type ParamsPart<R extends Route> = [keyof ParamsOf<R>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParamsOf<R> }
type QueryPart<R extends Route> = NoKeys extends QueryOf<R> ? { readonly query?: QueryOf<R> } : { readonly query: QueryOf<R> }
type BodyPart<R extends Route> = undefined extends BodyOf<R> ? { readonly body?: BodyOf<R> } : { readonly body: BodyOf<R> }

export type RequestParts<R extends Route> = ParamsPart<R> & QueryPart<R> & BodyPart<R>

export type SendOptions = {
  readonly signal?: AbortSignal
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Whether the request continues after the tab is closed. Only for bodies up to 64 kB. */
  readonly keepalive?: boolean
}

type Optional<Options> = NoKeys extends Options ? [options?: Options] : [options: Options]

/**
 * Calls one endpoint of the contract: `call('GET /datasets/:dataset_id/progress', { params: { dataset_id }, signal })`. The
 * contract gives the types of path parameters, query, body and result. Only its types are imported, so no schema is loaded.
 * @throws ApiError with the status of the response, or with status 0 if the server can't be reached
 * @throws the signal's reason if the signal is aborted
 */
export type Call<Options = SendOptions> = <R extends Route>(
  route: R,
  ...options: Optional<RequestParts<R> & Options>
) => Promise<ResultOf<Endpoints[R]>>

type Untyped<Options> = Options & { readonly query?: unknown; readonly body?: unknown }

/** Sends a request by method and path. The request and the result are not type-checked; `createCall` adds the types. */
export type Send<Options = SendOptions> = (method: string, path: string, options?: Untyped<Options>) => Promise<unknown>

/** Wraps `send` so that its requests and results have the contract's types. Fills in the path parameters. */
export const createCall = <Options = SendOptions>(send: Send<Options>): Call<Options> => {
  type AnyOptions = Untyped<Options> & { readonly params?: { readonly [name: string]: string } }
  const call = (route: string, { params, ...options } = {} as AnyOptions): Promise<unknown> =>
    send(...requestLine(route, params), options as AnyOptions)
  return call as Call<Options>
}

type ParamsArgument<R extends Route> = [keyof ParamsOf<R>] extends [never] ? [] : [params: ParamsOf<R>]

/** The path of a route, for links: `pathOf('GET /datasets/:dataset_id', { dataset_id })`. */
export const pathOf = <R extends Route>(route: R, ...[params]: ParamsArgument<R>): string => requestLine(route, params)[1]
