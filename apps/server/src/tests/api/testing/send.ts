import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import { routesWith } from '#routes.ts'

/** What a test sends to a route: path parameters (keyed by name), query, body and headers. */
export type Sent = {
  readonly params?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string | readonly string[] }
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** Every endpoint of the server, with the default limits. */
export const served: readonly AnyEndpoint[] = routesWith(defaultLimits).map(({ endpoint }) => endpoint)
const byId = new Map(served.map((endpoint) => [endpoint.id, endpoint]))

export const endpointOf = (id: string): AnyEndpoint => {
  const endpoint = byId.get(id)
  if (endpoint === undefined) throw new Error(`the server serves no ${id}`)
  return endpoint
}

/** A well-formed ID that no object has. */
export const nowhere = '00000000-0000-7000-8000-000000000001'

export const paramsOf = ({ path }: AnyEndpoint): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Values for parameters that are not UUIDs: well-formed, but no object has them. */
const others: { readonly [name: string]: string } = { name: `${'0'.repeat(64)}.png` }

/** A request's path and query. Path parameters that aren't given refer to objects that don't exist. */
export const urlOf = ({ path }: AnyEndpoint, { params = {}, query = {} }: Sent): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? others[name] ?? nowhere))
  return search.size === 0 ? filled : `${filled}?${search}`
}

const asForm = (body: unknown): string => new URLSearchParams(body as { [key: string]: string }).toString()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a request to the route with this ID. */
export const send = <T = unknown>(client: Client, id: string, sent: Sent = {}): Promise<Response<T>> => {
  const endpoint = endpointOf(id)
  const url = urlOf(endpoint, sent)
  const { body, headers = {} } = sent
  if (endpoint.method === 'GET') return client.get<T>(url, headers)
  const call = client[endpoint.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete']
  return endpoint.bodyKind === 'form' ? call<T>(url, asForm(body), { ...FORM, ...headers }) : call<T>(url, body, headers)
}
