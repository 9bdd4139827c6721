import type { AnyEndpoint, BodyOf } from '@postil/contract/wire/endpoint.ts'
import { invalid } from '@postil/contract/wire/errors.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { toProblems } from '@postil/contract/wire/problems.ts'
import type { z } from 'zod'
import { parseJson } from './json-body.ts'

/**
 * A body whose first part is passed to the handler immediately. While the handler works, the thread prepares the rest, which
 * may itself be a `StagedBody`.
 */
export class StagedBody<First, Rest> {
  readonly first: First
  readonly rest: () => Rest | Promise<Rest>
  constructor(first: First, rest: () => Rest | Promise<Rest>) {
    this.first = first
    this.rest = rest
  }
}

/**
 * A named function that converts a body's bytes to the handler's input. Small bodies are parsed in this process, and large ones
 * in the thread of the body pool. Therefore, `R`, or each part of a `StagedBody`, must survive structured clone. The function
 * throws `Problem`s of kind `validation`, with `loc`s under `body`.
 */
export type BodyParser<R> = {
  readonly name: string
  readonly parse: (bytes: Uint8Array, limits: Limits) => R
}

const registry = new Map<string, BodyParser<unknown>>()

/** Declares a parser. `src/endpoints.ts`, which the pool's thread loads, must import the parser's module. */
export const bodyParser = <R>(name: string, parse: BodyParser<R>['parse']): BodyParser<R> => {
  if (registry.has(name)) throw new Error(`body parser ${name} is registered twice`)
  const parser = { name, parse }
  registry.set(name, parser)
  return parser
}

/** Checks parsed JSON against a body's schema. @throws Problem a validation error */
export const checkBody = <S extends z.ZodType>(schema: S, sent: unknown): z.output<S> => {
  const result = schema.safeParse(sent)
  if (!result.success) throw invalid(toProblems(result.error, 'body', sent))
  return result.data
}

/** An endpoint's default parser: parses JSON, then checks it against the body schema. */
export const endpointBody = <E extends AnyEndpoint>(endpoint: E): BodyParser<BodyOf<E>> => ({
  name: `endpoint ${endpoint.id}`,
  parse: (bytes) => checkBody(endpoint.body as z.ZodType<BodyOf<E>>, parseJson(bytes)),
})

/** All parsers of request bodies, keyed by name: those that were registered in this thread, and one for each endpoint. */
export const bodyParsersOf = (endpoints: readonly AnyEndpoint[]): ReadonlyMap<string, BodyParser<unknown>> =>
  new Map([...registry, ...endpoints.map(endpointBody).map((parser) => [parser.name, parser] as const)])
