import type { FastifyRequest } from 'fastify'
import { STATE_SECONDS } from '#platform/identity/handshake.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:|$)/

/** Name of the cookie that binds a provider's callback to the browser that started the sign-in. */
export const stateCookieName = (provider: string): string => `${provider}_oauth2_state`

/**
 * The attributes of the state cookie. `SameSite` is `None`, because a page in a frame can also start a sign-in. Browsers accept
 * such a cookie only over HTTPS and on localhost. If the operator serves plain HTTP anyway, `SameSite` is `Lax`, the most
 * permissive value that browsers then accept. With a stricter value, the callback wouldn't get the cookie.
 */
const attributes = (request: FastifyRequest, plainHttp: boolean): string =>
  plainHttp && request.protocol === 'http' && request.headers['x-forwarded-proto'] !== 'https' && !LOOPBACK.test(request.host)
    ? 'Path=/; SameSite=lax'
    : 'Path=/; SameSite=none; Secure'

export const stateCookie = (request: FastifyRequest, provider: string, state: string, plainHttp: boolean): string =>
  `${stateCookieName(provider)}=${state}; HttpOnly; Max-Age=${STATE_SECONDS}; ${attributes(request, plainHttp)}`

/** Deletes the state cookie, because a state can be used only once. */
export const clearedStateCookie = (request: FastifyRequest, provider: string, plainHttp: boolean): string =>
  `${stateCookieName(provider)}=; HttpOnly; Max-Age=0; ${attributes(request, plainHttp)}`
