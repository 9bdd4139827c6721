import type { AnswerValue } from '#answer-value.ts'
import type { QuestionSettings } from './index.ts'

type Question = { readonly name: string; readonly settings: QuestionSettings }
type Values<V> = { readonly [question: string]: V }

/**
 * Replaces labels in the values of an answer. Returns the same object if nothing changes.
 * @param replace must return the same value if no label changes
 */
export const withLabels = <V extends { readonly value: unknown }, T extends Values<V>>(
  values: T & Values<V>,
  questions: readonly Question[],
  replace: (value: AnswerValue, settings: QuestionSettings, question: string) => AnswerValue,
): T => {
  const changed: [string, V][] = []
  for (const { name, settings } of questions) {
    const answer = Object.hasOwn(values, name) ? values[name] : undefined
    if (answer === undefined) continue
    const value = replace(answer.value as AnswerValue, settings, name)
    if (value !== answer.value) changed.push([name, { ...answer, value }])
  }
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
}
