import { isAnswered, testsOfRecords } from '#features/test-items/public.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { hiddenReason, type OwnAnswer, type SuggestionRule } from './rule.ts'

type Annotator = { readonly rule: SuggestionRule; readonly userId: string }
type Place = { readonly datasetNo: number; readonly seqs: readonly number[] }

const ownAnswers = (db: Db, { datasetNo, seqs }: Place, userId: string) =>
  db.sql
    .selectFrom('responses')
    .select(['seq', 'status', 'suggestion_view'])
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()

/** Returns the records on which an annotator sees suggestions, by `seq`. Test items are treated like other records. */
const shownOn = async (db: Db, { rule, userId }: Annotator, place: Place): Promise<ReadonlySet<number>> => {
  const { datasetNo, seqs } = place
  if (seqs.length === 0 || rule.show === 'never') return new Set()
  const records = db.sql
    .selectFrom('records')
    .select(['seq', 'id'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
  const needsAnswers = rule.show === 'after_answer'
  const [ids, answers, tests] = await pipeline([
    records.execute(),
    needsAnswers ? ownAnswers(db, place, userId) : [],
    needsAnswers ? testsOfRecords(db, datasetNo, seqs, userId) : new Map<number, never>(),
  ])
  const given = new Map<number, OwnAnswer>(answers.map((answer) => [answer.seq, answer]))
  for (const [seq, [test]] of tests) {
    if (test !== undefined && isAnswered(test) && !given.has(seq))
      given.set(seq, { status: test.status, suggestion_view: 'hidden' })
  }
  const isShown = ({ seq, id }: (typeof ids)[number]) =>
    hiddenReason(rule, { recordId: id, userId }, given.get(seq) ?? null) === null
  return new Set(ids.filter(isShown).map(({ seq }) => seq))
}

/** The suggestions that an annotator sees. @param annotator null for people who see all of them */
export const shownSuggestions = async <S extends { readonly seq: number }>(
  db: Db,
  annotator: Annotator | null,
  { datasetNo, suggestions }: { readonly datasetNo: number; readonly suggestions: readonly S[] },
): Promise<readonly S[]> => {
  if (annotator === null || suggestions.length === 0) return suggestions
  const shown = await shownOn(db, annotator, { datasetNo, seqs: [...new Set(suggestions.map(({ seq }) => seq))] })
  return suggestions.filter(({ seq }) => shown.has(seq))
}
