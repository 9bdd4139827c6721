import type { Limits } from '@postil/contract/wire/limits.ts'
import type { StreamLimits } from './bodies/body-stream.ts'
import type { BodyLimits } from './bodies/read-body.ts'

/** The HTTP layer's part of the configuration. Times are in milliseconds. */
export type HttpSettings = BodyLimits &
  StreamLimits & {
    /** `/`, or a prefix such as `/annotate/` that all paths start with. */
    readonly baseUrl: string
    /** Other origins that may call the API. `*` allows any origin (without credentials); an empty list allows none. */
    readonly corsOrigins: readonly string[]
    /** Whether to trust the proxy's `X-Forwarded-*` headers. */
    readonly trustProxy: boolean
    /** Folder of the built web app, with its `index.html`. */
    readonly pageDir: string
    /** Origins that may embed the web app in a frame, such as a Space's host. An empty list allows none. */
    readonly frameAncestors: readonly string[]
    /** Origins from which custom field templates may load files. `*` allows all HTTPS origins. */
    readonly templateSources: readonly string[]
    readonly headersTimeoutMs: number
    readonly requestTimeoutMs: number
    /**
     * How long a connection may be inactive during a request before it is dropped. A connection becomes inactive when the client
     * doesn't read the response.
     */
    readonly answerIdleMs: number
    /** How long responses in flight may take to finish after shutdown begins. */
    readonly shutdownMs: number
    readonly accessLog: boolean
    /** Whether to serve the API documentation. */
    readonly apiDocs: boolean
    /** The contract limits that the operator can change. */
    readonly limits: Limits
  }
