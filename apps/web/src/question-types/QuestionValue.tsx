import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { QuestionOf, ValueOf } from './define.ts'
import { questionSlice } from './registry.ts'
import { valueText } from './value-text.ts'

type Props = {
  readonly question: Question
  /** The record's fields, keyed by name. */
  readonly fields: JsonObject
  readonly value: unknown
  /** Another answer to the same question. Parts of `value` that the other answer doesn't contain are marked. */
  readonly other?: unknown
  /** Whether the value is one of several values that are compared. If so, its context in the record is also shown. */
  readonly isCompared?: boolean
}

/** A value as its question shows it. If the question's settings no longer allow it, it is shown as text. */
export const QuestionValue = ({ question, fields, value, other, isCompared = false }: Props) => {
  const { Value, ValueInContext, rules } = questionSlice(question.settings)
  const isValid = (one: unknown): boolean =>
    rules.check(one as AnswerValue, { settings: question.settings, submitted: false, fields }) === null
  if (!isValid(value)) return <bdi>{valueText(question, value)}</bdi>
  const Shown = (isCompared && ValueInContext) || Value
  return (
    <Shown
      question={question as QuestionOf<QuestionKind>}
      value={value as ValueOf[QuestionKind]}
      fields={fields}
      {...(other !== undefined && isValid(other) && { other: other as ValueOf[QuestionKind] })}
    />
  )
}
