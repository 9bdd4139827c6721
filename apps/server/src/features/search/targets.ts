import type { RecordTarget } from '@postil/contract/record-target.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetFor } from '#features/datasets/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { searchPolicy } from './policy.ts'
import { findAll } from './service.ts'

type OfRecords = { readonly user: Actor; readonly dataset_id: string; readonly record_ids: readonly string[] }

/** The records with these IDs, in ascending order of `seq`. Unknown IDs are left out. @throws Problem not_found, forbidden */
const recordsWith = query(
  'search.records-with',
  async (db, { user, dataset_id, record_ids }: OfRecords): Promise<readonly { readonly id: string; readonly seq: number }[]> => {
    const dataset = await datasetFor(db, dataset_id, user)
    if (!searchPolicy.all(user, dataset)) throw forbidden()
    return db.sql
      .selectFrom('records')
      .select(['id', 'seq'])
      .where('dataset_no', '=', dataset.no)
      .where('id', 'in', [...record_ids])
      .orderBy('seq')
      .execute()
  },
)

/**
 * The `seq`s of the records that a request changes, in ascending order. @throws Problem not_found, forbidden, business;
 * unprocessable, for example if a chosen record doesn't exist
 */
export const findTargets = async (
  ctx: Parameters<typeof findAll>[0],
  caller: Actor,
  dataset_id: string,
  { search, except_ids, record_ids }: RecordTarget,
): Promise<readonly number[]> => {
  const user = actorOf(caller)
  const withIds = async (ids: readonly string[]) =>
    ids.length === 0 ? [] : ctx.store.read(recordsWith, { user, dataset_id, record_ids: [...new Set(ids)] })
  if (record_ids) {
    const records = await withIds(record_ids)
    const known = new Set(records.map(({ id }) => id))
    const unknown = record_ids.find((id) => !known.has(id))
    if (unknown !== undefined) throw unprocessable(message('recordUnknown', { id: unknown }))
    return records.map(({ seq }) => seq)
  }
  const excepted = new Set((await withIds(except_ids ?? [])).map(({ seq }) => seq))
  const found = await findAll(ctx, user, dataset_id, search ?? {})
  return [...found].filter((seq) => !excepted.has(seq)).sort((a, b) => a - b)
}
