import { Problem } from '@postil/contract/wire/errors.ts'
import type { FastifyRequest } from 'fastify'

/**
 * Header that a browser's state-changing requests must have. A page from another origin can't send it without a preflight
 * request, which the server refuses. The header's value doesn't matter.
 */
const CSRF_HEADER = 'x-postil-csrf'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const refuse = (reason: string) =>
  new Problem({ kind: 'forbidden', detail: `The request was not made by Postil's own page: ${reason}` })

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

const isOwn = (request: FastifyRequest, origin: string, publicUrl: string | undefined): boolean => {
  const host = hostOf(origin)
  // No page can set Host, and a page from another origin can't set X-Forwarded-Host without a preflight request. The origin can
  // therefore safely be compared with both.
  const own = [request.headers.host, request.headers['x-forwarded-host'], publicUrl === undefined ? null : hostOf(publicUrl)]
  return host !== null && own.includes(host)
}

/**
 * Refuses a state-changing request that carries our cookie but comes from a page of another origin. The request must show that
 * it is same-origin (`Sec-Fetch-Site`, or `Origin` in older browsers) and carry the CSRF header.
 * @param required whether to refuse clients that send neither `Sec-Fetch-Site` nor `Origin`: true with a cookie, false for
 * signing in
 */
export const checkSameOrigin = (request: FastifyRequest, publicUrl: string | undefined, required: boolean): void => {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  if (site !== undefined) {
    if (site !== 'same-origin') throw refuse(`it comes from a ${String(site)} page`)
  } else if (origin !== undefined) {
    if (!isOwn(request, origin, publicUrl)) throw refuse(`it comes from ${origin}`)
  } else if (required) {
    throw refuse('it has no header that shows its origin')
  }
  if (request.headers[CSRF_HEADER] === undefined) throw refuse('the header X-Postil-CSRF is missing')
}

type Served = { readonly publicUrl: string | undefined; readonly corsOrigins: readonly string[] }

/**
 * Refuses sign-in attempts that another site's page makes a browser send. The page can't read the response, but each failure
 * would count against the name and the address. Accepts programs, which send neither `Origin` nor `Sec-Fetch-Site`, and pages
 * that CORS allows.
 */
export const checkNotCrossSite = (request: FastifyRequest, { publicUrl, corsOrigins }: Served): void => {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin') return
  if (origin === undefined) {
    if (site === undefined || site === 'none') return
    throw refuse(`it comes from a ${String(site)} page`)
  }
  if (isOwn(request, origin, publicUrl) || corsOrigins.includes(origin) || corsOrigins.includes('*')) return
  throw refuse(`it comes from ${origin}`)
}
