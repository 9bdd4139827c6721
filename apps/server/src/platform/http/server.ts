import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { AppContext } from '#context.ts'
import type { Authenticate } from '#platform/auth/authenticate.ts'
import type { SecurityEvent } from '#platform/auth/security-log.ts'
import type { User } from '#platform/auth/user.ts'
import { duringRequest } from '#platform/current-request.ts'
import type { Store } from '#platform/db/store.ts'
import { type Admission, type Admitted, admitRequest, hideContentType } from './admit.ts'
import { FileStream, JsonStream, RawJson, Reply, StoredBytes } from './answers/answers.ts'
import { answerFault, checkedChunks } from './answers/check-answer.ts'
import { type ErrorAnswer, faultAnswer, HttpRefusal, problemAnswer } from './answers/problem-answers.ts'
import { type Outgoing, send, sendFile, sendJson, sendJsonStream, sendStored } from './answers/send.ts'
import { serveApiDocs } from './api-docs/routes.ts'
import type { AuditedCall } from './audited-call.ts'
import { createBodyPool } from './bodies/body-pool.ts'
import { receivesFile } from './bodies/body-stream.ts'
import { nothingInFlight } from './bodies/read-body.ts'
import { cors } from './cors.ts'
import { createFallback } from './fallback.ts'
import { type HostRefusal, hostCheck } from './hosts.ts'
import { createPage } from './page.ts'
import { REQUEST_ID, requestIdsWith } from './request-id.ts'
import type { Registration, UserCall } from './route.ts'
import { securityEventOf } from './security-events.ts'
import { everywhere, ofApi, transportHeaders } from './security-headers.ts'
import type { HttpSettings } from './settings.ts'
import { trackSilentConnections } from './silent-connections.ts'

type HttpOptions = {
  readonly ctx: AppContext
  readonly settings: HttpSettings
  readonly registrations: readonly Registration[]
  /** Routes that are not part of the API and therefore not in its documentation. */
  readonly unlisted?: readonly Registration[]
  readonly authenticate: Authenticate
  /** URL of the `BodyModule` that the body pool's thread loads. */
  readonly bodyModule: string
  /** Returns the store for a call. Changes made through it are recorded in the audit log. */
  readonly auditedStore?: (store: Store, call: AuditedCall) => Store
  /** Called for every incoming request with its route's path, or undefined if no route matches. */
  readonly onRequest?: (path: string | undefined) => void
  /** For tests: compares every response with the contract and returns 500 if they differ. */
  readonly validateResponses?: boolean
}

const MAX_PARAM_LENGTH = 2000
const CHECK_INTERVAL_MS = 1000

const errorAnswer = (error: unknown, request: FastifyRequest): ErrorAnswer => {
  if (error instanceof Problem) {
    // The request didn't cause this problem, so the operator must learn about it.
    if (error.data.kind === 'unavailable')
      request.log.error(
        { cause: error.message, url: request.routeOptions.url },
        'a request was rejected because the server is temporarily unavailable',
      )
    return problemAnswer(error.data)
  }
  if (error instanceof HttpRefusal) return { status: error.status, body: { detail: error.message }, headers: error.headers }
  const { statusCode, message } = error as FastifyError
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, body: { detail: message }, headers: {} }
  }
  request.log.error({ err: error, method: request.method, url: request.routeOptions.url }, 'a request failed')
  return faultAnswer(request.id)
}

/**
 * The events that are logged here for every route. All other events are logged here only for routes that require sign-in. Public
 * routes, such as sign-in, log them themselves.
 */
const EVERYWHERE: ReadonlySet<SecurityEvent> = new Set<SecurityEvent>(['not allowed', 'input refused'])

/** Logs refused requests. Sign-in routes log their own failures. */
const noteRefusal = (
  { security }: AppContext,
  { endpoint }: Registration,
  error: unknown,
  { request: { ip, id, headers }, caller }: { readonly request: FastifyRequest; readonly caller: User | null },
): void => {
  const event = securityEventOf(error)
  if (event === undefined || (endpoint.access === 'none' && !EVERYWHERE.has(event))) return
  // A request without any credentials isn't an attempt to sign in, so its refusal isn't logged.
  const hasShown =
    headers.authorization !== undefined || headers['x-argilla-api-key'] !== undefined || headers.cookie !== undefined
  if (event !== 'credentials refused' || hasShown)
    security.note(event, { address: ip, request: id, route: endpoint.id, ...(caller !== null && { user: caller.id }) })
}

const printed = (body: unknown): string | Buffer | null => {
  if (body instanceof RawJson) return body.text
  return body === undefined ? null : JSON.stringify(body)
}

/** @throws Error if validation is on and the response violates the contract */
const outgoing = ({ endpoint }: Registration, answer: unknown, validate: boolean): Outgoing => {
  const { status, body, headers } = answer instanceof Reply ? answer : new Reply(endpoint.status, answer, {})
  const text = printed(body)
  const fault = validate ? answerFault(endpoint, status, text === null ? null : text.toString()) : null
  if (fault !== null) throw new Error(fault)
  return { status, headers, body: text }
}

/**
 * Used only in tests. If the error is unexpected, or if the endpoint doesn't document its status, the response has the status 500
 * and names the cause.
 */
const errorToTest = ({ endpoint }: Registration, error: unknown, answer: ErrorAnswer): ErrorAnswer => {
  // These problems aren't mistakes in the code. Routes throw `fault` on purpose, and nearly every route can return
  // `second_factor_due`.
  if (error instanceof Problem && (error.data.kind === 'fault' || error.data.kind === 'second_factor_due')) return answer
  const fault = answer.status === 500 ? String((error as Error).stack) : answerFault(endpoint, answer.status, null)
  return fault === null ? answer : { status: 500, body: { detail: fault }, headers: {} }
}

const contextFor = (
  { ctx, auditedStore }: HttpOptions,
  { endpoint }: Registration,
  { user, params, query, body }: Admitted,
  { ip: address }: FastifyRequest,
): AppContext => {
  if (auditedStore === undefined || user === null) return ctx
  const call = { endpoint, user, params: params as AuditedCall['params'], query, body, address }
  const store = auditedStore(ctx.store, call)
  return store === ctx.store ? ctx : { ...ctx, store }
}

const handlerOf = (registration: Registration, options: HttpOptions, admission: Admission) => {
  const validate = options.validateResponses === true
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let release = () => {}
    let caller: User | null = null
    reply.headers(ofApi)
    try {
      const admitted = await admitRequest(request, registration, admission, {
        onUser: (user) => {
          caller = user
        },
        onHeld: (given) => {
          release = given
        },
      })
      // Only on public routes can the user be missing. The handlers of public routes don't use `user`.
      const user = admitted.user as NonNullable<typeof admitted.user>
      const ctx = contextFor(options, registration, admitted, request)
      const answer = await registration.handle({ ctx, ...admitted, user, request } as UserCall<AnyEndpoint, unknown>)
      if (registration.beforeLarge) admission.pool.expect()
      if (answer instanceof JsonStream) {
        const { endpoint } = registration
        const chunks = validate ? checkedChunks(endpoint, answer.chunks) : answer.chunks
        return await sendJsonStream(reply, endpoint.status, new JsonStream(chunks))
      }
      if (answer instanceof FileStream) return await sendFile(reply, answer)
      if (answer instanceof StoredBytes) return await sendStored(reply, answer)
      return await send(reply, outgoing(registration, answer, validate))
    } catch (error) {
      noteRefusal(options.ctx, registration, error, { request, caller })
      const answer = errorAnswer(error, request)
      const { status, body, headers } = validate ? errorToTest(registration, error, answer) : answer
      return await sendJson(reply, status, body, headers)
    } finally {
      release()
    }
  }
}

const hasEmptyParam = (request: FastifyRequest): boolean => Object.values(request.params as object).includes('')

/** Sends a short JSON response on the raw socket if a request is not valid HTTP or did not arrive in time. */
const refuseConnection = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && receivesFile(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [line, detail] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'The request did not arrive in time']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'The headers are too large']
        : ['400 Bad Request', 'The request is not valid HTTP']
  const body = JSON.stringify({ detail })
  const headers = { ...everywhere, 'content-type': 'application/json', 'content-length': body.length, connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${line}\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Refuses a request for a host that isn't listed. A browser gets plain text instead of JSON, because a person will read the
 * response.
 */
const refuseHost = (
  { security }: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, detail }: HostRefusal,
): Promise<FastifyReply> => {
  security.note('host refused', { address: request.ip, request: request.id })
  return request.headers.accept?.includes('text/html')
    ? send(reply, { status, contentType: 'text/plain; charset=utf-8', body: `${detail}.\n` })
    : sendJson(reply, status, { detail })
}

/**
 * Creates the HTTP server with the web app and all `registrations`. The server doesn't listen yet. `close()` refuses new
 * requests, waits up to `shutdownMs` for responses in progress, then closes the connections.
 */
export const createHttp = (options: HttpOptions): FastifyInstance => {
  const { settings, registrations, ctx } = options
  const always = { ...everywhere, ...transportHeaders(ctx.config.publicUrl) }
  const compileCache = getCompileCacheDir() ?? process.env.NODE_COMPILE_CACHE
  const refusalOf = hostCheck(ctx.config)
  const fallback = createFallback(registrations, createPage(settings), ctx.config)
  const pool = createBodyPool({ module: options.bodyModule, limits: settings.limits, compileCache })
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: requestIdsWith(settings.trustProxy),
    exposeHeadRoutes: false,
    // Trusts only the nearest proxy, because clients can add any address to the forwarded list.
    trustProxy: settings.trustProxy && ((_address: string, hop: number) => hop === 0),
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: settings.answerIdleMs,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: refuseConnection,
    // The router rejects invalid and overlong paths. They are handled like unknown paths: outside the API, the web app reports
    // that the page doesn't exist.
    frameworkErrors: (_error, request, reply) => {
      const answer = (reply as unknown as FastifyReply).headers({ ...always, [REQUEST_ID]: request.id })
      const asked = request as unknown as FastifyRequest
      const refusal = refusalOf(asked)
      const answered = refusal === null ? fallback(asked, answer, false) : refuseHost(ctx, asked, answer, refusal)
      answered.catch((error: unknown) => {
        request.log.error({ err: error }, 'serving the web app failed')
        const { status, body, headers } = faultAnswer(request.id)
        void sendJson(answer, status, body, headers)
      })
    },
    http: { headersTimeout: settings.headersTimeoutMs, connectionsCheckingInterval: CHECK_INTERVAL_MS },
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', (request, reply, done) => {
    options.onRequest?.(request.routeOptions.url)
    reply.headers(always).header(REQUEST_ID, request.id)
    hideContentType(request)
    // Load balancers may use any host name to check the server's health. They learn only whether the server is up.
    const isProbe = request.routeOptions.url?.startsWith(`${settings.baseUrl}health/`) === true
    const refusal = isProbe ? null : refusalOf(request)
    if (refusal !== null) void refuseHost(ctx, request, reply, refusal)
    else if (!cors(request, reply, settings.corsOrigins)) duringRequest(request.id, done)
  })
  if (settings.accessLog) {
    app.addHook('onResponse', (request, reply, done) => {
      request.log.info(
        // Logs the URL without the query, which may contain search terms and codes from identity providers.
        {
          method: request.method,
          url: request.url.split('?', 1)[0],
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'request',
      )
      done()
    })
  }
  app.setErrorHandler((error, request, reply) => {
    const { status, body, headers } = errorAnswer(error, request)
    return sendJson(reply, status, body, headers)
  })

  const admission: Admission = {
    bodies: settings,
    limits: settings.limits,
    inFlight: nothingInFlight(),
    pool,
    authenticate: options.authenticate,
  }
  for (const registration of [...registrations, ...(options.unlisted ?? [])]) {
    const { method, path } = registration.endpoint
    const handle = handlerOf(registration, options, admission)
    app.route({
      method,
      url: `${settings.baseUrl.slice(0, -1)}${path}`,
      // The router treats `/users/` as a request for a user with an empty ID. For clients, it is `/users` with an extra slash.
      handler: (request, reply) => (hasEmptyParam(request) ? fallback(request, reply) : handle(request, reply)),
    })
  }
  if (settings.apiDocs) serveApiDocs(app, registrations, settings.baseUrl)
  app.setNotFoundHandler((request, reply) => fallback(request, reply))

  const closeSilent = trackSilentConnections(app.server)
  app.addHook('preClose', (done) => {
    closeSilent()
    setTimeout(() => app.server.closeAllConnections(), settings.shutdownMs).unref()
    done()
  })
  app.addHook('onClose', () => pool.close())
  return app
}
