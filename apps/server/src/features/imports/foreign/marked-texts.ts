import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Annotation, ForeignComment, ForeignReader, Item, Question, Suggested, Values } from './define.ts'
import { type ForeignSpan, placedSpans, suggestedSpans } from './spans.ts'
import { timesIn } from './times.ts'
import { filledOf, isFilled, isObjects, isTexts, restOf, textIn, unfolded } from './values.ts'

type Fault = { readonly fault: Reason }

const isOffsets = (start: unknown, end: unknown): boolean => Number.isInteger(start) && Number.isInteger(end)

/** A span as `[start, end, label]`, or as an object with offsets and a label. */
const spanIn = (value: unknown): ForeignSpan | null => {
  if (Array.isArray(value)) {
    const [start, end, label] = value
    return value.length === 3 && isOffsets(start, end) && typeof label === 'string' ? { start, end, label } : null
  }
  if (!isJsonObject(value)) return null
  const start = value['start'] ?? value['start_offset'] ?? value['start_char']
  const end = value['end'] ?? value['end_offset'] ?? value['end_char']
  const label = value['label'] ?? value['type'] ?? value['entity']
  if (!isOffsets(start, end) || typeof label !== 'string') return null
  return { start: Number(start), end: Number(end), label, text: textIn(value['text']) }
}

const spansIn = (value: unknown): readonly ForeignSpan[] | null => {
  if (!Array.isArray(value)) return null
  const spans = value.map(spanIn)
  return spans.every((span) => span !== null) ? spans : null
}

const idIn = (row: Values): Pick<Item, 'id'> => {
  const id = row.get('id')
  return typeof id === 'string' || typeof id === 'number' ? { id } : {}
}

/** @returns a question that contains the spans of a column, or a fault if the spans are invalid */
const spanQuestion = (name: string, spans: readonly ForeignSpan[], text: string): Question | Fault => {
  const placed = placedSpans(text, spans)
  return 'fault' in placed ? placed : [name, suggestedSpans(placed, 'text')]
}

const isFault = (value: Question | Fault): value is Fault => !Array.isArray(value)

const ofLabels = (labels: readonly string[], all = labels): Suggested => ({
  kind: 'multi_label_selection',
  value: [...labels],
  labels: all,
})

const SPAN_COLUMNS = ['label', 'labels', 'entities', 'spans', 'ents']
const TEXT_COLUMNS = ['text', 'data']

const textColumnOf = (row: Values): string | undefined => TEXT_COLUMNS.find((name) => typeof row.get(name) === 'string')
const spanColumnsOf = (row: Values): readonly string[] => SPAN_COLUMNS.filter((name) => spansIn(row.get(name)) !== null)

/** Returns one annotation, or none if it would have no values. Files of unfinished projects contain rows without annotations. */
const annotatedBy = (annotator: string, questions: readonly Question[]): readonly Annotation[] =>
  questions.length === 0 ? [] : [{ annotator, status: 'submitted', questions }]

/** Whether a value is an object with a number or a boolean for each label, as in spaCy. */
const isCategories = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((one) => typeof one === 'number' || typeof one === 'boolean')

/**
 * Returns the question for the labels of a text, or none if no label is chosen. A label is chosen if its value is true or at
 * least 0.5.
 */
const ofCategories = (cats: JsonObject): readonly Question[] => {
  const labels = Object.keys(cats)
  const chosen = labels.filter((label) => Number(cats[label]) >= 0.5)
  const [only, ...others] = chosen
  if (only === undefined) return []
  return [['cats', others.length === 0 ? { kind: 'label_selection', value: only, labels } : ofLabels(chosen, labels)]]
}

const COMMENT_COLUMNS = ['Comments', 'comments']

/** Comments as lists of strings. doccano exports neither their authors nor their times. */
const commentsIn = (row: Values): readonly ForeignComment[] =>
  COMMENT_COLUMNS.flatMap((name) => row.get(name))
    .filter((text) => typeof text === 'string' && text.trim() !== '')
    .map((text) => ({ author: '', text: String(text) }))

/** Columns of comments that aren't lists of strings. */
const unreadComments = (row: Values): readonly string[] =>
  filledOf(row, COMMENT_COLUMNS).filter((name) => !isTexts([row.get(name)].flat()))

/** Reads text with lists of spans. Labels that don't have offsets are read as values of separate questions. */
const readMarked = (row: Values): Item | Fault => {
  const textColumn = textColumnOf(row)
  if (textColumn === undefined) return { fault: message('partMissing', { part: 'text' }) }
  const text = String(row.get(textColumn))
  const columns = spanColumnsOf(row).filter((name) => isFilled(row.get(name)))
  const questions: Question[] = []
  for (const name of columns) {
    const question = spanQuestion(name, spansIn(row.get(name)) ?? [], text)
    if (isFault(question)) return question
    questions.push(question)
  }
  const labels = ['label', 'labels', 'cats'].flatMap((name): readonly Question[] => {
    const value = row.get(name)
    if (isTexts(value) && value.length > 0) return [[name, ofLabels(value)]]
    if (typeof value === 'string' && value !== '') return [[name, { kind: 'label_selection', value, labels: [value] }]]
    if (name === 'cats' && isCategories(value)) return ofCategories(value)
    return []
  })
  const relations = [...filledOf(row, ['relations', 'tokens']), ...unreadComments(row)]
  const used = ['id', textColumn, ...SPAN_COLUMNS, 'cats', 'relations', ...COMMENT_COLUMNS, 'tokens', 'meta']
  const unread = filledOf(row, [...SPAN_COLUMNS, 'cats']).filter(
    (name) => ![...questions, ...labels].some(([one]) => one === name),
  )
  const meta = row.get('meta')
  return {
    ...idIn(row),
    fields: [['text', text, 'text']],
    annotations: annotatedBy('', [...questions, ...labels]),
    comments: commentsIn(row),
    other: restOf(row, used),
    metadata: isJsonObject(meta) ? unfolded(meta) : [],
    leftOut: [...relations, ...unread].map((part) => ({
      part,
      reason: part === 'tokens' ? ('technical' as const) : ('unsupported' as const),
    })),
  }
}

/** Whether all rows have text, their span columns contain only spans, and at least one span exists. */
const areMarked = (rows: readonly Values[]): boolean =>
  rows.every((row) => textColumnOf(row) !== undefined) &&
  rows.some((row) => spanColumnsOf(row).some((name) => isFilled(row.get(name)))) &&
  rows.every((row) =>
    SPAN_COLUMNS.every((name) => !Array.isArray(row.get(name)) || isTexts(row.get(name)) || spanColumnsOf(row).includes(name)),
  )

const hasAny = (rows: readonly Values[], names: readonly string[]): boolean =>
  rows.some((row) => names.some((name) => row.has(name)))

/** Whether all rows have text, a list of labels, and the comments that only doccano exports. */
const areClassified = (rows: readonly Values[]): boolean =>
  rows.every((row) => {
    const isLabeled = [...SPAN_COLUMNS, 'cats'].some((name) => isTexts(row.get(name)))
    return textColumnOf(row) !== undefined && isLabeled && isTexts(row.get('Comments'))
  })

/** Text from doccano: `label` with offsets or names, or `entities` with relations. */
export const doccano: ForeignReader = {
  format: 'doccano',
  recognizes: (rows) => (areMarked(rows) && hasAny(rows, ['label', 'Comments', 'relations'])) || areClassified(rows),
  read: readMarked,
}

/** Text with character offsets, as in spaCy's training data and in the files of many other programs. */
export const spacy: ForeignReader = {
  format: 'spacy',
  recognizes: (rows) => areMarked(rows) || rows.every((row) => textColumnOf(row) !== undefined && isCategories(row.get('cats'))),
  read: readMarked,
}

const HASHES = ['_input_hash', '_task_hash', '_session_id', '_view_id', '_is_binary', '_history', 'tokens', 'config']
const PRODIGY = [
  'text',
  'spans',
  'label',
  'options',
  'accept',
  'answer',
  'meta',
  '_annotator_id',
  '_timestamp',
  'html',
  'image',
  ...HASHES,
]

const optionsIn = (value: unknown): readonly string[] =>
  isObjects(value)
    ? value.flatMap(({ id }: JsonObject) => (typeof id === 'string' || typeof id === 'number' ? [String(id)] : []))
    : []

const choicesOf = (row: Values): readonly Question[] => {
  const options = optionsIn(row.get('options'))
  const chosen = [row.get('accept')].flat().filter((one) => typeof one === 'string' || typeof one === 'number')
  const config = row.get('config')
  const isMultiple = chosen.length > 1 || (isJsonObject(config) && config['choice_style'] === 'multiple')
  const picked = chosen.map(String)
  if (picked.length === 0) return []
  return [['accept', isMultiple ? ofLabels(picked, options) : { kind: 'label_selection', value: picked[0], labels: options }]]
}

const readProdigy = (row: Values): Item | Fault => {
  const text = row.get('text')
  if (typeof text !== 'string') return { fault: message('partMissing', { part: 'text' }) }
  const answer = textIn(row.get('answer'))
  const isAccepted = (answer ?? 'accept') === 'accept'
  const spans = spansIn(row.get('spans'))
  const label = textIn(row.get('label'))
  const marked = spans === null || spans.length === 0 ? null : spanQuestion('spans', spans, text)
  if (isAccepted && marked !== null && isFault(marked)) return marked
  const questions: readonly Question[] = [
    ...(marked === null || isFault(marked) ? [] : [marked]),
    ...(label === undefined ? [] : [['label', { kind: 'label_selection', value: label, labels: [label] }] as const]),
    ...choicesOf(row),
  ]
  const hash = row.get('_task_hash')
  const annotations = filledOf(row, ['spans', 'label', 'accept'])
  const unread = isAccepted && spans === null ? filledOf(row, ['spans']) : []
  const meta = row.get('meta')
  return {
    // Each annotator of a task has a row
    ...(typeof hash === 'number' && { id: hash, sharesRecord: true, hasTechnicalId: true }),
    fields: [['text', text, 'text']],
    metadata: [
      ...(isJsonObject(meta) ? unfolded(meta) : []),
      ...(answer ? [['answer', answer] as const] : []),
      ...restOf(row, PRODIGY),
    ],
    annotations: [
      {
        annotator: textIn(row.get('_annotator_id')) ?? textIn(row.get('_session_id')) ?? '',
        // A rejected or ignored task is finished, but its content isn't an answer
        status: isAccepted ? 'submitted' : 'discarded',
        questions,
        times: timesIn(row.get('_timestamp'), undefined),
        ...(marked !== null && isFault(marked) && marked),
      },
    ],
    leftOut: [
      ...(isAccepted ? [] : annotations.map((part) => ({ part, reason: 'rejected' as const }))),
      ...unread.map((part) => ({ part, reason: 'unsupported' as const })),
      ...filledOf(row, ['html', 'image']).map((part) => ({ part, reason: 'unsupported' as const })),
      ...filledOf(row, [...HASHES, '_annotator_id']).map((part) => ({ part, reason: 'technical' as const })),
    ],
  }
}

/** Annotated tasks of Prodigy. */
export const prodigy: ForeignReader = {
  format: 'prodigy',
  recognizes: (rows) =>
    rows.every(
      (row) =>
        typeof row.get('text') === 'string' &&
        (row.has('_input_hash') || row.has('_task_hash') || (row.has('answer') && (row.has('spans') || row.has('options')))),
    ),
  read: readProdigy,
}
