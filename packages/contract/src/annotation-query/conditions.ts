import { escapePart, escapeValue, unescapePart } from './escape.ts'
import type { Condition, NamedCondition, Range, SuggestionCondition } from './grammar.ts'

const number = String.raw`-?(?:\d+(?:(?:\.|!2E)\d+)?|(?:\.|!2E)\d+)(?:e[+-]?\d+)?`
const bounds = new RegExp(`^(?:ge(${number}))?(?:(?:^|\\.)le(${number}))?$`, 'i')

const printNumber = (value: number): string => String(value).replace('.', '!2E')
const readNumber = (text: string): number => Number(text.replace('!2E', '.'))

const printRange = ({ ge, le }: Range): string =>
  [ge === undefined ? null : `ge${printNumber(ge)}`, le === undefined ? null : `le${printNumber(le)}`]
    .filter((part) => part !== null)
    .join('.')

const readRange = (text: string): Range | null => {
  const match = bounds.exec(text)
  if (!match || text === '') return null
  const [, ge, le] = match
  return { kind: 'range', ...(ge !== undefined && { ge: readNumber(ge) }), ...(le !== undefined && { le: readNumber(le) }) }
}

/** Prints `v1.v2`, `operator.and.values.v1.v2` or `geX.leY`. */
const printCondition = (condition: Condition): string => {
  if (condition.kind === 'range') return printRange(condition)
  const values = condition.values.map(escapeValue).join('.')
  return condition.all ? `operator.and.values.${values}` : values
}

const readCondition = (text: string): Condition | null => {
  const range = readRange(text)
  if (range) return range
  if (text === '') return null
  const operator = /^operator\.(and|or)\.values\.(.+)$/s.exec(text)
  const values = (operator?.[2] ?? text).split('.').map(unescapePart)
  return { kind: 'terms', values, all: operator?.[1] === 'and' }
}

const isEmpty = (condition: Condition): boolean =>
  condition.kind === 'terms' ? condition.values.length === 0 : condition.ge === undefined && condition.le === undefined

const splitOnce = (text: string): [string, string] => {
  const at = text.indexOf('.')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Prints `NAME.v1.v2~NAME.geX.leY`. Conditions that restrict nothing are left out. */
export const printConditions = (conditions: readonly NamedCondition[]): string =>
  conditions
    .filter(({ condition }) => !isEmpty(condition))
    .map(({ name, condition }) => `${escapePart(name)}.${printCondition(condition)}`)
    .join('~')

export const readConditions = (text: string): readonly NamedCondition[] =>
  text.split('~').flatMap((item) => {
    const [name, rest] = splitOnce(item)
    const condition = readCondition(rest)
    return name === '' || !condition ? [] : [{ name: unescapePart(name), condition }]
  })

const printProperty = ({ property, condition }: SuggestionCondition): string =>
  property === 'value' && condition.kind === 'terms' && !condition.all
    ? `value.values.${printCondition(condition)}`
    : `${property}.${printCondition(condition)}`

/**
 * Prints each condition in one of these forms, where Q is the question's name: `Q.score.geX.leY`, `Q.value.values.v1`,
 * `Q.value.operator.and.values.v1.v2`, `Q.value.geX.leY`, `Q.agent.a1.a2`.
 */
export const printSuggestionConditions = (conditions: readonly SuggestionCondition[]): string =>
  conditions
    .filter(({ condition }) => !isEmpty(condition))
    .map((item) => `${escapePart(item.name)}.${printProperty(item)}`)
    .join('~')

const properties: readonly SuggestionCondition['property'][] = ['value', 'score', 'agent']

export const readSuggestionConditions = (text: string): readonly SuggestionCondition[] =>
  text.split('~').flatMap((item) => {
    const [name, afterName] = splitOnce(item)
    const [word, rest] = splitOnce(afterName)
    const property = properties.find((known) => known === word)
    const isValues = property === 'value' && rest.startsWith('values.')
    const condition = readCondition(isValues ? rest.slice('values.'.length) : rest)
    return name === '' || !property || !condition ? [] : [{ name: unescapePart(name), property, condition }]
  })
