import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import type { ForeignReader, Item, Question, Suggested, Values } from './define.ts'
import { annotatorOf, ofLabels, readers } from './label-studio-values.ts'
import { type ForeignSpan, placedSpans, suggestedSpans } from './spans.ts'
import { timesIn } from './times.ts'
import { isFilled, isObjects, isText, isTexts, textIn, unfolded } from './values.ts'

/** Columns that say how an annotation was made. */
const TECHNICAL = ['annotation_id', 'lead_time', 'agreement']
const OWN = ['id', 'annotator', 'created_at', 'updated_at', ...TECHNICAL]

/** In tables, cells contain lists and objects as JSON. */
const parsed = (value: unknown): unknown => {
  if (!isText(value) || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

const isSpan = (value: JsonObject): boolean =>
  Number.isInteger(value['start']) && Number.isInteger(value['end']) && isTexts(value['labels'])

const spansIn = (value: readonly JsonObject[]): readonly ForeignSpan[] =>
  value.flatMap(({ start, end, text, labels }) =>
    (labels as readonly string[]).map((label) => ({ start: Number(start), end: Number(end), label, text: textIn(text) })),
  )

/** Returns the names of the columns that contain the values of controls. These columns are between `id` and `annotator`. */
const controlsIn = (row: Values): readonly string[] => {
  const names = [...row.keys()]
  const [from, to] = [names.indexOf('id'), names.indexOf('annotator')]
  const between = from < to ? names.slice(from + 1, to) : []
  return between.filter((name) => !OWN.includes(name) && isFilled(row.get(name)))
}

/** The column of the text that contains the spans: the task's only text column, or one whose name contains `text`. */
const textColumn = (row: Values, controls: readonly string[]): string | undefined => {
  const texts = [...row].flatMap(([name, value]) =>
    isText(value) && value !== '' && !OWN.includes(name) && !controls.includes(name) ? [name] : [],
  )
  return texts.length === 1 ? texts[0] : (texts.find((name) => /text/i.test(name)) ?? texts[0])
}

/** A whole number that can be a number of stars. */
const starsIn = (value: unknown): number | null => {
  const number = isText(value) && /^\d{1,2}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 10 ? number : null
}

/** Whether a string is too long or has too many lines for a label. */
const isLong = (value: string): boolean => value.length > 60 || value.includes('\n')

const ofObjects = (value: readonly JsonObject[]): Suggested | null => {
  const kinds = value.map((one) => Object.keys(readers).find((kind) => kind in one))
  const [first] = value
  const [kind] = kinds
  return first === undefined || kind === undefined ? null : (readers[kind]?.(first) ?? null)
}

/** The value of a control. Null if no question can hold it. */
const suggestedBy = (value: unknown): Suggested | null => {
  if (isText(value)) {
    const stars = starsIn(value)
    if (stars !== null) return readers['rating']?.({ rating: stars }) ?? null
    return isLong(value) ? { kind: 'text', value, labels: [] } : ofLabels([value])
  }
  if (typeof value === 'number')
    return readers[starsIn(value) === null ? 'number' : 'rating']?.({ rating: value, number: value }) ?? null
  if (isTexts(value)) return value.some(isLong) ? { kind: 'text', value: value.join('\n'), labels: [] } : ofLabels(value)
  if (isObjects(value)) return ofObjects(value)
  return isJsonObject(value) ? ofObjects([value]) : null
}

const readRow: ForeignReader['read'] = (row) => {
  const controls = controlsIn(row)
  const field = textColumn(row, controls)
  const questions: Question[] = []
  const leftOut: NonNullable<Item['leftOut']>[number][] = []
  for (const name of controls) {
    const value = parsed(row.get(name))
    if (isObjects(value) && value.length > 0 && value.every(isSpan) && field !== undefined) {
      const placed = placedSpans(String(row.get(field)), spansIn(value))
      if ('fault' in placed) return placed
      questions.push([name, suggestedSpans(placed, field)])
      continue
    }
    const read = suggestedBy(value)
    if (read === null) leftOut.push({ part: name, reason: 'unsupported' })
    else questions.push([name, read])
  }
  const annotator = row.get('annotator')
  const id = row.get('id')
  const data = [...row].filter(([name]) => !OWN.includes(name) && !controls.includes(name))
  return {
    id: typeof id === 'number' || (isText(id) && id !== '') ? id : undefined,
    sharesRecord: true,
    data: unfolded(Object.fromEntries(data) as JsonObject),
    annotations: [
      {
        annotator: (isText(annotator) && /^\d+$/.test(annotator) ? annotatorOf(Number(annotator)) : annotatorOf(annotator)) ?? '',
        status: 'submitted',
        questions,
        times: timesIn(row.get('created_at'), row.get('updated_at')),
      },
    ],
    leftOut: [
      ...leftOut,
      ...TECHNICAL.filter((name) => isFilled(row.get(name))).map((part) => ({ part, reason: 'technical' as const })),
    ],
  }
}

/** Exports of Label Studio as JSON-MIN or CSV: one row for each annotation of a task. */
export const labelStudioMin: ForeignReader = {
  format: 'label_studio_min',
  recognizes: (rows) => rows.every((row) => ['annotation_id', 'annotator', 'lead_time', 'id'].every((name) => row.has(name))),
  read: readRow,
}
