import type { StoredGold } from '#features/gold/public.ts'
import { seqList } from '#platform/db/keys/seq-list.ts'
import { isEvaluated, rangesOf, type SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'

type ReviewStatus = AtomOf<'review'>['statuses'][number]

const stored: readonly ReviewStatus[] = ['started', 'final', 'stale']

const reviewed = async (context: SearchContext, statuses: readonly ReviewStatus[]): Promise<SeqSet> => {
  const { db, datasetNo, size } = context
  if (statuses.length === 0) return SeqSet.empty(size)
  const wanted = (status: ReviewStatus) => statuses.includes(status)
  const row = await db.sql
    .selectFrom('gold')
    .where('dataset_no', '=', datasetNo)
    .where(isEvaluated(context))
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

const RECORDS_PER_BATCH = 2000

/** The strings by which a final answer is found: its value or, if it consists of several labels, each label. */
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [String(value)])

/** Matches records by their current final answer to a question. Reads all final answers of the dataset. */
export const withFinalAnswer = async (context: SearchContext, { question, answers }: AtomOf<'final_answer'>): Promise<SeqSet> => {
  const { db, datasetNo, size } = context
  const matching = SeqSet.empty(size)
  for (const [from, to] of rangesOf(context, RECORDS_PER_BATCH)) {
    const rows = await db.sql
      .selectFrom('gold')
      .select(['seq', 'values'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>=', from)
      .where('seq', '<', to)
      .where(isEvaluated(context))
      .where('final', '=', true)
      .where('stale', '=', false)
      .execute()
    for (const { seq, values } of rows) {
      const answer = Object.hasOwn(values, question.name) ? (values as StoredGold['values'])[question.name] : undefined
      if (answer !== undefined && textsOf(answer.value).some((text) => answers.includes(text))) matching.add(seq)
    }
  }
  return matching
}
