import { userInfo } from 'node:os'
import type { AuditEntry, listAudit } from '@postil/contract/audit.ts'
import type { AnyEndpoint, QueryOf } from '@postil/contract/wire/endpoint.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Command } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import type { AuditedCall } from '#platform/http/audited-call.ts'
import { detailsOf, isAct, placeOf } from './acts.ts'
import { type Act, runAudited } from './commands.ts'
import { type Actor, auditPolicy } from './policy.ts'
import { listEntries } from './queries.ts'

// What a feature runs where an act of its changes nothing.
export { noteAct } from './commands.ts'

type Ctx = { readonly store: Store }

/** The store, whose first change keeps the act with it, apart from what only goes before it. */
const keeping = (store: Store, act: Act): Store => {
  let isTaken = false
  return {
    ...store,
    write: async <A, R>(command: Command<A, R>, args: A): Promise<R> => {
      if (isTaken || command.before === true) return store.write(command, args)
      // NOTE: before the wait, or two changes at once would both keep it
      isTaken = true
      try {
        return (await store.write(runAudited, { command: command.name, args, act })) as R
      } catch (error) {
        isTaken = false
        throw error
      }
    },
  }
}

/** The store for a call: one that keeps who did what, where the endpoint is an administrative act. */
export const auditedStore = (store: Store, { endpoint, user, params, query, body, address }: AuditedCall): Store => {
  if (user === undefined || !isAct(endpoint)) return store
  const { id, path } = endpoint
  return keeping(store, {
    actor: { id: user.id, name: user.username },
    endpoint: { id, path },
    params,
    details: detailsOf(placeOf(endpoint, params), query, body),
    address,
  })
}

const operator = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

/** The store for a command of the command line. @param params as in the path of the route of the same act */
export const storeOfCommandLine = (
  store: Store,
  endpoint: Pick<AnyEndpoint, 'id' | 'path'>,
  params: { readonly [name: string]: string },
  values: object = {},
): Store =>
  keeping(store, {
    actor: { id: null, name: `${operator()} (command line)` },
    endpoint: { id: endpoint.id, path: endpoint.path },
    params,
    details: detailsOf(placeOf(endpoint, params), values),
    address: null,
  })

/** @throws Problem forbidden */
export const list = async (
  { store }: Ctx,
  user: Actor,
  filters: QueryOf<typeof listAudit>,
): Promise<{ readonly items: AuditEntry[] }> => {
  if (!auditPolicy.list(user)) throw forbidden()
  return { items: [...(await store.read(listEntries, filters))] }
}
