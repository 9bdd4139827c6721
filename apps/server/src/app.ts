import { listImports } from '@postil/contract/files/imports.ts'
import { getStatus } from '@postil/contract/info.ts'
import { getJob, listJobs } from '@postil/contract/jobs.ts'
import type { FastifyInstance } from 'fastify'
import { mcpRoutes } from '#features/agents/public.ts'
import { auditedStore } from '#features/audit/public.ts'
import { serveHealth, startTraces } from '#features/health/public.ts'
import { sweepUploads } from '#features/imports/public.ts'
import { serveShare } from '#features/share/public.ts'
import { type DeliveryOptions, startDelivery } from '#features/webhooks/public.ts'
import { ensureWorkspace } from '#features/workspaces/public.ts'
import { createAuthenticate } from '#platform/auth/authenticate.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import { entryUrl } from '#platform/entry.ts'
import type { Registration } from '#platform/http/route.ts'
import { createHttp } from '#platform/http/server.ts'
import type { HttpSettings } from '#platform/http/settings.ts'
import { readIdentityConfig } from '#platform/identity/configuration.ts'
import { type BackgroundOptions, startBackground } from '#platform/jobs/background.ts'
import type { AppContext } from './context.ts'
import { type ContextOptions, openContext } from './open-context.ts'
import { resumeRebuilds } from './resume-rebuilds.ts'
import { routesWith } from './routes.ts'
// Declares all kinds of jobs.
import './operations.ts'

/** After each request, background jobs yield for this many milliseconds, because further requests often follow. */
const SERVED_MS = 250

/** How long a user is considered active after a request, in milliseconds. The user is probably reading during this time. */
const ABOUT_MS = 30_000

/**
 * Requests to these paths don't count as user activity, because they only poll a job's progress or monitor the server. After any
 * other request, jobs run more slowly for a while.
 */
const WATCHED = [getJob, listJobs, listImports, getStatus].map(({ path }) => path)
const isWatching = (path = ''): boolean => WATCHED.some((one) => path.endsWith(one))

/** Origin of the site that embeds Spaces in a frame. */
const SPACE_HOST = 'https://huggingface.co'

export type AppOptions = Omit<ContextOptions, 'exclusive'> & {
  /** Folder of the built web app. */
  readonly pageDir: string
  /** For tests: whether responses that violate the contract are treated as faults. */
  readonly validateResponses?: boolean
  readonly http?: Partial<HttpSettings>
  readonly background?: BackgroundOptions
  /** For tests: null disables webhook delivery. */
  readonly delivery?: DeliveryOptions | null
  readonly extraRoutes?: readonly Registration[]
  /** For tests: URL of a `BodyModule` whose endpoints include those of `extraRoutes`. */
  readonly bodyModule?: string
}

export type App = {
  readonly ctx: AppContext
  readonly http: FastifyInstance
  /** Listens on the configured host and port. The first owner must already exist. Returns the address with the actual port. */
  readonly listen: () => Promise<string>
  /** Stops accepting connections, lets in-flight responses finish and closes the store. Safe to call twice. */
  readonly close: () => Promise<void>
}

const httpSettings = (config: Config, { pageDir, http }: AppOptions): HttpSettings => ({
  baseUrl: config.baseUrl,
  corsOrigins: config.corsOrigins,
  trustProxy: config.trustProxy,
  pageDir,
  frameAncestors: config.space === undefined ? [] : [SPACE_HOST],
  templateSources: config.templateSources,
  maxBody: config.maxBody,
  maxFile: config.maxImportFile,
  maxInFlight: Math.max(2 * config.maxBody, 128 * 1024 * 1024),
  // Large enough for one body of the maximum size. `maxInFlight` is twice as large as this limit per sender, so there is always
  // room for another sender's body.
  maxInFlightPerSender: Math.max(config.maxBody, 64 * 1024 * 1024),
  bodyIdleMs: 20_000,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 300_000,
  answerIdleMs: 300_000,
  shutdownMs: 10_000,
  accessLog: config.accessLog,
  apiDocs: config.docsEnabled,
  limits: limitsOf(config),
  ...http,
})

/**
 * Builds the server from configuration, store, features and HTTP, without listening yet. @throws StoreError,
 * IdentityConfigError with messages for users
 */
export const createApp = async (config: Config, options: AppOptions): Promise<App> => {
  const identity = await readIdentityConfig(config)
  const ctx = await openContext(config, { ...options, exclusive: true })
  for (const note of identity.notes) ctx.log.warn({ file: config.oauthFile }, note)
  const stop = new AbortController()
  await resumeRebuilds(ctx, stop.signal)
  await sweepUploads(ctx)
  const settings = httpSettings(config, options)
  let servedAt = Number.NEGATIVE_INFINITY
  const api = routesWith(settings.limits, identity)
  const http = createHttp({
    ctx,
    settings,
    registrations: [...api, ...(options.extraRoutes ?? [])],
    unlisted: mcpRoutes(api),
    authenticate: createAuthenticate(ctx),
    auditedStore,
    onRequest: (path) => {
      if (!isWatching(path)) servedAt = performance.now()
    },
    bodyModule: options.bodyModule ?? entryUrl('../endpoints').href,
    validateResponses: options.validateResponses === true,
  })
  await serveHealth(http, ctx)
  const endTraces = config.traces === undefined ? null : await startTraces(http, ctx, config.traces)
  if (config.shareYourProgress) serveShare(http, config)
  const isBusy = () => performance.now() - servedAt < SERVED_MS
  const isInUse = () => performance.now() - servedAt < ABOUT_MS
  const background = config.jobs ? startBackground(ctx, { isBusy, isInUse, ...options.background }) : null
  const delivery = config.jobs && options.delivery !== null ? startDelivery(ctx, options.delivery) : null
  if (!config.jobs && config.databaseUrl === undefined) {
    ctx.log.warn('POSTIL_JOBS is off and no other process can run the jobs of an embedded database, so jobs stay queued')
  }
  let closed: Promise<void> | null = null
  return {
    ctx,
    http,
    listen: async () => {
      // Must run after the first owner's workspace is created, because clients that name no workspace use the oldest one.
      for (const name of identity.allowedWorkspaces) await ctx.store.write(ensureWorkspace, { name })
      return http.listen({ host: config.host, port: config.port })
    },
    close: () => {
      stop.abort()
      closed ??= Promise.all([http.close(), delivery?.stop()])
        .then(() => background?.stop())
        .then(() => endTraces?.())
        .then(() => ctx.store.close())
      return closed
    },
  }
}
