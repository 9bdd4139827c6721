import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { seqList } from '#platform/db/keys/seq-list.ts'
import type { Reach } from '../reach.ts'
import type { AtomOf } from './atoms.ts'
import { doubtfulBeginning } from './long-terms.ts'
import { leastUuidFrom } from './uuid-bounds.ts'

const recordsFrom = ({ db, datasetNo }: Reach, from: number) => {
  const query = db.sql.selectFrom('records').where('dataset_no', '=', datasetNo)
  return from === 0 ? query : query.where('seq', '>=', from)
}

type Listing = { executeTakeFirst: () => Promise<{ seqs: string | null } | undefined> }
const listOf = async (query: Listing): Promise<string> => (await query.executeTakeFirst())?.seqs ?? ''

export const withIds = async (reach: Reach, { ids }: AtomOf<'ids'>, from: number): Promise<string> => {
  const known = ids.map((id) => parseUuid(id)).filter((id) => id !== null)
  return known.length === 0 ? '' : listOf(recordsFrom(reach, from).where('id', 'in', known).select(seqList.as('seqs')))
}

/** Bounds are texts; what the engine compares are uuids, which sort as their texts do. */
export const withIdRange = async (reach: Reach, { bounds: { ge, le } }: AtomOf<'id_range'>, from: number): Promise<string> => {
  let query = recordsFrom(reach, from)
  if (ge !== null) {
    const least = leastUuidFrom(ge)
    if (least === null) return ''
    query = query.where('id', '>=', least)
  }
  const beyond = le === null ? null : leastUuidFrom(le)
  if (beyond !== null) query = query.where('id', beyond === le ? '<=' : '<', beyond)
  return listOf(query.select(seqList.as('seqs')))
}

export const withExternalIds = async (reach: Reach, { ids }: AtomOf<'external_ids'>, from: number): Promise<string> =>
  ids.length === 0
    ? ''
    : listOf(
        recordsFrom(reach, from)
          .where('external_key', 'in', [...new Set(ids.map(valueKey))])
          .select(seqList.as('seqs')),
      )

export const withExternalIdRange = (
  reach: Reach,
  { bounds: { ge, le } }: AtomOf<'external_id_range'>,
  from: number,
): Promise<string> => {
  const isShort = [ge, le].every((bound) => bound === null || doubtfulBeginning(bound) === null)
  // NOTE: the key has an index, the text itself is exact
  const column = isShort ? 'external_key' : 'external_id'
  let query = recordsFrom(reach, from).where(column, 'is not', null)
  if (ge !== null) query = query.where(column, '>=', ge)
  if (le !== null) query = query.where(column, '<=', le)
  return listOf(query.select(seqList.as('seqs')))
}

export const withTimes = async (reach: Reach, { column, spans }: AtomOf<'times'>, from: number): Promise<string> => {
  if (spans.length === 0) return ''
  const query = recordsFrom(reach, from).where((eb) =>
    eb.or(
      spans.map(({ ge, le }) =>
        eb.and([...(ge === null ? [] : [eb(column, '>=', ge)]), ...(le === null ? [] : [eb(column, '<=', le)])]),
      ),
    ),
  )
  return listOf(query.select(seqList.as('seqs')))
}

/** All records. */
export const allRecords = (reach: Reach, from: number): Promise<string> =>
  listOf(recordsFrom(reach, from).select(seqList.as('seqs')))

/** All records of one status. */
export const ofStatus = ({ db, datasetNo }: Reach, status: 'pending' | 'completed'): Promise<string> =>
  listOf(db.sql.selectFrom('records').where('dataset_no', '=', datasetNo).where('status', '=', status).select(seqList.as('seqs')))

export const withVectors = ({ db, datasetNo }: Reach, { setting }: AtomOf<'vectors'>, from: number): Promise<string> =>
  listOf(
    db.sql
      .selectFrom('vectors')
      .where('dataset_no', '=', datasetNo)
      .where('setting_no', '=', setting)
      .where('seq', '>=', from)
      .select(seqList.as('seqs')),
  )
