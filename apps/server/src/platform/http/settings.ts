import type { Limits } from '@postil/contract/wire/limits.ts'
import type { StreamLimits } from './bodies/body-stream.ts'
import type { BodyLimits } from './bodies/read-body.ts'

/** What the HTTP layer needs to know of the configuration. Times in milliseconds. */
export type HttpSettings = BodyLimits &
  StreamLimits & {
    /** `/` or a prefix such as `/annotate/` that everything is served under. */
    readonly baseUrl: string
    /** Origins beside our own that may call, `*` for any (then without credentials); empty: none. */
    readonly corsOrigins: readonly string[]
    /** Whether `X-Forwarded-*` of a proxy in front is believed. */
    readonly trustProxy: boolean
    /** Folder of the built page, with its `index.html`. */
    readonly pageDir: string
    /** Who may show the page in a frame, such as the host of a space; empty: nobody. */
    readonly frameAncestors: readonly string[]
    /** A client must have sent its headers, and its whole request, in this time. */
    readonly headersTimeoutMs: number
    readonly requestTimeoutMs: number
    /** A connection on which nothing moved for so long during a request is dropped: its client does not read the answer. */
    readonly answerIdleMs: number
    /** How long answers in flight may take to finish after the server was told to stop. */
    readonly shutdownMs: number
    readonly accessLog: boolean
    /** Whether the documentation of the API is served. */
    readonly apiDocs: boolean
    /** Limits of the contract that the operator can change. */
    readonly limits: Limits
  }
