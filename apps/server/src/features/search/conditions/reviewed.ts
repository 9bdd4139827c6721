import { seqList } from '#platform/db/keys/seq-list.ts'
import type { SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'

type ReviewStatus = AtomOf<'review'>['statuses'][number]

const stored: readonly ReviewStatus[] = ['started', 'final', 'stale']

const reviewed = async ({ db, datasetNo, size }: SearchContext, statuses: readonly ReviewStatus[]): Promise<SeqSet> => {
  if (statuses.length === 0) return SeqSet.empty(size)
  const wanted = (status: ReviewStatus) => statuses.includes(status)
  const row = await db.sql
    .selectFrom('gold')
    .where('dataset_no', '=', datasetNo)
    .where((eb) =>
      eb.or([
        ...(wanted('started') ? [eb.and([eb('final', '=', false), eb('answered', '>', 0)])] : []),
        ...(wanted('final') ? [eb.and([eb('final', '=', true), eb('stale', '=', false)])] : []),
        ...(wanted('stale') ? [eb.and([eb('final', '=', true), eb('stale', '=', true)])] : []),
      ]),
    )
    .select(seqList.as('seqs'))
    .executeTakeFirst()
  return SeqSet.parse(size, row?.seqs ?? '')
}

/** Matches records by the state of their review. `none` means that the record has no final answers. */
export const withReview = async (context: SearchContext, { statuses }: AtomOf<'review'>): Promise<Signed> =>
  statuses.includes('none')
    ? {
        negated: true,
        set: await reviewed(
          context,
          stored.filter((status) => !statuses.includes(status)),
        ),
      }
    : { negated: false, set: await reviewed(context, statuses) }
