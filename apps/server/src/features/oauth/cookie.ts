import type { FastifyRequest } from 'fastify'
import { STATE_SECONDS } from '#platform/identity/handshake.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:|$)/

/** Name of the cookie that ties a way back from a provider to the browser that went there. */
export const stateCookieName = (provider: string): string => `${provider}_oauth2_state`

/**
 * `None`, because a page in a frame starts from there too. Browsers keep such a cookie over https only, and on their own machine;
 * where the operator serves plain http all the same it can be no more than `Lax`, which the way back needs.
 */
const attributes = (request: FastifyRequest, plainHttp: boolean): string =>
  plainHttp && request.protocol === 'http' && request.headers['x-forwarded-proto'] !== 'https' && !LOOPBACK.test(request.host)
    ? 'Path=/; SameSite=lax'
    : 'Path=/; SameSite=none; Secure'

export const stateCookie = (request: FastifyRequest, provider: string, state: string, plainHttp: boolean): string =>
  `${stateCookieName(provider)}=${state}; HttpOnly; Max-Age=${STATE_SECONDS}; ${attributes(request, plainHttp)}`

/** Makes the browser forget the way back: it leads in once. */
export const clearedStateCookie = (request: FastifyRequest, provider: string, plainHttp: boolean): string =>
  `${stateCookieName(provider)}=; HttpOnly; Max-Age=0; ${attributes(request, plainHttp)}`
