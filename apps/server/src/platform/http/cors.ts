import { messageHeader } from '@postil/contract/wire/message-header.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REQUEST_ID } from './request-id.ts'

const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'
const MAX_AGE_SECONDS = 600

/** The origin for the response header, or null. `*` is sent literally, so that browsers send no credentials. */
const allowed = (origin: string, origins: readonly string[]): string | null => {
  if (origins.includes(origin)) return origin
  return origins.includes('*') ? '*' : null
}

/**
 * Answers preflights and adds CORS headers for the configured origins. Does nothing without origins.
 * @returns true if it answered a preflight
 */
export const cors = (request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean => {
  const { origin } = request.headers
  if (origin === undefined || origins.length === 0) return false
  const name = allowed(origin, origins)
  if (name !== null) {
    reply.header('access-control-allow-origin', name).header('vary', 'Origin')
    if (name !== '*') reply.header('access-control-allow-credentials', 'true')
  }
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
    if (name !== null) reply.header('access-control-expose-headers', `${REQUEST_ID}, ${messageHeader}`)
    return false
  }
  const asked = request.headers['access-control-request-headers']
  reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', String(MAX_AGE_SECONDS))
  if (asked !== undefined) reply.header('access-control-allow-headers', asked)
  reply.code(name === null ? 400 : 200).type('text/plain; charset=utf-8')
  reply.send(name === null ? 'Disallowed CORS origin' : 'OK')
  return true
}
