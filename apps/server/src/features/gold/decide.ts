import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import {
  type Condition,
  type ConditionMetadata,
  hiddenQuestions,
  refusedQuestions,
  shownValues,
} from '@postil/contract/conditions.ts'
import type { GoldSource } from '@postil/contract/gold.ts'
import type { GoldRule } from '@postil/contract/gold-rules.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import type { StoredGold } from './rows.ts'
import type { GoldChange } from './write.ts'

export type Rule = {
  readonly rule: GoldRule
  /** How many answers a question needs. */
  readonly min: number
  /**
   * A value becomes final only if its share of the answers, or its probability, is greater than this. Not used for `unanimous`.
   */
  readonly share: number
}
export type Decision = { readonly value: AnswerValue; readonly source: GoldSource }

/** An annotator's answer to one question about a record. */
export type GivenAnswer = { readonly user_id: string; readonly value: AnswerValue }

/** The final answer that the annotators agree on. Null if they don't agree as the rule requires. Ties stay undecided. */
export const decide = (values: readonly AnswerValue[], { rule, min, share }: Rule): Decision | null => {
  if (values.length < Math.max(min, 1)) return null
  const groups = [...Map.groupBy(values, (value) => comparableText(value as JsonValue)).values()]
  const [first, second] = groups.toSorted((a, b) => b.length - a.length)
  if (first?.[0] === undefined) return null
  const [value] = first
  if (second === undefined) return { value, source: values.length === 1 ? 'accepted' : 'unanimous' }
  const isMajority = first.length > second.length && first.length / values.length > share
  return rule === 'majority' && isMajority ? { value, source: 'majority' } : null
}

type Question = {
  readonly name: string
  readonly required: boolean
  readonly settings: QuestionSettings
  readonly shown_when: Condition | null
}
type Record = {
  /** The submitted answers. */
  readonly answers: readonly { readonly user_id: string; readonly values: ResponseValues }[]
  readonly gold: StoredGold | null
  /** Only needed if a condition refers to the metadata. */
  readonly metadata: ConditionMetadata
}
type Decider = {
  readonly decideOne: (question: string, given: readonly GivenAnswer[]) => Decision | null
  readonly by: string
  readonly at: Micros
}

/**
 * Applies a rule to the questions of a record. Keeps existing final answers, and skips questions that these answers hide. The
 * record is final if every question has a final answer. Questions that are optional and have no answers don't need one.
 */
export const decideRecord = (
  questions: readonly Question[],
  { answers, gold, metadata }: Record,
  { decideOne, by, at }: Decider,
): Pick<GoldChange, 'values' | 'final'> & { readonly isChanged: boolean } => {
  const values: { [question: string]: StoredGold['values'][string] } = { ...gold?.values }
  let isChanged = false
  const open: string[] = []
  for (const { name, required } of questions) {
    if (Object.hasOwn(values, name) || hiddenQuestions(questions, values, metadata).has(name)) continue
    const given = answers.flatMap(({ user_id, values: all }) =>
      Object.hasOwn(all, name) ? [{ user_id, value: all[name]?.value as AnswerValue }] : [],
    )
    const decision = decideOne(name, given)
    if (decision !== null) {
      values[name] = { ...decision, reason: null, note: null, by, at }
      isChanged = true
    } else if (required || given.length > 0) open.push(name)
  }
  const final = open.length === 0
  // Only drafts keep values of hidden questions.
  return { values: final ? shownValues(values, refusedQuestions(questions, values, metadata)) : values, final, isChanged }
}
