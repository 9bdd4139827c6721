import type { FastifyRequest } from 'fastify'

type Served = { readonly baseUrl: string; readonly publicUrl: string | undefined; readonly space: unknown }

export type CookieSettings = {
  /** The prefix that everything is served under; the cookie goes nowhere else. */
  readonly baseUrl: string
  /** True where the public address is https whatever the request says. */
  readonly https: boolean
  /** True inside a hub space, whose page shows ours in a frame. */
  readonly framed: boolean
}

/** The value of a cookie that the browser sent, or null. */
export const readCookie = (request: FastifyRequest, wanted: string): string | null => {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return null
}

// NOTE: a proxy's word is enough here: whoever forges it only makes his own cookie stricter
const isHttps = (request: FastifyRequest, settings: CookieSettings): boolean =>
  settings.https || request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'

/**
 * Over https the name says what browsers then see to: no page of a neighbouring host, and nobody on the way of an unencrypted request, can
 * put a cookie of theirs in its place.
 */
const nameOf = (request: FastifyRequest, settings: CookieSettings): string => {
  if (!settings.framed && !isHttps(request, settings)) return 'postil_session'
  return `${settings.baseUrl === '/' ? '__Host-' : '__Secure-'}postil_session`
}

/** The session token that the browser sent, or null. */
export const readSessionCookie = (request: FastifyRequest, settings: CookieSettings): string | null =>
  readCookie(request, nameOf(request, settings))

/** Without a `Domain` it is sent to this host only. In a frame of another site a cookie must say that it may travel there. */
const attributes = (request: FastifyRequest, settings: CookieSettings): string => {
  if (settings.framed) return `Path=${settings.baseUrl}; HttpOnly; SameSite=None; Secure; Partitioned`
  return `Path=${settings.baseUrl}; HttpOnly; SameSite=Lax${isHttps(request, settings) ? '; Secure' : ''}`
}

export const sessionCookie = (request: FastifyRequest, settings: CookieSettings, token: string, seconds: number): string =>
  `${nameOf(request, settings)}=${token}; Max-Age=${Math.floor(seconds)}; ${attributes(request, settings)}`

/** Makes the browser forget the session. */
export const clearedCookie = (request: FastifyRequest, settings: CookieSettings): string =>
  `${nameOf(request, settings)}=; Max-Age=0; ${attributes(request, settings)}`

export const cookieSettings = ({ baseUrl, publicUrl, space }: Served): CookieSettings => ({
  baseUrl,
  https: publicUrl?.startsWith('https:') === true,
  framed: space !== undefined,
})
