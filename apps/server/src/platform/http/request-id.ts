import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The header that an answer names its request in, and a trusted proxy the request that it passes on. */
export const REQUEST_ID = 'x-request-id'

/** NOTE: lines of the log and answers carry it, so it is never more than a word */
const WELL_FORMED = /^[\w.-]{8,128}$/

/**
 * What requests are called in answers and in the log: by nobody else's name, in whichever process, or as the proxy in front calls them where it
 * is believed.
 */
export const requestIdsWith =
  (trustProxy: boolean) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = trustProxy ? headers[REQUEST_ID] : undefined
    return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID()
  }
