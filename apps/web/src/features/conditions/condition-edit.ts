import {
  type Choice,
  type Condition,
  type ConditionRule,
  flatRules,
  isGroup,
  maxConditionDepth,
  rulesOf,
  withRules,
} from '@postil/contract/conditions.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { MetadataSettings } from '@postil/contract/metadata-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import { questionSlice } from '#question-types/registry.ts'

export type SimpleRule = Exclude<ConditionRule, Condition>

type SubjectQuestion = Pick<Question, 'name' | 'title' | 'settings'>
type SubjectProperty = Pick<MetadataProperty, 'name' | 'title'> & {
  /** Only a stored property has bounds and terms. */
  readonly settings: { readonly type: MetadataKind } | MetadataSettings
}

/** What the condition of a question can refer to. */
export type Subjects = {
  /** The questions before it, in their order. */
  readonly questions: readonly SubjectQuestion[]
  /** The metadata properties that annotators can see. */
  readonly properties: readonly SubjectProperty[]
}

export const hasSubjects = ({ questions, properties }: Subjects): boolean => questions.length + properties.length > 0

export type ChoiceOption = { readonly value: Choice; readonly text: string }

type Options = {
  readonly options?: readonly { readonly value: Choice; readonly text?: string }[]
  readonly retired?: readonly string[]
}

/**
 * The labels or ratings of a question, from which users choose when they write a rule about its answers. Null for other types of
 * questions.
 */
export const choicesOf = ({ settings }: Pick<Question, 'settings'>): readonly ChoiceOption[] | null => {
  if (questionSlice(settings).rules.hasChoices !== true) return null
  const { options = [] } = settings as Options
  return options.map(({ value, text }) => ({ value, text: text ?? String(value) }))
}

/** Returns the property's terms as choices for rules about metadata. Null if users have to type the terms. */
export const termsOf = ({ settings }: Pick<SubjectProperty, 'settings'>): readonly ChoiceOption[] | null => {
  if (settings.type !== 'terms' || !('values' in settings) || settings.values === null) return null
  return settings.values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [{ value, text: String(value) }] : [],
  )
}

/** Reads values that are separated by commas. For numeric properties, values that aren't numbers are left out. */
export const parseValues = (text: string, { settings }: Pick<SubjectProperty, 'settings'>): readonly Choice[] => {
  const texts = text.split(',').flatMap((one) => one.trim() || [])
  if (settings.type === 'terms') return [...new Set(texts)]
  return [...new Set(texts.map(Number).filter(Number.isFinite))]
}

/** A new rule about the preceding question or, if there is none, about the first property. */
export const newRule = ({ questions, properties }: Subjects): SimpleRule => {
  const question = questions.at(-1)
  if (question !== undefined) return ruleAbout(question)
  return { metadata: properties[0]?.name ?? '', in: [] }
}

/** A rule about a question, without values. */
export const ruleAbout = (question: SubjectQuestion): SimpleRule =>
  choicesOf(question) === null ? { question: question.name, answered: true } : { question: question.name, in: [] }

export const canNest = (depth: number): boolean => depth < maxConditionDepth

/** Returns the condition with the rule at a position replaced or, if `rule` is null, removed. Returns null if no rule is left. */
export const withRule = (condition: Condition, at: number, rule: ConditionRule | null): Condition | null => {
  const rules = rule === null ? rulesOf(condition).toSpliced(at, 1) : rulesOf(condition).with(at, rule)
  return rules.length === 0 ? null : withRules(condition, rules)
}

/** Whether a rule of the condition has no values yet. */
export const isIncomplete = (condition: Condition | null): boolean =>
  condition !== null && flatRules(condition).some(({ rule }) => 'in' in rule && rule.in.length === 0)

type Words = {
  readonly is: (values: { readonly subject: string; readonly value: string }) => string
  readonly isAnswered: (values: { readonly subject: string }) => string
  readonly and: string
  readonly or: string
}

const textOfRule = (rule: SimpleRule, { questions, properties }: Subjects, words: Words): string => {
  const subject =
    'metadata' in rule
      ? (properties.find(({ name }) => name === rule.metadata)?.title ?? rule.metadata)
      : (questions.find(({ name }) => name === rule.question)?.title ?? rule.question)
  if ('answered' in rule) return words.isAnswered({ subject })
  const question = 'question' in rule ? questions.find(({ name }) => name === rule.question) : undefined
  const options = question === undefined ? null : choicesOf(question)
  const textOf = (value: Choice) => options?.find((option) => option.value === value)?.text ?? String(value)
  return words.is({ subject, value: rule.in.map(textOf).join(` ${words.or} `) })
}

/** The condition in words, such as “Tone is negative and Language is de”. */
export const conditionText = (condition: Condition, subjects: Subjects, words: Words): string => {
  const rules = rulesOf(condition)
  const texts = rules.map((rule) => {
    if (!isGroup(rule)) return textOfRule(rule, subjects, words)
    const text = conditionText(rule, subjects, words)
    return rules.length > 1 && rulesOf(rule).length > 1 ? `(${text})` : text
  })
  return texts.join(` ${'all' in condition ? words.and : words.or} `)
}

export type QuestionNode = { readonly question: Question; readonly children: readonly QuestionNode[] }

/** The questions as a tree. Each question is below the last question that its condition refers to. */
export const dependencyTree = (questions: readonly Question[]): readonly QuestionNode[] => {
  const parentOf = ({ shown_when }: Question): string | null => {
    const names = new Set(
      shown_when ? flatRules(shown_when).flatMap(({ rule }) => ('question' in rule ? [rule.question] : [])) : [],
    )
    return questions.findLast(({ name }) => names.has(name))?.name ?? null
  }
  const below = (parent: string | null): readonly QuestionNode[] =>
    questions
      .filter((question) => parentOf(question) === parent)
      .map((question) => ({ question, children: below(question.name) }))
  return below(null)
}
