import { Problem } from '@postil/contract/wire/errors.ts'
import type { FastifyRequest } from 'fastify'

/** A page of another origin cannot send it without asking us first, which we refuse. Its value does not matter. */
export const CSRF_HEADER = 'x-postil-csrf'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const refuse = (reason: string) =>
  new Problem({ kind: 'forbidden', detail: `The request was not made by Postil's own page: ${reason}` })

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

const isOwn = (request: FastifyRequest, origin: string, publicUrl: string | undefined): boolean => {
  const host = hostOf(origin)
  // NOTE: no page can make a browser send a forged Host or X-Forwarded-Host, so both may be compared with
  const own = [request.headers.host, request.headers['x-forwarded-host'], publicUrl === undefined ? null : hostOf(publicUrl)]
  return host !== null && own.includes(host)
}

/**
 * Refuses a changing request that a browser sends with our cookie from somewhere else than our page: it has to say that it comes
 * from the same origin (`Sec-Fetch-Site`, or `Origin` where the browser knows no better) and to carry the header.
 * @param required whether a client that says neither is refused too: yes with a cookie, no for signing in
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
    throw refuse('it does not say where it comes from')
  }
  if (request.headers[CSRF_HEADER] === undefined) throw refuse('the header X-Postil-CSRF is missing')
}

type Served = { readonly publicUrl: string | undefined; readonly corsOrigins: readonly string[] }

/**
 * Refuses a sign-in that a page elsewhere has somebody's browser try: it cannot read the answer, but each failure would count against the name and the
 * address. Programs name no origin; pages that may call the API may sign in as well.
 */
export const checkNotElsewhere = (request: FastifyRequest, { publicUrl, corsOrigins }: Served): void => {
  const { origin } = request.headers
  if (origin === undefined || request.headers['sec-fetch-site'] === 'same-origin') return
  if (isOwn(request, origin, publicUrl) || corsOrigins.includes(origin) || corsOrigins.includes('*')) return
  throw refuse(`it comes from ${origin}`)
}
