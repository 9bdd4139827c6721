import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Annotation, ForeignComment, ForeignReader, Item, Part, Suggested, Values } from './define.ts'
import { annotatorOf, readers, textsIn } from './label-studio-values.ts'
import { type ForeignSpan, placedSpans, suggestedSpans } from './spans.ts'
import { timeIn, timesIn } from './times.ts'
import { agentName, isFilled, isObjects, textIn, unfolded } from './values.ts'

type LeftOut = NonNullable<Item['leftOut']>[number]
type Questions = Map<string, Suggested>
type Origin = Pick<Suggested, 'agent' | 'score'>
type Fault = { readonly fault: Reason }

const isSpan = ({ type, value }: JsonObject): boolean =>
  type === 'labels' && isJsonObject(value) && Number.isInteger(value['start']) && Number.isInteger(value['end'])

const spansIn = ({ value }: JsonObject): readonly ForeignSpan[] => {
  const { start, end, text, labels } = value as JsonObject
  return textsIn(labels).map((label) => ({ start: Number(start), end: Number(end), label, text: textIn(text) }))
}

/**
 * Returns the name of the text that an object tag shows. The task's data usually has a text with the same name as the tag. If
 * not, returns the only text, or else the first one whose name contains `text`.
 */
const fieldOf = (data: JsonObject, tag: unknown): string | undefined => {
  if (typeof tag === 'string' && typeof data[tag] === 'string') return tag
  const texts = Object.keys(data).filter((key) => typeof data[key] === 'string')
  return texts.length === 1 ? texts[0] : texts.find((key) => /text/i.test(key))
}

/**
 * Reads the results of one annotation or prediction. If a control has several results with spans, the spans are combined. For
 * other controls, only the first result is used.
 */
const readResults = (
  results: readonly JsonObject[],
  data: JsonObject,
  origin: Origin,
): { readonly questions: Questions; readonly leftOut: readonly LeftOut[] } | Fault => {
  const questions: Questions = new Map()
  const leftOut: LeftOut[] = []
  const spans = new Map<string, { readonly field: string; readonly spans: ForeignSpan[] }>()
  for (const result of results) {
    const { type, value } = result
    const name = textIn(result['from_name'])
    const kind = String(type)
    const field = isSpan(result) ? fieldOf(data, result['to_name']) : undefined
    // A result that describes a part of the text has the offsets of this part
    const isOfPart = isJsonObject(value) && 'start' in value && kind !== 'labels'
    const read = name !== undefined && isJsonObject(value) && !isOfPart ? readers[kind]?.(value) : undefined
    if (name !== undefined && field !== undefined) {
      const known = spans.get(name) ?? { field, spans: [] }
      known.spans.push(...spansIn(result))
      spans.set(name, known)
    } else if (name !== undefined && read && !questions.has(name)) questions.set(name, { ...read, ...origin })
    else leftOut.push({ part: `${name ?? 'result'} (${kind})`, reason: 'unsupported' })
  }
  for (const [name, { field, spans: found }] of spans) {
    const placed = placedSpans(String(data[field]), found)
    if ('fault' in placed) return placed
    questions.set(name, suggestedSpans(placed, field, origin))
  }
  return { questions, leftOut }
}

const scoreOf = (score: unknown): number | undefined =>
  typeof score === 'number' && score >= 0 && score <= 1 ? score : undefined

const resultsOf = ({ result }: JsonObject): readonly JsonObject[] => (isObjects(result) ? result : [])

const TASK_KEYS = ['data', 'annotations', 'completions', 'predictions', 'meta', 'id', 'inner_id', 'comments']
/** Keys that other programs need, or that say how a task was worked on. */
const TECHNICAL = [
  'created_at',
  'updated_at',
  'project',
  'file_upload',
  'total_annotations',
  'cancelled_annotations',
  'total_predictions',
  'comment_count',
  'unresolved_comment_count',
  'last_comment_updated_at',
  'updated_by',
  'comment_authors',
  'is_labeled',
  'overlap',
  'allow_skip',
  'precomputed_agreement',
  'avg_lead_time',
  'annotations_ids',
  'annotators',
  'annotations_results',
  'predictions_results',
  'predictions_score',
  'predictions_model_versions',
  'agreement',
  'agreement_selected',
  'annotation_time',
  'annotators_count',
  'comment_authors_count',
  'completed_at',
  'draft_exists',
  'ground_truth',
  'review_time',
  'reviewed',
  'reviewers',
  'reviewers_count',
  'reviews_accepted',
  'reviews_rejected',
  'state',
  'storage_filename',
]

const otherKeys = (row: Values): readonly LeftOut[] =>
  [...row].flatMap(([part, value]) => {
    if (TASK_KEYS.includes(part) || !isFilled(value)) return []
    if (part === 'drafts' && isObjects(value) && value.some((one) => resultsOf(one).length > 0)) return []
    return [{ part, reason: TECHNICAL.includes(part) ? ('technical' as const) : ('unsupported' as const) }]
  })

/** Adds the first prediction for each question to `questions`. @param answered the questions that the first annotation answers */
const readPredictions = (
  predictions: readonly JsonObject[],
  data: JsonObject,
  questions: Questions,
  answered: ReadonlySet<string>,
): readonly LeftOut[] | Fault => {
  const leftOut: LeftOut[] = []
  for (const prediction of predictions) {
    const origin = { agent: agentName(textIn(prediction['model_version'])), score: scoreOf(prediction['score']) }
    const read = readResults(resultsOf(prediction), data, origin)
    if ('fault' in read) return read
    leftOut.push(...read.leftOut)
    for (const [name, suggested] of read.questions) {
      if (questions.has(name) || answered.has(name)) leftOut.push({ part: `predictions: ${name}`, reason: 'further' })
      if (!questions.has(name)) questions.set(name, suggested)
    }
  }
  return leftOut
}

/** The annotations of a task. Those marked as ground truth come first. */
const annotationsIn = (annotations: readonly JsonObject[], data: JsonObject) => {
  const leftOut: LeftOut[] = []
  const found = annotations
    .toSorted((a, b) => Number(b['ground_truth'] === true) - Number(a['ground_truth'] === true))
    .map((one): Annotation => {
      // Postil's own exports contain `annotator` for every user. They contain `completed_by` only if the username is an email
      // address.
      const name = annotatorOf(one['completed_by']) ?? textIn(one['annotator'])
      const times = timesIn(one['created_at'], one['updated_at'])
      const status = one['was_cancelled'] === true ? 'discarded' : 'submitted'
      const common = { annotator: name ?? '', status, times } as const
      const read = readResults(resultsOf(one), data, { agent: agentName(name) })
      if ('fault' in read) return { ...common, questions: [], fault: read.fault }
      leftOut.push(...read.leftOut)
      return { ...common, questions: [...read.questions] }
    })
  return { found, leftOut }
}

/** Drafts of annotations. Empty if the export contains only the IDs of the drafts. */
const draftsIn = (drafts: unknown, data: JsonObject): readonly Annotation[] =>
  (isObjects(drafts) ? drafts : []).flatMap((one): readonly Annotation[] => {
    const read = readResults(resultsOf(one), data, {})
    const annotator = annotatorOf(one['user'] ?? one['completed_by']) ?? ''
    const times = timesIn(one['created_at'], one['updated_at'])
    const draft = { annotator, status: 'draft', questions: 'fault' in read ? [] : [...read.questions], times } as const
    return draft.questions.length === 0 ? [] : [draft]
  })

/** A comment with a key that identifies it. Null if it has no text. */
const commentIn = (one: JsonObject): readonly [key: string, comment: ForeignComment] | null => {
  const text = textIn(one['text'])
  if (text === undefined) return null
  const author = annotatorOf(one['created_by']) ?? ''
  const resolved = one['is_resolved'] === true ? (timeIn(one['resolved_at']) ?? true) : undefined
  const key = isFilled(one['id']) ? `id ${String(one['id'])}` : `${author} ${text}`
  return [key, { author, text, at: timeIn(one['created_at']), resolved }]
}

/**
 * Returns the comments in several lists without duplicates.
 * @param lists the comments of a task, its annotations and its drafts. A comment on an annotation can also be in the task's list.
 */
const commentsIn = (lists: readonly unknown[]): readonly ForeignComment[] => {
  const found = lists
    .flatMap((list) => (isObjects(list) ? list : []))
    .flatMap((one) => [commentIn(one)].filter((item) => item !== null))
  // If a comment is listed twice, the task's entry is kept, because it says whether the comment is resolved
  return [...new Map(found.toReversed()).values()].toReversed()
}

const readTask = (row: Values): Item | Fault => {
  const data = row.get('data')
  if (!isJsonObject(data)) return { fault: message('partMissing', { part: 'data' }) }
  const annotations = [row.get('annotations') ?? row.get('completions')].filter(isObjects).flat()
  const predictions = [row.get('predictions')].filter(isObjects).flat()
  const leftOut: LeftOut[] = [...otherKeys(row)]
  const done = annotations.filter((one) => one['was_cancelled'] !== true)
  if (done.length < annotations.length) leftOut.push({ part: 'annotations', reason: 'rejected' })
  if (done.length > 1) leftOut.push({ part: 'annotations', reason: 'further' })
  const people = annotationsIn(annotations, data)
  const drafts = draftsIn(row.get('drafts'), data)
  const begun = isObjects(row.get('drafts')) ? (row.get('drafts') as readonly JsonObject[]) : []
  const timed = [...annotations, ...begun].some((one) => isFilled(one['lead_time']))
  if (timed) leftOut.push({ part: 'annotations: lead_time', reason: 'technical' })
  if (isFilled(row.get('comments')) && !isObjects(row.get('comments'))) leftOut.push({ part: 'comments', reason: 'unsupported' })
  const first = people.found.find(({ status }) => status === 'submitted')
  const questions: Questions = new Map()
  if (drafts.length > 0) leftOut.push({ part: 'drafts', reason: 'rejected' })
  if (isFilled(row.get('predictions')) && predictions.length === 0) leftOut.push({ part: 'predictions', reason: 'unsupported' })
  const predicted = readPredictions(predictions, data, questions, new Set(first?.questions.map(([name]) => name)))
  if ('fault' in predicted) return predicted
  const meta = row.get('meta')
  const metadata: readonly Part[] = isJsonObject(meta) ? unfolded(meta) : []
  const id = row.get('id')
  return {
    id: typeof id === 'number' || (typeof id === 'string' && id !== '') ? id : undefined,
    data: unfolded(data),
    metadata,
    questions: [...questions],
    annotations: [...people.found, ...drafts],
    comments: commentsIn([row.get('comments'), ...[...annotations, ...begun].map((one) => one['comments'])]),
    leftOut: [...leftOut, ...people.leftOut, ...predicted],
  }
}

/** Whether a value is a list of IDs. Exports contain predictions and drafts either as objects or as IDs. */
const isIds = (value: unknown): boolean => Array.isArray(value) && value.every(Number.isInteger)

const isTask = (row: Values): boolean =>
  isJsonObject(row.get('data')) &&
  [...row.keys()].every((key) => TASK_KEYS.includes(key) || TECHNICAL.includes(key) || key === 'drafts') &&
  ['annotations', 'completions', 'predictions', 'meta', 'drafts'].every((key) => {
    const value = row.get(key)
    return !isFilled(value) || isObjects(value) || isJsonObject(value) || isIds(value)
  })

/** Tasks of Label Studio. These are JSON exports, or tasks that were written for an import, with or without predictions. */
export const labelStudio: ForeignReader = {
  format: 'label_studio',
  recognizes: (rows) => rows.every(isTask),
  read: readTask,
}
