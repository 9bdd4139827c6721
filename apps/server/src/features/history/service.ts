import { randomUUID } from 'node:crypto'
import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { History, RestoreBody } from '@postil/contract/history.ts'
import type { Response } from '@postil/contract/responses.ts'
import { packRecords, prepareUpdate, updateRecord } from '#features/records/public.ts'
import { restoreResponse } from '#features/responses/public.ts'
import { putGold } from '#features/review/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import type { Shares } from '#platform/shares.ts'
import * as queries from './queries.ts'

type Ctx = { readonly store: Store }

type PageOfRecord = { readonly record_id: string; readonly offset: number; readonly limit: number }

/**
 * Returns a page of a record's changes, and the record's current answers. A large page counts toward the user's share of large
 * reads. @throws Problem not_found, forbidden
 */
export const get = async (
  { store, largeReads }: Ctx & { readonly largeReads: Shares },
  user: Actor,
  page: PageOfRecord,
): Promise<History> => {
  const args = { ...page, user: actorOf(user) }
  const small = await store.read(queries.getHistory, { ...args, quick: true })
  if (small !== null) return small
  const release = await largeReads.take(user.id)
  try {
    const large = await store.read(queries.getHistory, { ...args, quick: false }, { lane: 'slow' })
    if (large === null) throw new Error('the slow lane returned no page')
    return large
  } finally {
    release()
  }
}

type ChangeKey = { readonly record_id: string; readonly change_id: string }

/**
 * Restores the state before a change. The restore is itself a change and can be undone like any other change.
 * @returns the current answer, record or final answers
 * @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const restore = async (
  ctx: Ctx & { readonly config: Pick<Config, 'maxAnswer'> },
  user: Actor,
  { record_id, change_id }: ChangeKey,
  { base_version }: RestoreBody,
): Promise<{ response: Response | null; record: null; gold: Gold | null } | RawJson> => {
  // History is append-only, so this change is still the same when the restored state is written
  const change = await ctx.store.read(queries.getChange, { user: actorOf(user), record_id, change_id })
  if (change.subject === 'response') {
    const { user_id: author, status, values, suggestion_outcomes, shown = null, returned } = change.before
    const sent = { status, values: values ?? {}, suggestion_outcomes, shown, returned }
    const fault = answerSizeFault(values, ctx.config.maxAnswer)
    return {
      response: await ctx.store.write(restoreResponse, { user: actorOf(user), record_id, author, sent, base_version, fault }),
      record: null,
      gold: null,
    }
  }
  if (change.subject === 'gold') {
    const body = { values: change.before.values, final: change.before.final, mutation_id: randomUUID(), base_version }
    const { maxAnswer } = ctx.config
    return {
      response: null,
      record: null,
      gold: await ctx.store.write(putGold, { user: actorOf(user), record_id, body, maxAnswer }),
    }
  }
  const { fields, metadata } = change.before
  const packed = packRecords([prepareUpdate({ fields, metadata })])
  const record = await ctx.store.write(updateRecord, { user: actorOf(user), record_id, packed })
  return rawJson(`{"response":null,"record":${record},"gold":null}`)
}
