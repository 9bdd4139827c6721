import type { AnyEndpoint, ParamsOf, ResultOf } from '@postil/contract/wire/endpoint.ts'
import { invalid, unprocessable } from '@postil/contract/wire/errors.ts'
import { toProblems, type Where } from '@postil/contract/wire/problems.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AppContext } from '#context.ts'
import type { User } from '#platform/auth/user.ts'
import { JsonStream, RawJson, Reply } from '#platform/http/answers/answers.ts'
import type { Registration } from '#platform/http/route.ts'

/** The maximum size of a result in bytes. Models can't read a larger result anyway. */
const MAX_RESULT = 4 * 1024 * 1024

/** A request as a client would send it, before defaults are applied. */
type RouteInput<E extends AnyEndpoint> = {
  readonly params?: ParamsOf<E>
  readonly query?: z.input<E['query']>
  readonly body?: z.input<E['body']>
}
/** Calls a route of the API on behalf of the caller, with the caller's permissions. @throws Problem if the route throws it */
export type CallRoute = <E extends AnyEndpoint>(endpoint: E, input: RouteInput<E>) => Promise<ResultOf<E>>

const tooMuch = () =>
  unprocessable(`The result has more than ${MAX_RESULT} bytes. Request fewer records, or leave out parts of them`)

const parsed = (text: string | Buffer): unknown => {
  if (text.length > MAX_RESULT) throw tooMuch()
  return JSON.parse(text.toString())
}

const collected = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const found: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_RESULT) throw tooMuch()
    found.push(chunk)
  }
  return Buffer.concat(found)
}

const bodyOf = async (answer: unknown): Promise<unknown> => {
  const body = answer instanceof Reply ? answer.body : answer
  if (body instanceof RawJson) return parsed(body.text)
  if (body instanceof JsonStream) return parsed(await collected(body.chunks))
  return body
}

const checked = (schema: z.ZodType, where: Where, sent: unknown): unknown => {
  const result = schema.safeParse(sent)
  if (!result.success) throw invalid(toProblems(result.error, where, sent))
  return result.data
}

type Caller = { readonly ctx: AppContext; readonly user: User; readonly request: FastifyRequest }

/**
 * Runs the handlers of the API's routes in this process, with the same schemas, permission checks and errors as over HTTP.
 * @param routes all routes, by the ID of their endpoint
 */
export const callRoutesAs =
  (routes: ReadonlyMap<string, Registration>, caller: Caller): CallRoute =>
  async (endpoint, { params = {}, query = {}, body }) => {
    const route = routes.get(endpoint.id)
    if (route === undefined) throw new Error(`there is no route ${endpoint.id}`)
    const call = {
      ...caller,
      params: checked(endpoint.params, 'path', params),
      query: checked(endpoint.query, 'query', query),
      body: checked(endpoint.body, 'body', body),
    }
    return endpoint.result.parse(await bodyOf(await route.handle(call as Parameters<Registration['handle']>[0])))
  }
