import type { AuditDetails } from '@postil/contract/audit.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'

/** Features whose every change is an administrative act, by the first part of an endpoint's id. */
const ALL_OF = new Set([
  'datasets',
  'fields',
  'label_colours',
  'metadata_properties',
  'questions',
  'users',
  'vectors_settings',
  'webhooks',
  'workspaces',
])
/** Single acts of the others. */
const ALSO = new Set([
  'files.download',
  'hub.export',
  'hub.import',
  'imports.start',
  'jobs.cancel',
  'oauth.delete_my_identity',
  'queue.set_settings',
  'records.delete',
  'records.delete_many',
  'second_factor.activate',
  'second_factor.remove',
  'second_factor.renew',
])

/** Whether calls of an endpoint that change something are kept in the audit log. */
export const isAct = ({ id, method }: AnyEndpoint): boolean =>
  ALSO.has(id) || (method !== 'GET' && ALL_OF.has(id.split('.')[0] ?? ''))

const SECRET = /password|secret|token|key|^code$/i
const LONGEST = 200
const MOST = 20

const isShort = (value: unknown): value is string | number | boolean | null =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= LONGEST)

/** The short values of a request by name, one level deep; what is named like a secret is left out. */
export const detailsOf = (...parts: readonly unknown[]): AuditDetails => {
  const shown: [string, string | number | boolean | null][] = []
  const look = (prefix: string, value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, one] of Object.entries(value)) {
      if (SECRET.test(name) || one === undefined) continue
      if (isShort(one)) shown.push([`${prefix}${name}`, one])
      else if (depth > 0 && !Array.isArray(one)) look(`${prefix}${name}.`, one, depth - 1)
    }
  }
  for (const part of parts) look('', part, 1)
  return Object.fromEntries(shown.slice(0, MOST))
}

/** The values of a path, in its order. */
const onTheWay = (path: string, params: { readonly [name: string]: string }): readonly (readonly [string, string])[] =>
  [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => (params[name] === undefined ? [] : [[name, params[name]]]))

const isMaking = (action: string): boolean => action.endsWith('.create')

/** What an act's target lies in, by the path of the request: the dataset of a new question, the workspace that somebody leaves. */
export const placeOf = (
  { id: action, path }: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string },
): { readonly [name: string]: string } =>
  Object.fromEntries(isMaking(action) ? onTheWay(path, params) : onTheWay(path, params).slice(0, -1))

/** What was acted on, by the path of the request and by the command's result. */
export const targetOf = (
  { id: action, path }: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string },
  result: unknown,
): { readonly id: string | null; readonly name: string | null } => {
  const told = typeof result === 'object' && result !== null ? (result as { readonly [key: string]: unknown }) : {}
  const text = (key: string): string | null => (typeof told[key] === 'string' ? told[key] : null)
  const last = onTheWay(path, params).at(-1)?.[1] ?? null
  return {
    id: isMaking(action) ? (text('id') ?? last) : (last ?? text('id')),
    name: text('name') ?? text('username') ?? text('url'),
  }
}
