import type { AuditDetails } from '@postil/contract/audit.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, findOperation } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { targetOf } from './acts.ts'

export type Act = {
  readonly actor: { readonly id: string | null; readonly name: string }
  readonly endpoint: Pick<AnyEndpoint, 'id' | 'path'>
  readonly params: { readonly [name: string]: string }
  readonly details: AuditDetails
  readonly address: string | null
}

const insert = async (db: Db, { actor, endpoint, params, details, address }: Act, result: unknown): Promise<void> => {
  const target = targetOf(endpoint, params, result)
  const row = {
    id: newId(),
    at: now(),
    actor_id: actor.id,
    actor_name: actor.name,
    action: endpoint.id,
    target_id: target.id,
    target_name: target.name,
    details: json(details),
    address,
  }
  await db.sql.insertInto('audit').values(row).execute()
}

type Wrapped = { readonly command: string; readonly args: unknown; readonly act: Act }

/** Runs another command and keeps the act in the same transaction: there is no change without its entry, and no entry without its change. */
export const runAudited = command(
  'audit.run',
  async (db, { command: name, args, act }: Wrapped, more): Promise<unknown> => {
    const operation = findOperation(name)
    if (operation?.kind !== 'command') throw new Error(`${name} is no command`)
    const result = await operation.run(db, args as never, more)
    await insert(db, act, result)
    return result
  },
  { toldAs: ({ command: name }) => name },
)

/** Changes nothing: an act such as a download is kept when this is run for it. @returns what names the target */
export const noteAct = command('audit.note', async (_db, target: { readonly name: string }): Promise<object> => target)
