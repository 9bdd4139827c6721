import type { JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { ForeignComment, ForeignReader, Part, Values } from './define.ts'
import { timeIn, timesIn } from './times.ts'
import { allFields, collect, idOf, type LeftOut, metadataIn, ofLabel, ofNumber, parsed, type Result } from './trace-values.ts'
import { agentName, isFilled, isObjects, isText, textIn } from './values.ts'

/** Converts a score in the format of Langfuse's API. Null if the score has no name or no value. */
export const scoreOf = (score: JsonObject): Result | null => {
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
  const created = score['createdAt'] ?? score['created_at'] ?? score['timestamp']
  return {
    person: isPerson ? (textIn(author) ?? '') : null,
    question: [name, { ...suggested, agent }],
    times: timesIn(created, score['updatedAt'] ?? score['updated_at']),
    remark: textIn(score['comment']),
  }
}

/** Reads a comment on a trace or an observation from a batch export. Returns an empty list if the comment has no text. */
export const commentOf = (one: JsonObject): readonly ForeignComment[] => {
  const text = textIn(one['content'])
  const author = textIn(one['author_user_id'] ?? one['authorUserId']) ?? ''
  return text === undefined ? [] : [{ author, text, at: timeIn(one['created_at'] ?? one['createdAt']) }]
}

const MARKS = [
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
/** Each list contains the keys that identify one type of batch export: traces, or observations and events. */
const BATCH_MARKS = [
  ['bookmarked', 'timestamp', 'sessionId'],
  ['traceId', 'startTime', 'level'],
]
const USED = [
  'id',
  'input',
  'output',
  'expectedOutput',
  'expected_output',
  'metadata',
  'scores',
  'comments',
  'tags',
  'traceTags',
  'name',
  'traceName',
]
/** Columns of batch exports that contain lists, but no scores. */
const LISTS = ['observations', 'toolDefinitions', 'toolCalls', 'toolCallNames', 'usagePricingTierName']

const isBatch = (row: Values): boolean => BATCH_MARKS.some((names) => names.every((name) => row.has(name)))

/**
 * In Langfuse's table exports, every cell is JSON, so texts are in quotes: `"a text"`. Returns such a text without the quotes,
 * and any other value unchanged.
 */
export const unquoted = (value: unknown): unknown => {
  if (!isText(value) || !/^".*"$/s.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/**
 * In batch exports, each score has its own column, which contains a list of values. These exports don't say who gave the score.
 */
const flatScores = (row: Values): { readonly labels: readonly Result[]; readonly numbers: readonly Part[] } => {
  const lists = [...row].flatMap(([name, cell]) => {
    const value = parsed(cell)
    return USED.includes(name) || LISTS.includes(name) || !Array.isArray(value) || value.length === 0
      ? []
      : [[name, value] as const]
  })
  return {
    labels: lists.flatMap(([name, [first]]) =>
      isText(first) ? [{ person: null, question: [name, ofLabel(first)] as const }] : [],
    ),
    numbers: lists.flatMap(([name, [first]]) => (typeof first === 'number' ? [[name, first] as const] : [])),
  }
}

const leftOutOf = (row: Values, scores: ReadonlySet<string>): readonly LeftOut[] =>
  [...row].flatMap(([part, value]): readonly LeftOut[] =>
    USED.includes(part) || scores.has(part) || !isFilled(value)
      ? []
      : [{ part, reason: part === 'observations' ? 'unsupported' : 'technical' }],
  )

const read: ForeignReader['read'] = (sent) => {
  const row = new Map([...sent].map(([name, value]) => [name, unquoted(value)]))
  const { fields, data } = allFields(row, [
    ['input', ['input']],
    ['output', ['output']],
    ['expected_output', ['expectedOutput', 'expected_output']],
  ])
  if (fields.length === 0) return { fault: message('partMissing', { part: 'input' }) }
  const [scores, comments, tags] = ['scores', 'comments', 'tags'].map((name) => parsed(row.get(name)))
  const results = (isObjects(scores) ? scores : []).map((one) => ({ one, found: scoreOf(one) }))
  const flat = isBatch(row) ? flatScores(row) : { labels: [], numbers: [] }
  const flatNames = new Set([...flat.labels.map(({ question: [name] }) => name), ...flat.numbers.map(([name]) => name)])
  const { annotations, questions, comments: remarks } = collect([...results.flatMap(({ found }) => found ?? []), ...flat.labels])
  const name = row.get('name') ?? row.get('traceName')
  const labels = Array.isArray(tags) ? tags : parsed(row.get('traceTags'))
  return {
    ...idOf(row, ['id']),
    fields,
    annotations,
    questions,
    comments: [...remarks, ...(isObjects(comments) ? comments.flatMap(commentOf) : [])],
    metadata: [
      ...(textIn(name) === undefined ? [] : [['name', name] as const]),
      ...(Array.isArray(labels) && labels.length > 0 ? [['tags', labels] as const] : []),
      ...flat.numbers,
      ...data,
      ...metadataIn(row.get('metadata')),
    ],
    leftOut: [
      ...leftOutOf(row, flatNames),
      ...(results.some(({ one, found }) => found !== null && found.person === null && isFilled(one['comment']))
        ? [{ part: 'scores: comment', reason: 'unsupported' as const }]
        : []),
      ...(results.some(({ found }) => found === null) ? [{ part: 'scores', reason: 'unsupported' as const }] : []),
      ...(isFilled(comments) && !isObjects(comments) ? [{ part: 'comments', reason: 'unsupported' as const }] : []),
    ],
  }
}

/** Dataset items, traces and observations of Langfuse, from batch exports or from the API. API data includes scores. */
export const langfuse: ForeignReader = {
  format: 'langfuse',
  recognizes: (rows) =>
    rows.some((row) => isFilled(row.get('input'))) &&
    rows.every((row) => row.has('id') && row.has('input') && (isBatch(row) || MARKS.some((name) => row.has(name)))),
  read,
}
