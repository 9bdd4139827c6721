import { userInfo } from 'node:os'
import type { AuditEntry, listAudit } from '@postil/contract/audit.ts'
import type { AnyEndpoint, QueryOf } from '@postil/contract/wire/endpoint.ts'
import { forbidden, invalid } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Command } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import type { AuditedCall } from '#platform/http/audited-call.ts'
import { type Micros, readTime } from '#platform/time.ts'
import { detailsOf, isAudited, pathIdsOf } from './audited-actions.ts'
import { type AuditedAction, runAudited } from './commands.ts'
import { auditPolicy } from './policy.ts'
import { listEntries } from './queries.ts'

type NamedUser = { readonly id: string; readonly username: string }
type Ctx = { readonly store: Store }

/**
 * Wraps the store for one request, so that the request's first change is stored together with its audit entry. Preparatory
 * commands aren't treated as changes.
 */
const recordingStore = (store: Store, actOf: () => AuditedAction): Store => {
  let isRecorded = false
  return {
    ...store,
    write: async <A, R>(command: Command<A, R>, args: A): Promise<R> => {
      if (isRecorded || command.isPreparation === true) return store.write(command, args)
      // Set before waiting. Otherwise, two concurrent changes would both record the action
      isRecorded = true
      try {
        return (await store.write(runAudited, { command: command.name, args, act: actOf() })) as R
      } catch (error) {
        isRecorded = false
        throw error
      }
    },
  }
}

/** The store for a call. If the endpoint is audited, the store records the call. */
export const auditedStore = (store: Store, { endpoint, user, params, query, body, address }: AuditedCall): Store => {
  if (user === undefined || !isAudited(endpoint)) return store
  const { id, path } = endpoint
  return recordingStore(store, () => ({
    actor: { id: user.id, name: user.username },
    endpoint: { id, path },
    params,
    details: detailsOf(pathIdsOf(endpoint, params), query, body),
    address,
  }))
}

/** The store for a request on a public route. The request itself must prove who sent it, for example with the token of a link. */
export const storeOf = (
  store: Store,
  { endpoint, user, body, address }: Pick<AuditedCall, 'endpoint' | 'body' | 'address'> & { readonly user: NamedUser },
): Store =>
  recordingStore(store, () => ({
    actor: { id: user.id, name: user.username },
    endpoint: { id: endpoint.id, path: endpoint.path },
    params: {},
    details: detailsOf(body),
    address,
  }))

const operator = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

/**
 * Wraps the store for a command-line command, so that the command's first change is stored together with its audit entry.
 * @param params path parameters, as in the route for the same action
 * @param valuesOf returns the details for the audit entry. Called when the first change is written
 */
export const commandLineStore = (
  store: Store,
  endpoint: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string },
  valuesOf: () => object = () => ({}),
): Store =>
  recordingStore(store, () => ({
    actor: { id: null, name: `${operator()} (command line)` },
    endpoint: { id: endpoint.id, path: endpoint.path },
    params,
    details: detailsOf(pathIdsOf(endpoint, params), valuesOf()),
    address: null,
  }))

const timeOf = (name: string, text: string | undefined): Micros | undefined => {
  if (text === undefined) return undefined
  const time = readTime(text)
  if (time === null)
    throw invalid([{ type: 'datetime_from_date_parsing', loc: ['query', name], msg: 'Input should be a valid datetime in UTC' }])
  return time
}

/** @throws Problem forbidden, validation */
export const list = async (
  { store }: Ctx,
  user: Actor,
  filters: QueryOf<typeof listAudit>,
): Promise<{ readonly items: AuditEntry[] }> => {
  if (!auditPolicy.list(user)) throw forbidden()
  const [since, until] = [timeOf('since', filters.since), timeOf('until', filters.until)]
  return { items: [...(await store.read(listEntries, { ...filters, since, until }))] }
}
