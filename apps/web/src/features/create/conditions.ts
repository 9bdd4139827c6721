import { type Choice, type Condition, isGroup, isRetired, rulesOf, withRules } from '@postil/contract/conditions.ts'
import type { Subjects } from '#features/conditions/public.ts'
import type { Draft, QuestionPart } from './draft.ts'

const titleOf = ({ name, title }: { readonly name: string; readonly title: string }): string => title.trim() || name.trim()

/** What the condition of a new question can refer to: the questions before it, and the metadata that annotators can see. */
export const subjectsBefore = ({ questions, properties }: Draft, { key }: QuestionPart): Subjects => ({
  questions: questions
    .slice(
      0,
      questions.findIndex((part) => part.key === key),
    )
    .map((part) => ({ name: part.name.trim(), title: titleOf(part), settings: part.settings })),
  properties: properties
    .filter(({ visible }) => visible)
    .map((part) => ({ name: part.name.trim(), title: titleOf(part), settings: part.settings })),
})

const valuesOf = ({ settings }: QuestionPart): readonly Choice[] | null =>
  'options' in settings ? settings.options.map(({ value }) => value) : null

/**
 * Returns a function that maps a question's values before a change to its values after the change. If the number of options
 * hasn't changed, the function assumes that options were renamed or moved.
 */
const replacedValue = (before: QuestionPart, next: QuestionPart): ((value: Choice) => readonly Choice[]) => {
  const [old, now] = [valuesOf(before), valuesOf(next)]
  if (old === null || now === null) return () => []
  return (value) => {
    if (now.includes(value)) return [value]
    const renamed = old.length === now.length ? now[old.indexOf(value)] : undefined
    return renamed === undefined || old.includes(renamed) ? [] : [renamed]
  }
}

type Named = { readonly key: string; readonly name: string }
/** Returns the part with this name before a change (`old`) and after it (`now`). `now` is undefined if the part was removed. */
const changeOf = <P extends Named>(before: readonly P[], next: readonly P[], name: string) => {
  const old = before.find((part) => part.name.trim() === name)
  return old && { old, now: next.find(({ key }) => key === old.key) }
}

const conditionAfter = (condition: Condition, before: Draft, next: Draft): Condition | null => {
  if (isRetired({ shown_when: condition })) return condition
  const rules = rulesOf(condition).flatMap((rule): readonly (typeof rule)[] => {
    if (isGroup(rule)) return [conditionAfter(rule, before, next)].filter((one) => one !== null)
    if ('metadata' in rule) {
      const change = changeOf(before.properties, next.properties, rule.metadata)
      if (change === undefined) return [rule]
      return change.now === undefined ? [] : [{ ...rule, metadata: change.now.name.trim() }]
    }
    const change = changeOf(before.questions, next.questions, rule.question)
    if (change === undefined) return [rule]
    const { old, now } = change
    if (now === undefined) return []
    const question = now.name.trim()
    if (old.settings === now.settings) return [{ ...rule, question }]
    if ('in' in rule && valuesOf(now) !== null) return [{ question, in: [...new Set(rule.in.flatMap(replacedValue(old, now)))] }]
    return [{ question, answered: true }]
  })
  return rules.length === 0 ? null : withRules(condition, rules)
}

/**
 * Adapts the conditions under which questions are shown after the draft was changed. If a question, property or label was
 * renamed, the conditions get the new name. If one was removed, the rules that refer to it are removed.
 * @returns the changed draft with these conditions
 */
export const withFittingConditions = (before: Draft, next: Draft): Draft => {
  if (before.questions === next.questions && before.properties === next.properties) return next
  if (next.questions.every(({ shown_when }) => !shown_when)) return next
  return {
    ...next,
    questions: next.questions.map((part) => {
      if (!part.shown_when) return part
      const { shown_when, ...rest } = part
      const condition = conditionAfter(shown_when, before, next)
      return condition === null ? rest : { ...rest, shown_when: condition }
    }),
  }
}
