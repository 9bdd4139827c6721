import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The header with the request ID, in responses and in requests from a trusted proxy. */
export const REQUEST_ID = 'x-request-id'

/** Matches an acceptable request ID. Log lines and responses contain the ID, so it must be a single word. */
const WELL_FORMED = /^[\w.-]{8,128}$/

/** Creates request IDs for responses and the log: a globally unique ID, or the proxy's ID if the proxy is trusted. */
export const requestIdsWith =
  (trustProxy: boolean) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = trustProxy ? headers[REQUEST_ID] : undefined
    return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID()
  }
