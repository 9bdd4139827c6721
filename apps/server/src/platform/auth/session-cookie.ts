import type { FastifyRequest } from 'fastify'

export type CookieSettings = {
  /** The prefix that everything is served under; the cookie goes nowhere else. */
  readonly baseUrl: string
  /** True where the public address is https whatever the request says. */
  readonly https: boolean
  /** True inside a hub space, whose page shows ours in a frame. */
  readonly framed: boolean
}

const NAME = 'postil_session'

/** The value of a cookie that the browser sent, or null. */
export const readCookie = (request: FastifyRequest, wanted: string): string | null => {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return null
}

/** The session token that the browser sent, or null. */
export const readSessionCookie = (request: FastifyRequest): string | null => readCookie(request, NAME)

// NOTE: a proxy's word is enough here: whoever forges it only makes his own cookie stricter
const isHttps = (request: FastifyRequest, settings: CookieSettings): boolean =>
  settings.https || request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'

/** Without a `Domain` it is sent to this host only. In a frame of another site a cookie must say that it may travel there. */
const attributes = (request: FastifyRequest, settings: CookieSettings): string => {
  if (settings.framed) return `Path=${settings.baseUrl}; HttpOnly; SameSite=None; Secure; Partitioned`
  return `Path=${settings.baseUrl}; HttpOnly; SameSite=Lax${isHttps(request, settings) ? '; Secure' : ''}`
}

export const sessionCookie = (request: FastifyRequest, settings: CookieSettings, token: string, seconds: number): string =>
  `${NAME}=${token}; Max-Age=${Math.floor(seconds)}; ${attributes(request, settings)}`

/** Makes the browser forget the session. */
export const clearedCookie = (request: FastifyRequest, settings: CookieSettings): string =>
  `${NAME}=; Max-Age=0; ${attributes(request, settings)}`
