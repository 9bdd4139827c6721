import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { seqList } from '#platform/db/keys/seq-list.ts'
import { isEvaluated, type SearchContext } from '../search-context.ts'
import type { AtomOf } from './atoms.ts'
import { longestSafePrefix } from './long-terms.ts'
import { leastUuidFrom } from './uuid-bounds.ts'

const recordsFrom = (context: SearchContext, from: number) => {
  const query = context.db.sql.selectFrom('records').where('dataset_no', '=', context.datasetNo).where(isEvaluated(context))
  return from === 0 ? query : query.where('seq', '>=', from)
}

type Listing = { executeTakeFirst: () => Promise<{ seqs: string | null } | undefined> }
const listOf = async (query: Listing): Promise<string> => (await query.executeTakeFirst())?.seqs ?? ''

export const withIds = async (context: SearchContext, { ids }: AtomOf<'ids'>, from: number): Promise<string> => {
  const known = ids.map((id) => parseUuid(id)).filter((id) => id !== null)
  return known.length === 0 ? '' : listOf(recordsFrom(context, from).where('id', 'in', known).select(seqList.as('seqs')))
}

/**
 * The bounds can be any text, but the database compares UUIDs. Each bound is therefore converted to a UUID. UUIDs and their texts
 * have the same sort order.
 */
export const withIdRange = async (
  context: SearchContext,
  { bounds: { ge, le } }: AtomOf<'id_range'>,
  from: number,
): Promise<string> => {
  let query = recordsFrom(context, from)
  if (ge !== null) {
    const least = leastUuidFrom(ge)
    if (least === null) return ''
    query = query.where('id', '>=', least)
  }
  const beyond = le === null ? null : leastUuidFrom(le)
  if (beyond !== null) query = query.where('id', beyond === le ? '<=' : '<', beyond)
  return listOf(query.select(seqList.as('seqs')))
}

export const withExternalIds = async (context: SearchContext, { ids }: AtomOf<'external_ids'>, from: number): Promise<string> =>
  ids.length === 0
    ? ''
    : listOf(
        recordsFrom(context, from)
          .where('external_key', 'in', [...new Set(ids.map(valueKey))])
          .select(seqList.as('seqs')),
      )

export const withExternalIdRange = (
  context: SearchContext,
  { bounds: { ge, le } }: AtomOf<'external_id_range'>,
  from: number,
): Promise<string> => {
  const isShort = [ge, le].every((bound) => bound === null || longestSafePrefix(bound) === null)
  // `external_key` is indexed, but it contains only the beginning of a long ID. `external_id` is exact.
  const column = isShort ? 'external_key' : 'external_id'
  let query = recordsFrom(context, from).where(column, 'is not', null)
  if (ge !== null) query = query.where(column, '>=', ge)
  if (le !== null) query = query.where(column, '<=', le)
  return listOf(query.select(seqList.as('seqs')))
}

export const withTimes = async (context: SearchContext, { column, spans }: AtomOf<'times'>, from: number): Promise<string> => {
  if (spans.length === 0) return ''
  const query = recordsFrom(context, from).where((eb) =>
    eb.or(
      spans.map(({ ge, le }) =>
        eb.and([...(ge === null ? [] : [eb(column, '>=', ge)]), ...(le === null ? [] : [eb(column, '<=', le)])]),
      ),
    ),
  )
  return listOf(query.select(seqList.as('seqs')))
}

export const allRecords = (context: SearchContext, from: number): Promise<string> =>
  listOf(recordsFrom(context, from).select(seqList.as('seqs')))

/** Returns all records with a status. */
export const ofStatus = (context: SearchContext, status: 'pending' | 'completed'): Promise<string> =>
  listOf(recordsFrom(context, 0).where('status', '=', status).select(seqList.as('seqs')))

export const withVectors = ({ db, datasetNo }: SearchContext, { setting }: AtomOf<'vectors'>, from: number): Promise<string> =>
  listOf(
    db.sql
      .selectFrom('vectors')
      .where('dataset_no', '=', datasetNo)
      .where('setting_no', '=', setting)
      .where('seq', '>=', from)
      .select(seqList.as('seqs')),
  )
