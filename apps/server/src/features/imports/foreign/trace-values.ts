import { isJsonObject } from '@postil/contract/wire/json.ts'
import type { RowTimes } from '#platform/original-row.ts'
import { parseRelaxed } from '../reading/json-rows.ts'
import { fieldOf } from './chats.ts'
import type { Annotation, FieldKind, ForeignComment, Item, Part, Question, Suggested, Values } from './define.ts'
import { isFilled, isText, unfolded } from './values.ts'

export type LeftOut = NonNullable<Item['leftOut']>[number]
type Field = readonly [name: string, value: unknown, kind: FieldKind]

/** Parses lists and objects in table cells, which contain them as JSON or as printed by Python. Keeps all other values. */
export const parsed = (value: unknown): unknown => {
  if (!isText(value) || !/^\s*[[{]/.test(value)) return value
  try {
    return parseRelaxed(value)
  } catch {
    return value
  }
}

/**
 * Converts an input or output to fields. A conversation or a single string becomes one field. The texts and conversations in an
 * object become one field each. `data` contains the other parts of the object.
 */
const fieldsIn = (name: string, sent: unknown): { readonly fields: readonly Field[]; readonly data: readonly Part[] } => {
  const value = parsed(sent)
  if (!isFilled(value)) return { fields: [], data: [] }
  const whole = fieldOf(isJsonObject(value) && isFilled(value['messages']) ? value['messages'] : value)
  if (whole !== null) return { fields: [[name, ...whole]], data: [] }
  const single = isJsonObject(value) && isText(value['role']) ? fieldOf([value]) : null
  if (single !== null) return { fields: [[name, ...single]], data: [] }
  if (isJsonObject(value)) {
    const parts = unfolded(value, `${name}.`)
    const isField = ([, one]: Part) => fieldOf(one) !== null
    const fields = parts.filter(isField).flatMap(([part, one]): readonly Field[] => {
      const field = fieldOf(one)
      return field === null ? [] : [[part, ...field]]
    })
    return { fields, data: parts.filter((part) => !isField(part)) }
  }
  return { fields: [[name, typeof value === 'object' ? JSON.stringify(value) : String(value), 'text']], data: [] }
}

/**
 * The fields of a row. A column that contains an object can become several fields. Values of the object that can't become fields,
 * such as numbers, are returned in `data`.
 * @param names the columns of each field. The first column with a value is used
 */
export const allFields = (row: Values, names: readonly (readonly [field: string, columns: readonly string[]])[]) => {
  const found = names.map(([field, columns]) => fieldsIn(field, columns.map((name) => row.get(name)).find(isFilled)))
  return { fields: found.flatMap(({ fields }) => fields), data: found.flatMap(({ data }) => data) }
}

export const idOf = (row: Values, names: readonly string[]): Pick<Item, 'id'> => {
  const id = names.map((name) => row.get(name)).find((one) => typeof one === 'number' || (isText(one) && one !== ''))
  return typeof id === 'string' || typeof id === 'number' ? { id } : {}
}

export const metadataIn = (value: unknown): readonly Part[] => {
  const object = parsed(value)
  return isJsonObject(object) ? unfolded(object) : []
}

/** Converts a numeric result. A whole number from 0 to 10 becomes a rating. Any other number becomes text. */
export const ofNumber = (value: number): Suggested =>
  Number.isInteger(value) && value >= 0 && value <= 10
    ? {
        kind: 'rating',
        value,
        labels: Array.from({ length: 11 }, (_, i) => String(i)).slice(value === 0 ? 0 : 1, Math.max(6, value + 1)),
      }
    : { kind: 'text', value: String(value), labels: [] }

export const ofLabel = (value: string, labels: readonly string[] = [value]): Suggested => ({
  kind: 'label_selection',
  value,
  labels,
})

/**
 * A value that a person, a model or a program gave to a trace. `person` is null for models and programs. `remark`: the person's
 * comment on the value.
 */
export type Result = {
  readonly person: string | null
  readonly question: Question
  readonly times?: RowTimes | undefined
  readonly remark?: string | undefined
}

/** The time of a person's first result, and the time of the person's last change. */
const timesOf = (results: readonly Result[]): RowTimes | undefined => {
  const times = results.flatMap((one) => one.times ?? [])
  if (times.length === 0) return undefined
  return {
    inserted_at: Math.min(...times.map((one) => one.inserted_at)),
    updated_at: Math.max(...times.map((one) => one.updated_at)),
  }
}

/**
 * Returns people's results as annotations, one for each person, with comments. Returns the results of models and programs as
 * suggestions.
 */
export const collect = (results: readonly Result[]): Required<Pick<Item, 'annotations' | 'questions' | 'comments'>> => {
  const people = Map.groupBy(
    results.filter(({ person }) => person !== null),
    ({ person }) => person ?? '',
  )
  const named = (list: readonly Question[]): readonly Question[] => [...new Map(list.map((one) => [one[0], one])).values()]
  return {
    annotations: [...people].map(
      ([annotator, list]): Annotation => ({
        annotator,
        status: 'submitted',
        questions: named(list.map(({ question }) => question)),
        times: timesOf(list),
      }),
    ),
    questions: named(results.flatMap(({ person, question }) => (person === null ? [question] : []))),
    comments: results.flatMap(({ person, question: [question], remark, times }): readonly ForeignComment[] =>
      person === null || remark === undefined
        ? []
        : [{ author: person, text: remark, at: times?.updated_at, about: { question, span: null } }],
    ),
  }
}
