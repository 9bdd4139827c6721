import type { FastifyRequest } from 'fastify'

type Served = { readonly baseUrl: string; readonly publicUrl: string | undefined; readonly space: unknown }

type CookieSettings = {
  /** The path prefix of the server, which is also the path of the cookie. */
  readonly baseUrl: string
  /** True if the public address uses https, regardless of the request. */
  readonly https: boolean
  /** True inside a Hub Space, whose page embeds the web app in a frame. */
  readonly framed: boolean
}

/** Returns the value of a cookie, or null. */
export const readCookie = (request: FastifyRequest, wanted: string): string | null => {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return null
}

// A proxy header is enough here: forging it only makes the sender's own cookie stricter.
const isHttps = (request: FastifyRequest, settings: CookieSettings): boolean =>
  settings.https || request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'

/**
 * With https, the cookie's name prefix makes browsers reject cookies that neighboring hosts set or that are injected over
 * unencrypted connections.
 */
const nameOf = (request: FastifyRequest, settings: CookieSettings): string => {
  if (!settings.framed && !isHttps(request, settings)) return 'postil_session'
  return `${settings.baseUrl === '/' ? '__Host-' : '__Secure-'}postil_session`
}

/** Returns the browser's session token, or null. */
export const readSessionCookie = (request: FastifyRequest, settings: CookieSettings): string | null =>
  readCookie(request, nameOf(request, settings))

/** Without `Domain`, the cookie is sent to this host only. In another site's frame it needs `SameSite=None`. */
const attributes = (request: FastifyRequest, settings: CookieSettings): string => {
  if (settings.framed) return `Path=${settings.baseUrl}; HttpOnly; SameSite=None; Secure; Partitioned`
  return `Path=${settings.baseUrl}; HttpOnly; SameSite=Lax${isHttps(request, settings) ? '; Secure' : ''}`
}

export const sessionCookie = (request: FastifyRequest, settings: CookieSettings, token: string, seconds: number): string =>
  `${nameOf(request, settings)}=${token}; Max-Age=${Math.floor(seconds)}; ${attributes(request, settings)}`

/** The `Set-Cookie` value that deletes the session cookie. */
export const clearedCookie = (request: FastifyRequest, settings: CookieSettings): string =>
  `${nameOf(request, settings)}=; Max-Age=0; ${attributes(request, settings)}`

export const cookieSettings = ({ baseUrl, publicUrl, space }: Served): CookieSettings => ({
  baseUrl,
  https: publicUrl?.startsWith('https:') === true,
  framed: space !== undefined,
})
