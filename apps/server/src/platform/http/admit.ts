import { invalid, Problem, type ValidationProblem } from '@postil/contract/wire/errors.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { toProblems, type Where } from '@postil/contract/wire/problems.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { networkOf } from '#platform/auth/attempts/network-of.ts'
import type { Authenticate } from '#platform/auth/authenticate.ts'
import { checkOpen } from '#platform/auth/second-factor-duty.ts'
import { checkNotShared } from '#platform/auth/shared-account.ts'
import type { User } from '#platform/auth/user.ts'
import { checkBody } from './bodies/body-parsers.ts'
import { type BodyPool, LARGE_BODY } from './bodies/body-pool.ts'
import { bodyStream, type StreamLimits } from './bodies/body-stream.ts'
import { parseForm } from './bodies/form-body.ts'
import { type BodyLimits, type InFlight, readBody } from './bodies/read-body.ts'
import type { Registration } from './route.ts'

export type Admission = {
  readonly bodies: BodyLimits & StreamLimits
  readonly limits: Limits
  readonly inFlight: InFlight
  readonly pool: BodyPool
  readonly authenticate: Authenticate
}

export type Admitted = { readonly user: User | null; readonly params: unknown; readonly query: unknown; readonly body: unknown }

/**
 * `onUser` is called when the user has been identified. `onHeld` is called when a body has been read. It gets a function that
 * subtracts the body's size from the number of bytes in flight. Both are called before the request is admitted or refused.
 */
type RequestHooks = { readonly onUser: (user: User) => void; readonly onHeld: (release: () => void) => void }

/** A value that passed its schema, or the problems with it. Problems are reported only after the credentials are checked. */
type CheckedRequest = { readonly value: unknown; readonly problems: readonly ValidationProblem[] }

const sentTypes = new WeakMap<object, string>()

/**
 * Hides the content type from the framework, which would refuse content types that the API allows. `admitRequest` checks the
 * content type instead.
 */
export const hideContentType = (request: FastifyRequest): void => {
  const type = request.raw.headers['content-type']
  if (type === undefined) return
  sentTypes.set(request.raw, type)
  delete request.raw.headers['content-type']
}

/** The content type of a request as it was sent. */
export const sentTypeOf = (request: FastifyRequest): string | undefined => sentTypes.get(request.raw)

const JSON_TYPE = /^\s*application\/(json|[\w.-]+\+json)\s*(;|$)/i
/** The maximum size of bodies on public routes, in bytes. These routes take only small bodies, such as sign-in forms. */
const MAX_PUBLIC_BODY = LARGE_BODY

const NOT_JSON: ValidationProblem = {
  type: 'model_attributes_type',
  loc: ['body'],
  msg: 'Input should be a valid dictionary or object to extract fields from',
}

const collectProblems = async (parse: () => unknown): Promise<CheckedRequest> => {
  try {
    return { value: await parse(), problems: [] }
  } catch (error) {
    if (!(error instanceof Problem) || error.data.kind !== 'validation') throw error
    const problems = error.data.errors ?? []
    // A syntax error is reported before anything else, even without credentials.
    if (problems.some(({ type }) => type === 'json_invalid')) throw error
    return { value: undefined, problems }
  }
}

const checkBodyOf = (
  { endpoint, parser }: Registration,
  bytes: Buffer,
  type: string | undefined,
  { pool, limits }: Admission,
): Promise<CheckedRequest> =>
  collectProblems(async () => {
    if (endpoint.bodyKind === 'form') return checkBody(endpoint.body as z.ZodType, await parseForm(bytes, type))
    if (type !== undefined && bytes.length > 0 && !JSON_TYPE.test(type)) throw invalid([NOT_JSON])
    return bytes.length > LARGE_BODY ? pool.parse(parser, bytes) : parser.parse(bytes, limits)
  })

const check = (schema: z.ZodType, where: Where, sent: unknown): CheckedRequest => {
  const result = schema.safeParse(sent)
  return result.success
    ? { value: result.data, problems: [] }
    : { value: undefined, problems: toProblems(result.error, where, sent) }
}

const NOTHING = Buffer.alloc(0)
const announced = (request: FastifyRequest): number => Number(request.headers['content-length'] ?? 0)
const isChunked = (request: FastifyRequest): boolean => request.headers['transfer-encoding'] !== undefined
const hasBody = (request: FastifyRequest): boolean => isChunked(request) || announced(request) > 0

/**
 * Admits a request. The order of the checks is part of the API: body syntax, credentials, then one refusal with all problems in
 * the path, query and body. If the body is large or in chunks, the credentials are checked before the body is read.
 * @param hooks `onUser` receives the user. `onHeld` receives a function that subtracts the body's bytes from the total of all
 * bodies in memory
 */
export const admitRequest = async (
  request: FastifyRequest,
  registration: Registration,
  admission: Admission,
  hooks: RequestHooks,
): Promise<Admitted> => {
  const { endpoint } = registration
  const isPublic = endpoint.access === 'none'
  let user: User | null = null
  const identify = async () => {
    if (isPublic || user !== null) return
    const { authenticate } = admission
    user = await (endpoint.access === 'key' ? authenticate.byKey(request) : authenticate.user(request))
    hooks.onUser(user)
    checkOpen(user, endpoint)
    checkNotShared(user, endpoint)
  }
  if (isPublic) await admission.authenticate.stranger(request)
  let body: CheckedRequest = { value: undefined, problems: [] }
  if (endpoint.bodyKind === 'json' || endpoint.bodyKind === 'form') {
    let bytes: Buffer = NOTHING
    if (hasBody(request)) {
      // A body in chunks may be of any size.
      if (announced(request) > LARGE_BODY || isChunked(request)) await identify()
      const { bodies } = admission
      const own = isPublic ? { ...bodies, maxBody: Math.min(MAX_PUBLIC_BODY, bodies.maxBody) } : bodies
      const sender = (user as User | null)?.id ?? networkOf(request.ip)
      const read = await readBody(request.raw, own, admission.inFlight, sender)
      hooks.onHeld(read.release)
      bytes = read.bytes
      if (bytes.length > LARGE_BODY) await identify()
    }
    body = await checkBodyOf(registration, bytes, sentTypes.get(request.raw), admission)
  }
  await identify()
  const params = check(endpoint.params as z.ZodType, 'path', request.params)
  const query = check(endpoint.query as z.ZodType, 'query', request.query)
  const problems = [...params.problems, ...query.problems, ...body.problems]
  if (problems.length > 0) throw invalid(problems)
  if (endpoint.bodyKind === 'stream') body = { value: bodyStream(request.raw, admission.bodies), problems: [] }
  return { user, params: params.value, query: query.value, body: body.value }
}
