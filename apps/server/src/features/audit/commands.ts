import type { AuditDetails } from '@postil/contract/audit.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, findOperation } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { targetOf } from './audited-actions.ts'

export type AuditedAction = {
  readonly actor: { readonly id: string | null; readonly name: string }
  readonly endpoint: Pick<AnyEndpoint, 'id' | 'path'>
  readonly params: { readonly [name: string]: string }
  readonly details: AuditDetails
  readonly address: string | null
}

const insert = async (db: Db, { actor, endpoint, params, details, address }: AuditedAction, result: unknown): Promise<void> => {
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

type WrappedCommand = { readonly command: string; readonly args: unknown; readonly act: AuditedAction }

/**
 * Runs another command and records the action in the same transaction, so that the change and its audit entry are either both
 * stored or both discarded.
 */
export const runAudited = command(
  'audit.run',
  async (db, { command: name, args, act }: WrappedCommand, more): Promise<unknown> => {
    const operation = findOperation(name)
    if (operation?.kind !== 'command') throw new Error(`${name} is not a command`)
    const result = await operation.run(db, args as never, more)
    await insert(db, act, result)
    return result
  },
  { reportedName: ({ command: name }) => name },
)

/**
 * Changes nothing. An action without changes, such as a download, runs this command to be recorded in the audit log.
 * @returns the target's name
 */
export const recordAction = command('audit.note', async (_db, target: { readonly name: string }): Promise<object> => target)
