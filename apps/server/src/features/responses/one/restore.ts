import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Sent } from '../check.ts'
import type { Actor } from '../policy.ts'
import { responsePolicy } from '../policy.ts'
import { printResponse } from '../rows.ts'
import { applyUnchanged } from './change.ts'
import { meetRecord, putAnswer } from './write.ts'

export type Restored = {
  readonly record_id: string
  readonly author: string
  readonly sent: Sent
  /** The version of the author's answer that stands, null when none does; left out: whatever stands. */
  readonly base_version?: number | null | undefined
}

/** Held, so that who is being deleted is given no answer that the deletion would not see. @throws Problem unprocessable */
const holdAuthor = async (db: Db, author: string): Promise<void> => {
  const query = db.sql.selectFrom('users').select('id').where('id', '=', author)
  if ((await db.dialect.forShare(query).executeTakeFirst()) === undefined)
    throw unprocessable(sayRefusal('authorGone', { user: author }))
}

/**
 * Gives an answer back the status and the values that it had, as a change like any other: with a new version, by the rules that hold now.
 * @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const restoreResponse = command(
  'responses.restore',
  async (db, { user, record_id, author, sent, base_version }: Restored & { readonly user: Actor }): Promise<Response> => {
    const isOwn = author === user.id
    if (!isOwn) await holdAuthor(db, author)
    const met = await meetRecord(db, record_id, user.id, author)
    const { standing } = met.own
    const isAllowed =
      standing === null && isOwn ? responsePolicy.create(user, met.scope) : responsePolicy.change(user, met.scope, author)
    if (!isAllowed) throw forbidden()
    if (base_version !== undefined && base_version !== (standing?.version ?? null)) {
      throw conflict(sayRefusal('otherAnswer', { record: record_id }), {
        response: standing === null ? null : printResponse(standing),
      })
    }
    if (standing !== null && standing.status === sent.status && jsonEquals(standing.values, sent.values))
      return printResponse(await applyUnchanged(db, { scope: met.scope, before: standing, actor: user.id }))
    // NOTE: what is known of the caller says nothing of another author
    const scope = { ...met.scope, remembered: met.scope.remembered && isOwn }
    return putAnswer(db, { ...met, scope }, { user, author, sent })
  },
)
