import type { Response } from '@postil/contract/responses.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { holdUsers } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import { isUnchanged } from '../kept-parts.ts'
import { responsePolicy } from '../policy.ts'
import { printResponse } from '../rows.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { lockRecord, putAnswer } from './write.ts'

type RestoreArgs = {
  readonly record_id: string
  readonly author: string
  readonly sent: SentAnswer
  /** The version that the author's answer must have; null if there must be no answer. Omit it to skip this check. */
  readonly base_version?: number | null | undefined
  /** The reason why the answer can't be stored, determined before the command; null if there is none. */
  readonly fault: Reason | null
}

/**
 * Keeps the author from being deleted until the command ends. Otherwise, the deletion could miss the restored answer. @throws
 * Problem unprocessable if the author no longer exists
 */
const holdAuthor = async (db: Db, author: string): Promise<void> => {
  await holdUsers(db, [author])
  if ((await db.sql.selectFrom('users').select('id').where('id', '=', author).executeTakeFirst()) === undefined)
    throw unprocessable(message('authorGone', { user: author }))
}

/**
 * Restores an answer's earlier status and values. This is an ordinary change: it gets a new version and must pass the current
 * rules. If the current answer is already equal, nothing changes, even if the answer breaks a rule that was added later.
 * @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const restoreResponse = command(
  'responses.restore',
  async (
    db,
    { user, record_id, author, sent, base_version, fault }: RestoreArgs & { readonly user: Actor },
  ): Promise<Response> => {
    const isOwn = author === user.id
    if (!isOwn) await holdAuthor(db, author)
    const context = await lockRecord(db, record_id, user.id, author)
    const isAllowed =
      context.own.current === null && isOwn
        ? responsePolicy.create(user, context.scope)
        : responsePolicy.change(user, context.scope, author)
    if (!isAllowed) throw forbidden()
    const { current } = context.own
    const isBase = base_version === undefined || base_version === current?.version
    if (current !== null && isBase && isUnchanged(current, sent)) return printResponse(current)
    if (fault !== null) throw unprocessable(fault)
    return putAnswer(db, context, { author, actor: user.id, after: sent, base: base_version, keepsEqual: true })
  },
)
