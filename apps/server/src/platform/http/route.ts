import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ResultOf } from '@postil/contract/wire/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import type { User } from '#platform/auth/user.ts'
import type { Answer } from './answers/answers.ts'
import { type BodyParser, endpointBody } from './bodies/body-parsers.ts'

/** A handler's input. `params`, `query` and `body` have been validated against the endpoint's schemas. */
export type Call<E extends AnyEndpoint, B = BodyOf<E>> = {
  readonly ctx: AppContext
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: B
  /** Use it only to read headers, cookies and addresses. */
  readonly request: FastifyRequest
}
export type UserCall<E extends AnyEndpoint, B = BodyOf<E>> = Call<E, B> & { readonly user: User }

type Handler<C, E extends AnyEndpoint> = (call: C) => Promise<Answer<ResultOf<E>>> | Answer<ResultOf<E>>
type Options<B> = {
  /** The parser for the body. It replaces the endpoint's schema in the few routes with large bodies. */
  readonly body?: BodyParser<B>
  /** Whether clients usually send large bodies after a call of this route. If so, the call starts the thread that parses them. */
  readonly beforeLarge?: boolean
}

/** An endpoint with its handler, as a feature registers it with the server. */
export type Registration = {
  readonly endpoint: AnyEndpoint
  readonly parser: BodyParser<unknown>
  readonly handle: Handler<UserCall<AnyEndpoint, unknown>, AnyEndpoint>
  readonly beforeLarge: boolean
}

const register = (
  endpoint: AnyEndpoint,
  handle: unknown,
  { body, beforeLarge = false }: Options<unknown> = {},
): Registration => ({
  endpoint,
  parser: body ?? endpointBody(endpoint),
  beforeLarge,
  // The server passes values from this endpoint's schemas, which match the handler's type.
  handle: handle as Registration['handle'],
})

/**
 * A route that requires a user. Checks run in this order: body syntax, credentials, then path, query and body together. The
 * handler runs after all checks. It returns the result, `reply(…)` or `rawJson(…)`, and throws `Problem`s.
 */
export const route = <E extends AnyEndpoint, B = BodyOf<E>>(
  endpoint: E,
  handle: Handler<UserCall<E, B>, E>,
  options: Options<B> = {},
): Registration => {
  if (endpoint.access === 'none') throw new Error(`${endpoint.id} is public: use publicRoute`)
  return register(endpoint, handle, options)
}

/**
 * A route that takes a file. `body` yields the file's bytes as they arrive. The server doesn't read any bytes until it has
 * checked the credentials.
 */
export const streamRoute = <E extends AnyEndpoint>(
  endpoint: E,
  handle: Handler<UserCall<E, AsyncIterable<Uint8Array>>, E>,
): Registration => {
  if (endpoint.access === 'none' || endpoint.bodyKind !== 'stream')
    throw new Error(`${endpoint.id} does not accept a file from a user`)
  return register(endpoint, handle)
}

/** A route without authentication. */
export const publicRoute = <E extends AnyEndpoint, B = BodyOf<E>>(
  endpoint: E,
  handle: Handler<Call<E, B>, E>,
  options: Options<B> = {},
): Registration => {
  if (endpoint.access !== 'none') throw new Error(`${endpoint.id} requires a user: use route`)
  return register(endpoint, handle, options)
}
