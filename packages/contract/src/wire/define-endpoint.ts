import { z } from 'zod'
import type { Access, BodyKind, Endpoint, Method } from './endpoint.ts'
import { uuid } from './scalars.ts'

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type PathParams<Path extends string> = z.ZodType<{ [N in Names<Path>]: string }, { [N in Names<Path>]: string }>

const none = z.undefined()
const noQuery = z.object({})
type NoQuery = typeof noQuery
type None = typeof none

type Spec<Verb extends Method, Path extends string, Q, B, R> = {
  readonly id: string
  readonly method: Verb
  readonly path: Path
  readonly summary: string
  readonly access?: Access
  /** Path parameters that are not uuids, keyed by name. */
  readonly params?: { readonly [N in Names<Path>]?: z.ZodType<string, string> }
  readonly query?: Q
  readonly bodyKind?: BodyKind
  readonly body?: B
  /** The success status. Default: 200, or 204 if there is no result. */
  readonly status?: number
  readonly successes?: readonly number[]
  readonly result?: R
  readonly errors?: readonly number[]
  readonly addition?: boolean
  readonly media?: readonly string[]
}

const pathParams = (path: string, others: { readonly [name: string]: z.ZodType | undefined }): z.ZodType =>
  z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, others[name] ?? uuid()])))

/** Declares a route under `/api/v1`. Path parameters are uuids unless `params` overrides them. */
export const defineEndpoint = <
  const Verb extends Method,
  const Path extends string,
  Q extends z.ZodType = NoQuery,
  B extends z.ZodType = None,
  R extends z.ZodType = None,
>(
  spec: Spec<Verb, Path, Q, B, R>,
): Endpoint<PathParams<Path>, Q, B, R, Verb, `/api/v1${Path}`> => {
  const status = spec.status ?? (spec.result ? 200 : 204)
  const { query = noQuery, body = none, result = none } = spec
  return {
    id: spec.id,
    method: spec.method,
    path: `/api/v1${spec.path}`,
    access: spec.access ?? 'user',
    // The casts are safe because each default below matches the default of its type parameter.
    params: pathParams(spec.path, spec.params ?? {}) as PathParams<Path>,
    query: query as Q,
    bodyKind: spec.bodyKind ?? (spec.body ? 'json' : 'none'),
    body: body as B,
    status,
    successes: spec.successes ?? [status],
    result: result as R,
    errors: spec.errors ?? [],
    addition: spec.addition ?? false,
    media: spec.media ?? [],
    summary: spec.summary,
  }
}
