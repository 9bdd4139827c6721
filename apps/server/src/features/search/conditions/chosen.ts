import type { JsonValue } from '@postil/contract/wire/json.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { isEvaluated, rangesOf, type SearchContext } from '../search-context.ts'
import { SeqSet } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'

const RECORDS_PER_BATCH = 2000

/** Returns the records with an answer in which one of the options is chosen. Reads all answers with the given status. */
export const withChosen = async (
  context: SearchContext,
  { user, status, question, options }: AtomOf<'chosen'>,
): Promise<SeqSet> => {
  const { db, datasetNo, size } = context
  const matching = SeqSet.empty(size)
  const chosenIn = serverQuestionType(question.settings).chosen ?? (() => [])
  for (const [from, to] of rangesOf(context, RECORDS_PER_BATCH)) {
    let query = db.sql
      .selectFrom('responses')
      .select(['seq', 'values'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>=', from)
      .where('seq', '<', to)
      .where(isEvaluated(context))
      .where('status', '=', status)
    if (user !== null) query = query.where('user_id', '=', user)
    for (const { seq, values } of await query.execute()) {
      const answer = Object.hasOwn(values, question.name) ? values[question.name] : undefined
      if (answer !== undefined && chosenIn(answer.value as JsonValue).some((option) => options.includes(option)))
        matching.add(seq)
    }
  }
  return matching
}
