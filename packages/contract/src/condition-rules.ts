import {
  type Choice,
  type Condition,
  type ConditionRule,
  flatRules,
  maxConditionDepth,
  maxConditionRules,
  withChoices,
} from './conditions.ts'
import { type MetadataSettings, metadataType } from './metadata-types/index.ts'
import { type QuestionSettings, questionTypeOf } from './question-types/index.ts'
import { replacedLabels } from './question-types/label-changes.ts'
import { notAnOption, optionValues, type WithOptions } from './question-types/option-values.ts'
import { isJsonObject, type JsonObject, textFault } from './wire/json.ts'
import { message, type Reason } from './wire/message.ts'
import { maxNameLength, nameText } from './wire/name-text.ts'
import { Fault, missing, notDictionary, scalar, valueError } from './wire/scalar.ts'

const maxChoices = 1000

const toList = (value: unknown, key: string, max: number, isEmptyAllowed = false): readonly unknown[] | Fault => {
  if (!Array.isArray(value)) return new Fault('list_type', 'Input should be a valid list', [key])
  if (value.length === 0 && !isEmptyAllowed) return new Fault('too_short', 'List should have at least 1 item', [key])
  return value.length > max ? new Fault('too_long', `List should have at most ${max} items`, [key]) : value
}

const toChoices = (value: unknown): readonly Choice[] | Fault => {
  const list = toList(value, 'in', maxChoices)
  if (list instanceof Fault) return list
  for (const [i, item] of list.entries()) {
    if (typeof item === 'number' && Number.isFinite(item)) continue
    if (typeof item !== 'string') return valueError('Input should be a string or a number', ['in', i])
    const fault = textFault(item)
    if (fault !== null) return valueError(fault, ['in', i])
  }
  // The loop has checked each item.
  return [...new Set(list as readonly Choice[])]
}

const below = ({ type, reason, path }: Fault, ...start: (string | number)[]) => new Fault(type, reason, [...start, ...path])

const kinds = ['all', 'any', 'question', 'metadata'] as const

const oneKeyOf = <K extends string>(value: object, keys: readonly K[]): K | Fault => {
  const [found, ...others] = keys.filter((key) => Object.hasOwn(value, key))
  if (found !== undefined && others.length === 0) return found
  return valueError(`Input should have exactly one of the keys ${keys.join(', ')}`)
}

const unknownKey = (value: object, known: readonly string[]): Fault | null => {
  const key = Object.keys(value).find((one) => !known.includes(one))
  return key === undefined ? null : new Fault('extra_forbidden', 'Extra inputs are not permitted', [key])
}

/** The number of rules that a condition may still have. Decreases while the condition is read. */
type Left = { rules: number }

const toSimpleRule = (value: object, key: 'question' | 'metadata'): ConditionRule | Fault => {
  const test = oneKeyOf(value, key === 'question' ? ['in', 'answered'] : ['in'])
  if (test instanceof Fault) return test
  const extra = unknownKey(value, [key, test])
  if (extra !== null) return extra
  const name = nameText(Reflect.get(value, key), [key])
  if (name instanceof Fault) return name
  const given: unknown = Reflect.get(value, test)
  if (test === 'answered')
    return given === true ? { question: name, answered: true } : new Fault('literal_error', 'Input should be true', [test])
  const choices = toChoices(given)
  if (choices instanceof Fault) return choices
  return key === 'question' ? { question: name, in: choices } : { metadata: name, in: choices }
}

const toRule = (value: unknown, depth: number, left: Left): ConditionRule | Fault => {
  if (!isJsonObject(value)) return notDictionary()
  const key = oneKeyOf(value, kinds)
  if (key instanceof Fault) return key
  return key === 'all' || key === 'any' ? toGroup(value, depth, left) : toSimpleRule(value, key)
}

const toGroup = (value: JsonObject, depth: number, left: Left): Condition | Fault => {
  const key = oneKeyOf(value, ['all', 'any'])
  if (key instanceof Fault) return key
  const extra = unknownKey(value, [key])
  if (extra !== null) return extra
  if (depth > maxConditionDepth) return valueError(`Conditions can be nested at most ${maxConditionDepth} levels deep`)
  // An empty `any` is allowed only at the top level. It is never fulfilled, which means that the question is retired.
  const list = toList(value[key], key, maxConditionRules, key === 'any' && depth === 1)
  if (list instanceof Fault) return list
  left.rules -= list.length
  if (left.rules < 0) return new Fault('too_long', `A condition can have at most ${maxConditionRules} rules`, [key])
  const rules: ConditionRule[] = []
  for (const [i, item] of list.entries()) {
    const rule = toRule(item, depth + 1, left)
    if (rule instanceof Fault) return below(rule, key, i)
    rules.push(rule)
  }
  return key === 'all' ? { all: rules } : { any: rules }
}

const toCondition = (value: unknown): Condition | Fault => {
  if (value === undefined) return missing()
  return isJsonObject(value) ? toGroup(value, 1, { rules: maxConditionRules }) : notDictionary()
}

const choicesJson = { type: 'array', minItems: 1, maxItems: maxChoices, items: { type: ['string', 'number'] } }
const nameJson = { type: 'string', minLength: 1, maxLength: maxNameLength }
const ruleJson = (properties: { readonly [key: string]: object }) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const simpleJson = [
  ruleJson({ question: nameJson, in: choicesJson }),
  ruleJson({ question: nameJson, answered: { const: true } }),
  ruleJson({ metadata: nameJson, in: choicesJson }),
]
const groupJson = (depth: number): { readonly anyOf: readonly object[] } => {
  const items = { anyOf: [...simpleJson, ...(depth < maxConditionDepth ? groupJson(depth + 1).anyOf : [])] }
  const rules = { type: 'array', minItems: 1, maxItems: maxConditionRules, items }
  return { anyOf: [ruleJson({ all: rules }), ruleJson({ any: depth === 1 ? { ...rules, minItems: 0 } : rules })] }
}

/** The condition under which a question is shown. `conditionFault` checks whether its names and values exist. */
export const ConditionSchema = scalar<Condition>(groupJson(1), toCondition)

type NamedQuestion = { readonly name: string; readonly settings: QuestionSettings }
type NamedProperty = { readonly name: string; readonly settings: MetadataSettings; readonly visible_for_annotators: boolean }

/** The parts of a dataset that are needed to check the condition of a question. */
export type ConditionParts = {
  /** The questions before the one that has the condition, in their order. */
  readonly earlier: readonly NamedQuestion[]
  /** The names of the question itself and of the later questions. The condition can't refer to these questions. */
  readonly others: readonly string[]
  readonly properties: readonly NamedProperty[]
}

type SimpleRule = Exclude<ConditionRule, Condition>

const questionFault = (rule: Extract<SimpleRule, { question: string }>, { earlier, others }: ConditionParts): Reason | null => {
  const { question: name } = rule
  const question = earlier.find((one) => one.name === name)
  if (question === undefined) return message(others.includes(name) ? 'conditionLater' : 'conditionNoQuestion', { name })
  if ('answered' in rule) return null
  const { settings } = question
  if (questionTypeOf(settings).rules.hasChoices !== true) return message('conditionNoChoices', { name })
  // Each type with choices has options.
  const { options } = settings as WithOptions
  const current = rule.in.map((value) => currentChoice(value, settings))
  const unknown = current.find((value) => !optionValues(options).has(value))
  return unknown === undefined ? null : notAnOption(unknown, options)
}

const propertyFault = ({ metadata: name, in: values }: Extract<SimpleRule, { metadata: string }>, parts: ConditionParts) => {
  const property = parts.properties.find((one) => one.name === name)
  if (property === undefined) return message('conditionNoProperty', { name })
  // Without the metadata, the web app can't decide whether the question is shown.
  if (!property.visible_for_annotators) return message('conditionPropertyHidden', { name })
  for (const value of values) {
    const fault = metadataType(property.settings.type).check(value, property.settings)
    if (fault !== null) return message('propertyFault', { property: name }, fault)
  }
  return null
}

/** The reason why a question can't have this condition, or null. It names the question and the path inside the condition. */
export const conditionFault = (question: string, condition: Condition, parts: ConditionParts): Reason | null => {
  for (const { rule, path } of flatRules(condition)) {
    const fault = 'metadata' in rule ? propertyFault(rule, parts) : questionFault(rule, parts)
    if (fault !== null) return message('conditionFault', { question, path }, fault)
  }
  return null
}

const currentChoice = (value: Choice, settings: QuestionSettings): Choice =>
  typeof value === 'string' ? (replacedLabels(settings).get(value) ?? value) : value

/** The condition with the current labels, for clients that don't know yet that labels were renamed or merged. */
export const withCurrentChoices = (condition: Condition, questions: readonly NamedQuestion[]): Condition =>
  questions.reduce((one, { name, settings }) => withChoices(one, name, (value) => [currentChoice(value, settings)]), condition)
