import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { QuestionRules } from '@postil/contract/question-types/define.ts'
import { questionTypeOf } from '@postil/contract/question-types/index.ts'
import type { RecordResponse } from '@postil/contract/responses.ts'
import type { Db } from '#platform/db/db.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeQuestion } from '../scope.ts'
import { storedBySeq } from './bulk-store.ts'

type MergeRule = NonNullable<QuestionRules<never>['mergeWithCurrent']>

const resolveSent = (
  sent: RecordResponse,
  current: StoredResponse | undefined,
  rules: ReadonlyMap<string, MergeRule>,
): RecordResponse => {
  if (current === undefined || !sent.values) return sent
  const values: AnswerValues = Object.fromEntries(
    Object.entries(sent.values).map(([name, { value }]) => [
      name,
      { value: rules.get(name)?.(value, current.values[name]?.value) ?? value },
    ]),
  )
  return { ...sent, values }
}

/**
 * Completes a bulk's answers using the stored answers, because clients that read records and send them back can't represent all
 * parts of an answer. Must be called inside a command that has locked the records.
 * @param seqOf the `seq` of the item's record; null for a new record
 */
export const resolveSentAnswers = async <T extends { readonly responses: readonly RecordResponse[] }>(
  db: Db,
  { datasetNo, questions }: { readonly datasetNo: number; readonly questions: readonly ScopeQuestion[] },
  items: readonly T[],
  seqOf: (item: T) => number | null,
): Promise<readonly T[]> => {
  const rules = new Map<string, MergeRule>()
  for (const { name, settings } of questions) {
    const { mergeWithCurrent } = questionTypeOf(settings).rules
    if (mergeWithCurrent !== undefined) rules.set(name, mergeWithCurrent)
  }
  if (rules.size === 0) return items
  const seqs = items.flatMap((item) => (item.responses.length === 0 ? [] : (seqOf(item) ?? [])))
  const stored = await storedBySeq(db, datasetNo, [...new Set(seqs)])
  return items.map((item) => {
    const current = stored.get(seqOf(item) ?? -1)
    if (current === undefined || current.length === 0) return item
    const byUser = new Map(current.map((response) => [response.user_id, response]))
    return { ...item, responses: item.responses.map((sent) => resolveSent(sent, byUser.get(sent.user_id), rules)) }
  })
}
