import type { AnswerValues } from '@postil/contract/answer-value.ts'
import { hasConditions } from '@postil/contract/conditions.ts'
import type { QuestionRules } from '@postil/contract/question-types/define.ts'
import { currentAnswerValue, questionTypeOf } from '@postil/contract/question-types/index.ts'
import { type AnsweredRecord, checkResponse } from '@postil/contract/record-rules.ts'
import type { RecordResponse } from '@postil/contract/responses.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import type { Db } from '#platform/db/db.ts'
import { holdUsers } from '#platform/db/locks.ts'
import { isUnchanged } from '../kept-parts.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeQuestion } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { loadAnswers } from '../stored-answers.ts'

const IDS_PER_BATCH = 500

/** An answer inside a record. */
export type SentResponse = SentAnswer & { readonly user_id: string }

/** The existing users among the authors of answers, by ID, and whether each is an agent. */
export type KnownUsers = ReadonlyMap<string, { readonly is_agent: boolean }>

/** Returns those of the given users that exist. Until the command ends, these users can't be deleted or become agents. */
export const knownUsers = async (db: Db, ids: readonly string[]): Promise<KnownUsers> => {
  const wanted = [...new Set(ids)].sort()
  const found = new Map<string, { readonly is_agent: boolean }>()
  await holdUsers(db, wanted)
  for (let from = 0; from < wanted.length; from += IDS_PER_BATCH) {
    const rows = await db.sql
      .selectFrom('users')
      .select(['id', 'is_agent'])
      .where('id', 'in', wanted.slice(from, from + IDS_PER_BATCH))
      .execute()
    for (const { id, is_agent } of rows) found.set(id, { is_agent })
  }
  return found
}

/** Returns why a user can't be the author of an answer, or null. */
export const authorFault = (userId: string, users: KnownUsers): Reason | null => {
  const user = users.get(userId)
  if (user === undefined) return `User with id=${userId} not found`
  return user.is_agent ? `User with id=${userId} is an agent, and agents cannot have answers` : null
}

/**
 * Returns the reason for the first fault in the answers inside a record, or null.
 * @param users the result of `knownUsers`
 * @param record the record's content as it will be stored
 */
export const recordResponsesFault = (
  responses: readonly SentResponse[],
  questions: readonly ScopeQuestion[],
  record: AnsweredRecord,
  users: KnownUsers,
): Reason | null => {
  for (const { user_id, status, values, suggestion_outcomes } of responses) {
    const fault = authorFault(user_id, users) ?? checkResponse(values, status, questions, record, suggestion_outcomes)
    if (fault !== null) return fault
  }
  return null
}

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
 * Adds missing parts to the answers in a bulk request. The parts come from the stored answers. They can be missing because some
 * clients read records and send them back, but can't represent all parts of an answer. Must be called inside a command that has
 * locked the records.
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
    if (mergeWithCurrent !== undefined)
      rules.set(name, (sent, current) => mergeWithCurrent(currentAnswerValue(sent, settings), current))
  }
  const isConditional = hasConditions(questions)
  if (rules.size === 0 && !isConditional) return items
  const seqs = items.flatMap((item) => (item.responses.length === 0 ? [] : (seqOf(item) ?? [])))
  const stored = await loadAnswers(db, datasetNo, [...new Set(seqs)])
  return items.map((item) => {
    const current = stored.get(seqOf(item) ?? -1)?.responses
    if (current === undefined || current.size === 0) return item
    const responses = item.responses.map((sent) => resolveSent(sent, current.get(sent.user_id), rules))
    // Answers that were given before a condition was set may violate it. They aren't checked if they are sent back unchanged.
    const isKept = (sent: RecordResponse) => !isConditional || !isUnchanged(current.get(sent.user_id) ?? null, sent)
    return { ...item, responses: responses.filter(isKept) }
  })
}
