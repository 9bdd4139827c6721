import { seqList } from '#platform/db/keys/seq-list.ts'
import type { SearchContext } from '../search-context.ts'
import { SeqSet } from '../seq-set.ts'

/** Matches records with open threads. */
export const withOpenComments = async ({ db, datasetNo, size }: SearchContext): Promise<SeqSet> => {
  const row = await db.sql
    .selectFrom((eb) =>
      eb
        .selectFrom('comments')
        .select('seq')
        .distinct()
        .where('dataset_no', '=', datasetNo)
        .where('parent', 'is', null)
        .where('resolved_at', 'is', null)
        .as('commented'),
    )
    .select(seqList.as('seqs'))
    .executeTakeFirst()
  return SeqSet.parse(size, row?.seqs ?? '')
}
