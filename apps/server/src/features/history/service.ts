import type { History, RestoreBody } from '@postil/contract/history.ts'
import type { Response } from '@postil/contract/responses.ts'
import { packRecords, prepareUpdate, updateRecord } from '#features/records/service.ts'
import { restore as restoreAnswer } from '#features/responses/service.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import type { Actor } from './policy.ts'
import * as queries from './queries.ts'

type Ctx = { readonly store: Store }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

type Page = { readonly offset: number; readonly limit: number }

/** @throws Problem not_found, forbidden */
export const get = (ctx: Ctx, user: Actor, record_id: string, page: Page): Promise<History> =>
  ctx.store.read(queries.getHistory, { user: actorOf(user), record_id, ...page })

type ChangeKey = { readonly record_id: string; readonly change_id: string }

/**
 * Restores the state before a change. This is a change of its own that can be undone like any other.
 * @returns the current answer or record
 * @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const restore = async (
  ctx: Ctx,
  user: Actor,
  { record_id, change_id }: ChangeKey,
  { base_version }: RestoreBody,
): Promise<{ response: Response; record: null } | RawJson> => {
  // History is append-only, so this change can't differ when the restored state is written
  const change = await ctx.store.read(queries.getChange, { user: actorOf(user), record_id, change_id })
  if (change.subject === 'response') {
    const { user_id: author, status, values } = change.before
    const sent = { status, values: values ?? {} }
    return { response: await restoreAnswer(ctx, user, { record_id, author, sent, base_version }), record: null }
  }
  const { fields, metadata } = change.before
  const record = await updateRecord(ctx, user, record_id, packRecords([prepareUpdate({ fields, metadata })]))
  return rawJson(`{"response":null,"record":${record.text}}`)
}
