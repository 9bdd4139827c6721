import { agentActions } from '@postil/contract/agents.ts'
import type { AuditDetails } from '@postil/contract/audit.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'

/** Features in which every change is an administrative action. An endpoint ID begins with its feature. */
const AUDITED_FEATURES = new Set([
  'active_time_settings',
  'suggestion_settings',
  'assignments',
  'datasets',
  'fields',
  'invitations',
  'label_colours',
  'metadata_properties',
  'model_connections',
  'questions',
  'search_settings',
  'snapshots',
  'users',
  'vectors_settings',
  'webhooks',
  'workspaces',
])
/** Endpoints of other features that are administrative actions. */
const AUDITED_ENDPOINTS = new Set<string>([
  ...Object.values(agentActions).map(({ id }) => id),
  'files.download',
  'hub.export',
  'hub.import',
  'imports.start',
  'jobs.cancel',
  'model_runs.delete',
  'model_runs.publish',
  'model_runs.resume',
  'model_runs.start',
  'model_runs.unpublish',
  'oauth.delete_my_identity',
  'queue.set_settings',
  'record_deletions.start',
  'records.delete',
  'records.delete_many',
  'review.let_continue',
  'review.set_settings',
  'review.start_job',
  'review.undo_job',
  'review.start_answer_job',
  'review.undo_answer_job',
  'schema_versions.apply',
  'schema_versions.revert',
  'schema_versions.resume',
  'second_factor.activate',
  'second_factor.remove',
  'second_factor.renew',
])

/** Whether the audit log records calls to an endpoint. GET requests are recorded only for the endpoints listed above. */
export const isAudited = ({ id, method }: Pick<AnyEndpoint, 'id' | 'method'>): boolean =>
  AUDITED_ENDPOINTS.has(id) || (method !== 'GET' && AUDITED_FEATURES.has(id.split('.')[0] ?? ''))

const SECRET = /password|secret|token|key|^code$/i
const MAX_LENGTH = 200
const MAX_DETAILS = 20

const isShort = (value: unknown): value is string | number | boolean | null =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= MAX_LENGTH)

const MAX_PEOPLE = 10

const numbered = (name: string, ids: readonly string[]): [string, string][] =>
  ids.slice(0, MAX_PEOPLE).map((id, i) => [`${name}_${i + 1}_id`, id])

const userOf = (item: unknown): unknown => (typeof item === 'object' && item !== null ? Reflect.get(item, 'user_id') : null)

/**
 * The user IDs in a list of IDs, or in a list of objects with a `user_id`. Each ID gets its own key, so that the log can show the
 * usernames.
 */
const peopleIn = (name: string, list: readonly unknown[]): [string, string][] => {
  const isText = (id: unknown): id is string => typeof id === 'string'
  if (name.endsWith('user_ids')) return numbered(name.slice(0, -'_ids'.length), list.filter(isText))
  return numbered(`${name}_user`, [...new Set(list.map(userOf).filter(isText))])
}

/**
 * A request's short values, keyed by name, with at most one level of nesting. Values whose names look like secrets are left out.
 */
export const detailsOf = (...parts: readonly unknown[]): AuditDetails => {
  const shown: [string, string | number | boolean | null][] = []
  const collect = (prefix: string, value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, one] of Object.entries(value)) {
      if (SECRET.test(name) || one === undefined) continue
      if (isShort(one)) shown.push([`${prefix}${name}`, one])
      else if (Array.isArray(one)) shown.push(...peopleIn(`${prefix}${name}`, one))
      else if (depth > 0) collect(`${prefix}${name}.`, one, depth - 1)
    }
  }
  for (const part of parts) collect('', part, 1)
  return Object.fromEntries(shown.slice(0, MAX_DETAILS))
}

/** The path parameters and their values, in path order. */
const pathParams = (path: string, params: { readonly [name: string]: string }): readonly (readonly [string, string])[] =>
  [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => (params[name] === undefined ? [] : [[name, params[name]]]))

const isCreation = (action: string): boolean => action.endsWith('.create')

/**
 * IDs of the entities that contain an action's target, such as the dataset of a new question or the workspace that a user leaves.
 * Read from the request path.
 */
export const pathIdsOf = (
  { id: action, path }: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string },
): { readonly [name: string]: string } =>
  Object.fromEntries(isCreation(action) ? pathParams(path, params) : pathParams(path, params).slice(0, -1))

/** The target of an action, from the request path and the command's result. */
export const targetOf = (
  { id: action, path }: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string },
  result: unknown,
): { readonly id: string | null; readonly name: string | null } => {
  const resultFields = typeof result === 'object' && result !== null ? (result as { readonly [key: string]: unknown }) : {}
  const text = (key: string): string | null => (typeof resultFields[key] === 'string' ? resultFields[key] : null)
  const last = pathParams(path, params).at(-1)?.[1] ?? null
  return {
    id: isCreation(action) ? (text('id') ?? last) : (last ?? text('id')),
    name: text('name') ?? text('username') ?? text('url'),
  }
}
