import { replacedLabels } from './question-types/label-changes.ts'

/** A label or rating of a question, or a value of a metadata property. */
export type Choice = string | number

/**
 * One rule of a condition. `in`: the answer, or the metadata, is one of these values or contains one of them. `answered`: the
 * question has an answer.
 */
export type ConditionRule =
  | { readonly question: string; readonly in: readonly Choice[] }
  | { readonly question: string; readonly answered: true }
  | { readonly metadata: string; readonly in: readonly Choice[] }
  | Condition

/**
 * With `all`, a question is shown if all rules are fulfilled. With `any`, it is shown if at least one rule is fulfilled. Rules
 * refer to earlier questions by name. An `any` without rules is never fulfilled: the question is retired.
 */
export type Condition = { readonly all: readonly ConditionRule[] } | { readonly any: readonly ConditionRule[] }

/** The condition of a question that is no longer asked. */
export const neverShown: Condition = { any: [] }

/** Whether a question is no longer asked. */
export const isRetired = ({ shown_when }: { readonly shown_when?: Condition | null | undefined }): boolean =>
  shown_when != null && 'any' in shown_when && shown_when.any.length === 0

/** How deep conditions can be nested. A condition without nested conditions has a depth of 1. */
export const maxConditionDepth = 3
/** The maximum number of rules in a condition, including nested conditions. */
export const maxConditionRules = 100

export const isGroup = (rule: ConditionRule): rule is Condition => 'all' in rule || 'any' in rule

export const rulesOf = (condition: Condition): readonly ConditionRule[] => ('all' in condition ? condition.all : condition.any)

/** The condition with the given rules instead of its own. */
export const withRules = (condition: Condition, rules: readonly ConditionRule[]): Condition =>
  'all' in condition ? { all: rules } : { any: rules }

type SimpleRule = Exclude<ConditionRule, Condition>

/** The rules of a condition and of its nested conditions, each with its path. */
export const flatRules = (
  condition: Condition,
  path = 'shown_when',
): readonly { readonly rule: SimpleRule; readonly path: string }[] => {
  const at = `${path}.${'all' in condition ? 'all' : 'any'}`
  return rulesOf(condition).flatMap((rule, i) =>
    isGroup(rule) ? flatRules(rule, `${at}[${i}]`) : [{ rule, path: `${at}[${i}]` }],
  )
}

/** Replaces or removes values in the rules that compare a question's answers. Returns the same object if no value changes. */
export const withChoices = (condition: Condition, question: string, replace: (value: Choice) => readonly Choice[]): Condition => {
  let isChanged = false
  const rules = rulesOf(condition).map((rule): ConditionRule => {
    if (isGroup(rule)) {
      const nested = withChoices(rule, question, replace)
      if (nested !== rule) isChanged = true
      return nested
    }
    if (!('question' in rule) || rule.question !== question || !('in' in rule)) return rule
    const values = [...new Set(rule.in.flatMap(replace))]
    if (values.length === rule.in.length && values.every((value, i) => value === rule.in[i])) return rule
    isChanged = true
    return { ...rule, in: values }
  })
  return isChanged ? withRules(condition, rules) : condition
}

type ConditionalQuestion = {
  readonly name: string
  readonly settings: object
  readonly shown_when?: Condition | null | undefined
}
type Values = { readonly [question: string]: { readonly value?: unknown } | undefined }
/** The part of a record's metadata that conditions can compare. */
export type ConditionMetadata = { readonly [property: string]: unknown } | null

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const contains = (wanted: readonly unknown[], value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((one) => wanted.includes(one))
    : // Integers can be stored as booleans.
      wanted.includes(typeof value === 'boolean' ? Number(value) : value)

const ownValue = <T>(object: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

const nothingHidden: ReadonlySet<string> = new Set()

export const hasConditions = (questions: readonly Pick<ConditionalQuestion, 'shown_when'>[]): boolean =>
  questions.some(({ shown_when }) => shown_when != null)

/**
 * The names of the questions that are hidden for an answer. A hidden question counts as unanswered for later questions. Labels
 * that were renamed or merged are compared by their current values.
 * @param questions all questions of the dataset, in their order
 * @param values the answer's values; values of hidden questions are ignored
 * @param metadata the record's metadata. Undefined if the metadata is unknown; rules about metadata then count as fulfilled
 * @param isUnknown whether the answer to a question is unknown. Rules about such a question count as fulfilled unless the
 * question is hidden
 */
export const hiddenQuestions = (
  questions: readonly ConditionalQuestion[],
  values: Values | null | undefined,
  metadata: ConditionMetadata | undefined,
  isUnknown: (question: string) => boolean = () => false,
): ReadonlySet<string> => {
  if (!hasConditions(questions)) return nothingHidden
  const shown = new Map<string, ConditionalQuestion>()
  const hidden = new Set<string>()
  const answerTo = (name: string): unknown => (shown.has(name) ? ownValue(values ?? {}, name)?.value : undefined)
  const isFulfilled = (rule: ConditionRule): boolean => {
    if ('all' in rule) return rule.all.every(isFulfilled)
    if ('any' in rule) return rule.any.some(isFulfilled)
    if ('metadata' in rule) return metadata === undefined || contains(rule.in, ownValue(metadata ?? {}, rule.metadata))
    if (isUnknown(rule.question)) return !hidden.has(rule.question)
    const value = answerTo(rule.question)
    if ('answered' in rule) return !isEmpty(value)
    const labels = replacedLabels(shown.get(rule.question)?.settings ?? {})
    const current = (one: unknown) => (typeof one === 'string' ? (labels.get(one) ?? one) : one)
    return contains(rule.in.map(current), Array.isArray(value) ? value.map(current) : current(value))
  }
  for (const question of questions) {
    if (question.shown_when == null || isFulfilled(question.shown_when)) shown.set(question.name, question)
    else hidden.add(question.name)
  }
  return hidden
}

/**
 * The questions for which a submitted answer can't have values. Values of retired questions stay valid, because they can arrive
 * late from devices that were offline, and scripts may still send them.
 */
export const refusedQuestions = (
  questions: readonly ConditionalQuestion[],
  values: Values | null | undefined,
  metadata: ConditionMetadata | undefined,
): ReadonlySet<string> =>
  hiddenQuestions(
    questions.map((question) => (isRetired(question) ? { ...question, shown_when: null } : question)),
    values,
    metadata,
  )

/**
 * The questions that are hidden only because they, or questions that they depend on, are retired. Returns an empty set if no
 * question is retired.
 */
export const hiddenByRetirement = (
  questions: readonly ConditionalQuestion[],
  values: Values | null | undefined,
  metadata: ConditionMetadata | undefined,
): ReadonlySet<string> =>
  questions.some(isRetired)
    ? hiddenQuestions(questions, values, metadata).difference(refusedQuestions(questions, values, metadata))
    : nothingHidden

/** The values without the values of hidden questions. Returns the same object if no question is hidden. */
export const shownValues = <T extends { readonly [question: string]: unknown }>(values: T, hidden: ReadonlySet<string>): T =>
  Object.keys(values).some((name) => hidden.has(name))
    ? (Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name))) as T)
    : values
