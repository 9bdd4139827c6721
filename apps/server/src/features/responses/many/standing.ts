import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { QuestionRules } from '@postil/contract/question-types/define.ts'
import { questionRules } from '@postil/contract/question-types/rules.ts'
import type { RecordResponse } from '@postil/contract/responses.ts'
import type { Db } from '#platform/db/db.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeQuestion } from '../scope.ts'
import { storedBySeq } from './bulk-store.ts'

type BesideStanding = NonNullable<QuestionRules<never>['besideStanding']>

const asMeant = (
  sent: RecordResponse,
  standing: StoredResponse | undefined,
  rules: ReadonlyMap<string, BesideStanding>,
): RecordResponse => {
  if (standing === undefined || !sent.values) return sent
  const values: AnswerValues = Object.fromEntries(
    Object.entries(sent.values).map(([name, { value }]) => [
      name,
      { value: rules.get(name)?.(value, standing.values[name]?.value) ?? value },
    ]),
  )
  return { ...sent, values }
}

/**
 * The answers of a bulk as they are meant beside those that stand: clients that read records and send them back cannot say all that an
 * answer says. Inside a command that holds the records.
 * @param seqOf the place of the record that an item is about; null for a new one
 */
export const answersAsMeant = async <T extends { readonly responses: readonly RecordResponse[] }>(
  db: Db,
  { datasetNo, questions }: { readonly datasetNo: number; readonly questions: readonly ScopeQuestion[] },
  items: readonly T[],
  seqOf: (item: T) => number | null,
): Promise<readonly T[]> => {
  const rules = new Map<string, BesideStanding>()
  for (const { name, settings } of questions) {
    const { besideStanding } = questionRules[settings.type]
    if (besideStanding !== undefined) rules.set(name, besideStanding)
  }
  if (rules.size === 0) return items
  const seqs = items.flatMap((item) => (item.responses.length === 0 ? [] : (seqOf(item) ?? [])))
  const stored = await storedBySeq(db, datasetNo, [...new Set(seqs)])
  return items.map((item) => {
    const standing = stored.get(seqOf(item) ?? -1)
    if (standing === undefined || standing.length === 0) return item
    const byUser = new Map(standing.map((response) => [response.user_id, response]))
    return { ...item, responses: item.responses.map((sent) => asMeant(sent, byUser.get(sent.user_id), rules)) }
  })
}
