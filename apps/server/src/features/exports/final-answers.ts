import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import type { GoldSource } from '@postil/contract/gold.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

/** `single`: the record has only one answer to the question. */
export type FinalAnswer = {
  readonly value: AnswerValue
  readonly source: GoldSource | 'single'
  /** The ID of the reviewer or of the only annotator. Null if several people gave the answer. */
  readonly user: string | null
}

/**
 * The final answer to a question of a record: the answer of a finished review, even if it is stale; otherwise the answer of more
 * than half of the people who answered the question; otherwise null.
 */
export const finalAnswerOf = ({ gold, responses = [] }: RecordPayload, question: string): FinalAnswer | null => {
  if (gold?.final === true) {
    const reviewed = Object.hasOwn(gold.values, question) ? gold.values[question] : undefined
    return reviewed === undefined ? null : { value: reviewed.value, source: reviewed.source, user: reviewed.by.id }
  }
  const given = responses.flatMap(({ status, values, user_id }) =>
    status === 'submitted' && Object.hasOwn(values, question) ? [{ value: values[question]!.value, user: user_id }] : [],
  )
  const [only] = given
  if (only === undefined) return null
  if (given.length === 1) return { value: only.value, source: 'single', user: only.user }
  const groups = Map.groupBy(given, ({ value }) => comparableText(value as JsonValue))
  if (groups.size === 1) return { value: only.value, source: 'unanimous', user: null }
  const majority = groups.values().find((equal) => equal.length * 2 > given.length)
  return majority === undefined ? null : { value: majority[0]!.value, source: 'majority', user: null }
}
