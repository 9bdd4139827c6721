import type { AnyEndpoint, BodyOf } from '@postil/contract/wire/endpoint.ts'
import { invalid } from '@postil/contract/wire/errors.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { toProblems } from '@postil/contract/wire/problems.ts'
import type { z } from 'zod'
import { parseJson } from './json-body.ts'

/** A body of which the handler wants a part at once, and the rest, which may be `Steps` again, when it has worked with that: the thread makes the rest meanwhile. */
export class Steps<First, Rest> {
  readonly first: First
  readonly rest: () => Rest | Promise<Rest>
  constructor(first: First, rest: () => Rest | Promise<Rest>) {
    this.first = first
    this.rest = rest
  }
}

/**
 * How the bytes of a body become what a handler receives, by name: small bodies run it in process, large ones in the
 * body pool's thread, so `R`, or each part of `Steps`, must survive structured clone. It throws `Problem`s: `validation` with `loc`s under `body`.
 */
export type BodyParser<R> = {
  readonly name: string
  readonly parse: (bytes: Uint8Array, limits: Limits) => R
}

const registry = new Map<string, BodyParser<unknown>>()

/** Declares a parser. Its module must be imported by `src/body-parsers.ts`, which the pool's thread loads. */
export const bodyParser = <R>(name: string, parse: BodyParser<R>['parse']): BodyParser<R> => {
  if (registry.has(name)) throw new Error(`body parser ${name} is declared twice`)
  const parser = { name, parse }
  registry.set(name, parser)
  return parser
}

/** Checks parsed JSON against the schema of a body. @throws Problem E-VAL */
export const checkBody = <S extends z.ZodType>(schema: S, sent: unknown): z.output<S> => {
  const result = schema.safeParse(sent)
  if (!result.success) throw invalid(toProblems(result.error, 'body', sent))
  return result.data
}

/** The parser of an endpoint that has no other one: JSON, then its schema. */
export const endpointBody = <E extends AnyEndpoint>(endpoint: E): BodyParser<BodyOf<E>> => ({
  name: `endpoint ${endpoint.id}`,
  parse: (bytes) => checkBody(endpoint.body as z.ZodType<BodyOf<E>>, parseJson(bytes)),
})

/** All parsers that this thread knows: those declared by name, and those of the endpoints. */
export const bodyParsersOf = (endpoints: readonly AnyEndpoint[]): ReadonlyMap<string, BodyParser<unknown>> =>
  new Map([...registry, ...endpoints.map(endpointBody).map((parser) => [parser.name, parser] as const)])
