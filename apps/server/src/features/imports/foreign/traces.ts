import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { fieldOf } from './chats.ts'
import type { Annotation, FieldKind, ForeignReader, Item, Part, Question, Suggested, Values } from './define.ts'
import { agentName, isFilled, isObjects, isText, textIn, unfolded } from './values.ts'

type LeftOut = NonNullable<Item['leftOut']>[number]
type Field = readonly [name: string, value: unknown, kind: FieldKind]

const parsed = (value: unknown): unknown => {
  if (!isText(value) || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/** An input or output as fields: a conversation, a text, or the texts of an object by name. */
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

const allFields = (row: Values, names: readonly (readonly [field: string, columns: readonly string[]])[]) => {
  const found = names.map(([field, columns]) => fieldsIn(field, columns.map((name) => row.get(name)).find(isFilled)))
  return { fields: found.flatMap(({ fields }) => fields), data: found.flatMap(({ data }) => data) }
}

const idOf = (row: Values, names: readonly string[]): Pick<Item, 'id'> => {
  const id = names.map((name) => row.get(name)).find((one) => typeof one === 'number' || (isText(one) && one !== ''))
  return typeof id === 'string' || typeof id === 'number' ? { id } : {}
}

const metadataIn = (value: unknown): readonly Part[] => {
  const object = parsed(value)
  return isJsonObject(object) ? unfolded(object) : []
}

/** A numeric result. Whole numbers of a usual scale become a rating, all others a text. */
const ofNumber = (value: number): Suggested =>
  Number.isInteger(value) && value >= 0 && value <= 10
    ? {
        kind: 'rating',
        value,
        labels: Array.from({ length: 11 }, (_, i) => String(i)).slice(value === 0 ? 0 : 1, Math.max(6, value + 1)),
      }
    : { kind: 'text', value: String(value), labels: [] }

const ofLabel = (value: string, labels: readonly string[] = [value]): Suggested => ({ kind: 'label_selection', value, labels })

/** Results of people are annotations, one for each person. Those of models and programs become suggestions. */
const collect = (results: readonly { readonly person: string | null; readonly question: Question }[]) => {
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
      }),
    ),
    questions: named(results.flatMap(({ person, question }) => (person === null ? [question] : []))),
  }
}

/** A score of Langfuse. Null if it has no value. */
const langfuseScore = (score: JsonObject): { readonly person: string | null; readonly question: Question } | null => {
  const { name, value, stringValue, string_value: text = stringValue, dataType, data_type: type = dataType, source } = score
  if (!isText(name)) return null
  const label = textIn(text) ?? (isText(value) ? textIn(value) : undefined)
  const agent = source === 'EVAL' ? agentName(name) : undefined
  const isBoolean = type === 'BOOLEAN'
  const suggested = isBoolean
    ? ofLabel(String(value === 1 || value === true || label?.toLowerCase() === 'true'), ['true', 'false'])
    : label !== undefined && type !== 'NUMERIC'
      ? ofLabel(label)
      : typeof value === 'number'
        ? ofNumber(value)
        : null
  if (suggested === null) return null
  const author = score['authorUserId'] ?? score['author_user_id']
  const isPerson = source === 'ANNOTATION' || isText(author)
  return { person: isPerson ? (textIn(author) ?? '') : null, question: [name, { ...suggested, agent }] }
}

const LANGFUSE_MARKS = [
  'expectedOutput',
  'expected_output',
  'sourceTraceId',
  'source_trace_id',
  'sourceObservationId',
  'source_observation_id',
  'datasetId',
  'dataset_id',
  'datasetName',
  'dataset_name',
  'observations',
  'scores',
]
const LANGFUSE_USED = ['id', 'input', 'output', 'expectedOutput', 'expected_output', 'metadata', 'scores', 'tags', 'name']

const leftOutOf = (row: Values, used: readonly string[]): readonly LeftOut[] =>
  [...row].flatMap(([part, value]): readonly LeftOut[] =>
    used.includes(part) || !isFilled(value) ? [] : [{ part, reason: part === 'observations' ? 'unsupported' : 'technical' }],
  )

/** Items of datasets, and traces with their scores, that Langfuse exports. */
export const langfuse: ForeignReader = {
  format: 'langfuse',
  recognizes: (rows) =>
    rows.some((row) => isFilled(row.get('input'))) &&
    rows.every((row) => row.has('id') && row.has('input') && LANGFUSE_MARKS.some((name) => row.has(name))),
  read: (row) => {
    const { fields, data } = allFields(row, [
      ['input', ['input']],
      ['output', ['output']],
      ['expected_output', ['expectedOutput', 'expected_output']],
    ])
    if (fields.length === 0) return { fault: message('partMissing', { part: 'input' }) }
    const scores = parsed(row.get('scores'))
    const read = (isObjects(scores) ? scores : []).map((one) => ({ one, found: langfuseScore(one) }))
    const tags = parsed(row.get('tags'))
    return {
      ...idOf(row, ['id']),
      fields,
      ...collect(read.flatMap(({ found }) => found ?? [])),
      metadata: [
        ...(textIn(row.get('name')) === undefined ? [] : [['name', row.get('name')] as const]),
        ...(Array.isArray(tags) && tags.length > 0 ? [['tags', tags] as const] : []),
        ...data,
        ...metadataIn(row.get('metadata')),
      ],
      leftOut: [
        ...leftOutOf(row, LANGFUSE_USED),
        ...(read.some(({ one, found }) => found !== null && isFilled(one['comment']))
          ? [{ part: 'scores: comment', reason: 'unsupported' as const }]
          : []),
        ...(read.some(({ found }) => found === null) ? [{ part: 'scores', reason: 'unsupported' as const }] : []),
      ],
    }
  },
}

/** An annotation of Phoenix: a label with a score, or a score. */
const phoenixAnnotation = (one: JsonObject): { readonly person: string | null; readonly question: Question } | null => {
  const { name, annotator_kind: kind } = one
  const result = isJsonObject(one['result']) ? one['result'] : one
  if (!isText(name)) return null
  const label = textIn(result['label'])
  const score = result['score']
  const isPerson = kind === 'HUMAN'
  const confidence = typeof score === 'number' && score >= 0 && score <= 1 && !isPerson ? { score } : {}
  const suggested =
    label !== undefined ? { ...ofLabel(label), ...confidence } : typeof score === 'number' ? ofNumber(score) : null
  if (suggested === null) return null
  const user = textIn(one['username']) ?? textIn(one['user_id'])
  return {
    person: isPerson ? (user ?? '') : null,
    question: [name, { ...suggested, agent: isPerson ? undefined : agentName(name) }],
  }
}

const PHOENIX_INPUTS = ['input', 'attributes.input.value', 'input.value']
const PHOENIX_OUTPUTS = ['output', 'reference', 'attributes.output.value', 'output.value']
const PHOENIX_IDS = ['id', 'example_id', 'context.span_id', 'span_id']
const PHOENIX_USED = [...PHOENIX_INPUTS, ...PHOENIX_OUTPUTS, ...PHOENIX_IDS, 'metadata', 'attributes.metadata', 'annotations']

const isExample = (row: Values): boolean =>
  ['input', 'output', 'metadata'].every((name) => isJsonObject(parsed(row.get(name)))) &&
  PHOENIX_IDS.some((name) => row.has(name))
const isSpan = (row: Values): boolean =>
  PHOENIX_INPUTS.slice(1).some((name) => row.has(name)) && ['context.span_id', 'span_id'].some((name) => row.has(name))
const hasAnnotations = (row: Values): boolean => {
  const annotations = parsed(row.get('annotations'))
  return row.has('input') && isObjects(annotations) && annotations.every((one) => 'annotator_kind' in one)
}

/** Examples of datasets, and spans with their annotations, that Phoenix exports. */
export const phoenix: ForeignReader = {
  format: 'phoenix',
  recognizes: (rows) => [isExample, isSpan, hasAnnotations].some((test) => rows.every(test)),
  read: (row) => {
    const { fields, data } = allFields(row, [
      ['input', PHOENIX_INPUTS],
      ['output', PHOENIX_OUTPUTS],
    ])
    if (fields.length === 0) return { fault: message('partMissing', { part: 'input' }) }
    const annotations = parsed(row.get('annotations'))
    const read = (isObjects(annotations) ? annotations : []).map((one) => ({ one, found: phoenixAnnotation(one) }))
    const explained = read.some(
      ({ one }) => isFilled(one['explanation']) || (isJsonObject(one['result']) && isFilled(one['result']['explanation'])),
    )
    return {
      ...idOf(row, PHOENIX_IDS),
      fields,
      ...collect(read.flatMap(({ found }) => found ?? [])),
      metadata: [...data, ...metadataIn(row.get('metadata') ?? row.get('attributes.metadata'))],
      leftOut: [
        ...leftOutOf(row, PHOENIX_USED),
        ...(explained ? [{ part: 'annotations: explanation', reason: 'unsupported' as const }] : []),
        ...(read.some(({ found }) => found === null) ? [{ part: 'annotations', reason: 'unsupported' as const }] : []),
      ],
    }
  },
}
