import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { ForeignReader, Part, Values } from './define.ts'
import { timesIn } from './times.ts'
import { allFields, collect, idOf, type LeftOut, metadataIn, ofLabel, ofNumber, parsed, type Result } from './trace-values.ts'
import { agentName, isFilled, isObjects, isText, textIn } from './values.ts'

/** An annotation: a label with a score, or a score. Null if it has neither. */
export const annotationOf = (one: JsonObject): Result | null => {
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
    times: timesIn(one['created_at'] ?? one['start_time'], one['updated_at'] ?? one['end_time']),
    remark: textIn(result['explanation']),
  }
}

const INPUTS = ['input', 'attributes.input.value', 'input.value']
const OUTPUTS = ['output', 'attributes.output.value', 'output.value']
const REFERENCES = ['reference_output', 'reference']
const IDS = ['id', 'example_id', 'context.span_id', 'span_id']
const METADATA = ['metadata', 'attributes.metadata']
const USED = [...INPUTS, ...OUTPUTS, ...REFERENCES, ...IDS, ...METADATA, 'annotations']

/** The prefixes of column names in tables of examples. They say which part of the example a column belongs to. */
const PREFIXES = ['input_', 'output_', 'metadata_'] as const

/**
 * Converts an object in a trace's span to pairs of path and value. In API exports, attributes have either keys with dots or
 * nested objects.
 */
const paths = (prefix: string, object: JsonObject): readonly Part[] =>
  Object.entries(object).flatMap(([key, value]): readonly Part[] =>
    isJsonObject(value) && (key === 'input' || key === 'output')
      ? paths(`${prefix}${key}.`, value)
      : [[`${prefix}${key}`, value]],
  )

/** Returns a row with the columns of an example or a span, regardless of the row's export format. */
const normalized = (row: Values): Values => {
  const [context, attributes] = [row.get('context'), row.get('attributes')]
  if (isJsonObject(context) && isJsonObject(attributes)) {
    const others = [...row].filter(([name]) => name !== 'context' && name !== 'attributes' && name !== 'id')
    return new Map([...others, ...paths('context.', context), ...paths('attributes.', attributes)])
  }
  if (!isTableRow(row)) return row
  const parts = PREFIXES.map((prefix) => {
    const columns = [...row].filter(([name, value]) => name.startsWith(prefix) && isFilled(value))
    return [prefix.slice(0, -1), Object.fromEntries(columns.map(([name, value]) => [name.slice(prefix.length), parsed(value)]))]
  })
  const others = [...row].filter(([name]) => !PREFIXES.some((prefix) => name.startsWith(prefix)))
  return new Map([...others, ...(parts as [string, unknown][])])
}

const isTableRow = (row: Values): boolean => row.has('example_id') && [...row.keys()].some((name) => name.startsWith('input_'))
const isExample = (row: Values): boolean =>
  ['input', 'output', 'metadata'].every((name) => isJsonObject(parsed(row.get(name)))) && IDS.some((name) => row.has(name))
const isSpan = (row: Values): boolean => {
  const span = normalized(row)
  return INPUTS.slice(1).some((name) => span.has(name)) && ['context.span_id', 'span_id'].some((name) => span.has(name))
}
const isRun = (row: Values): boolean => {
  const annotations = parsed(row.get('annotations'))
  const isAnnotated = isObjects(annotations) && annotations.every((one) => 'annotator_kind' in one)
  return row.has('input') && isAnnotated
}

const read: ForeignReader['read'] = (sent) => {
  const row = normalized(sent)
  const { fields, data } = allFields(row, [
    ['input', INPUTS],
    ['output', OUTPUTS],
    ['reference_output', REFERENCES],
  ])
  if (fields.length === 0) return { fault: message('partMissing', { part: 'input' }) }
  const annotations = parsed(row.get('annotations'))
  const results = (isObjects(annotations) ? annotations : []).map((one) => annotationOf(one))
  const found = results.flatMap((one) => one ?? [])
  const others = [...row].filter(([name, value]) => !USED.includes(name) && isFilled(value))
  return {
    ...idOf(row, IDS),
    fields,
    ...collect(found),
    metadata: [...data, ...metadataIn(METADATA.map((name) => row.get(name)).find(isFilled))],
    leftOut: [
      ...others.map(([part]): LeftOut => ({ part, reason: 'technical' })),
      ...(found.some(({ person, remark }) => person === null && remark !== undefined)
        ? [{ part: 'annotations: explanation', reason: 'unsupported' as const }]
        : []),
      ...(results.includes(null) ? [{ part: 'annotations', reason: 'unsupported' as const }] : []),
    ],
  }
}

/** Reads dataset examples, experiment runs and spans from Phoenix, including their annotations. */
export const phoenix: ForeignReader = {
  format: 'phoenix',
  recognizes: (rows) => [isExample, isTableRow, isSpan, isRun].some((test) => rows.every(test)),
  read,
}
