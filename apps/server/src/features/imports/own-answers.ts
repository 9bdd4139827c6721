import { type ForeignContents, type LeftOut, maxAnnotators } from '@postil/contract/files/foreign-formats.ts'
import type { AnnotatorMapping, ImportColumn } from '@postil/contract/files/imports.ts'
import { ResponseStatus } from '@postil/contract/responses.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import type { RowTimes } from '#platform/original-row.ts'
import { annotatorChoice, type ChosenFor, commentsIn } from './foreign/annotations.ts'
import { addContribution, type Contributions, printContributions } from './foreign/contributions.ts'
import type { Annotated, OwnAnswers } from './foreign/define.ts'
import { timesIn } from './foreign/times.ts'
import { isFilled, textIn } from './foreign/values.ts'
import type { SourceRow } from './inspect/layout.ts'
import { OWN_COMMENTS, ownComments } from './own-comments.ts'
import { EXTERNAL_ID, NOT_IMPORTED } from './own-file.ts'
import { castTo, numberOf } from './rows/cast.ts'

type Values = ReadonlyMap<string, unknown>

const LONG = ['user_id', 'username', 'response.status', 'response.inserted_at', 'response.updated_at']

/** The answers that a download with these columns contains. Null for other files. */
export const ownAnswersIn = (columns: readonly string[]): OwnAnswers | null => {
  const header = new Set(columns)
  const wide = columns
    .filter((name) => name.endsWith('.responses.users'))
    .map((name) => name.slice(0, -'.responses.users'.length))
    .filter((base) => ['.responses', '.responses.status', '.suggestion'].every((end) => header.has(`${base}${end}`)))
  if (wide.length > 0) return { form: 'wide', questions: wide.map((base) => ({ base, source: `${base}.suggestion` })) }
  if (!LONG.every((name) => header.has(name))) return null
  const answers = columns.filter((name) => name.startsWith('response.') && !LONG.includes(name))
  return { form: 'long', questions: answers.map((name) => ({ base: name, source: name })) }
}

/**
 * The columns that contain answers, details of suggestions, and comments. An import reads them in addition to the columns of its
 * mapping.
 */
export const ownAnswerColumns = ({ form, questions }: OwnAnswers): readonly string[] => {
  if (form === 'long') return [...LONG, ...questions.map(({ source }) => source)]
  const ends = ['', '.users', '.usernames', '.status'].map((end) => `.responses${end}`)
  const ofQuestions = questions.flatMap(({ base }) =>
    [...ends, '.suggestion.agent', '.suggestion.score'].map((end) => `${base}${end}`),
  )
  return [...ofQuestions, OWN_COMMENTS]
}

const listIn = (value: unknown): readonly unknown[] => {
  const list = castTo.json(value)
  return Array.isArray(list) ? list : []
}

const statusIn = (value: unknown): ResponseStatus | null => ResponseStatus.safeParse(value).data ?? null

type OwnAnswer = {
  readonly annotator: string
  readonly status: ResponseStatus
  readonly values: Map<string, unknown>
  readonly times?: RowTimes | undefined
}

const wideAnswers = (values: Values, { questions }: OwnAnswers): readonly OwnAnswer[] => {
  const found = new Map<string, OwnAnswer>()
  for (const { base, source } of questions) {
    const [users, names, statuses, answers] = ['.users', '.usernames', '.status', ''].map((end) =>
      listIn(values.get(`${base}.responses${end}`)),
    )
    for (const [i, user] of (users ?? []).entries()) {
      const status = statusIn(statuses?.[i])
      if (typeof user !== 'string' || status === null) continue
      const answer = found.get(user) ?? { annotator: textIn(names?.[i]) ?? user, status, values: new Map() }
      found.set(user, answer)
      const value = answers?.[i]
      if (value !== null && value !== undefined) answer.values.set(source, value)
    }
  }
  return [...found.values()]
}

const longAnswers = (values: Values, { questions }: OwnAnswers): readonly OwnAnswer[] => {
  const annotator = textIn(values.get('username')) ?? textIn(values.get('user_id'))
  const status = statusIn(values.get('response.status'))
  if (annotator === undefined || status === null) return []
  const answered = questions.flatMap(({ source }) => {
    const value = values.get(source)
    return value === null || value === undefined ? [] : [[source, value] as const]
  })
  const times = timesIn(values.get('response.inserted_at'), values.get('response.updated_at'))
  return [{ annotator, status, values: new Map(answered), times }]
}

const commentsOf = (values: Values, { form }: OwnAnswers) => (form === 'wide' ? ownComments(values.get(OWN_COMMENTS)) : [])

const answersIn = (values: Values, own: OwnAnswers): readonly OwnAnswer[] =>
  own.form === 'wide' ? wideAnswers(values, own) : longAnswers(values, own)

const scoreIn = (value: unknown): SuggestionScore | null => {
  const score = numberOf(castTo.json(value))
  if (typeof score === 'number') return score
  return Array.isArray(score) && score.every((one) => typeof one === 'number') ? score : null
}

/** The agents and scores of a row's suggestions, keyed by the suggestions' columns. */
const detailsIn = (values: Values, { form, questions }: OwnAnswers) =>
  new Map(
    (form === 'wide' ? questions : []).map(({ base, source }) => [
      source,
      { agent: textIn(values.get(`${base}.suggestion.agent`)) ?? null, score: scoreIn(values.get(`${base}.suggestion.score`)) },
    ]),
  )

const annotatedBy = (
  answers: readonly OwnAnswer[],
  chosenFor: ChosenFor,
): Pick<Annotated, 'answers' | 'leftOut' | 'unmapped'> => {
  const chosen = answers.map((answer) => ({ answer, choice: chosenFor(answer.annotator) }))
  return {
    answers: chosen.flatMap(({ answer, choice }) =>
      choice?.as === 'answers' ? [{ ...answer, user_id: choice.user_id, missingIsEmpty: false }] : [],
    ),
    leftOut: chosen.filter(({ choice }) => choice?.as === 'nothing').length,
    unmapped: chosen.flatMap(({ answer, choice }) => (choice === null || choice.as === 'suggestions' ? [answer.annotator] : [])),
  }
}

/**
 * Reads the answers in the rows of a file that was downloaded from Postil. If the file has one row per answer (`long`), the
 * answer's columns are also read as suggestions. They are left out unless the answer is imported as suggestions.
 */
export const withOwnAnswers = (
  own: OwnAnswers,
  annotators: readonly AnnotatorMapping[] = [],
): ((source: SourceRow) => SourceRow) => {
  const chosenFor = annotatorChoice(annotators)
  return (source) => {
    if ('fault' in source) return source
    const answers = answersIn(source.values, own)
    const sharesRecord = own.form === 'long'
    const uses = sharesRecord && answers.every(({ annotator }) => (chosenFor(annotator)?.as ?? 'suggestions') === 'suggestions')
    const hidden = new Set(own.questions.map(({ base }) => base))
    const values = !sharesRecord || uses ? source.values : new Map([...source.values].filter(([name]) => !hidden.has(name)))
    const remarks = commentsIn(commentsOf(source.values, own), chosenFor)
    const annotated = { ...annotatedBy(answers, chosenFor), remarks, sharesRecord, details: detailsIn(source.values, own) }
    return { ...source, values, annotated }
  }
}

/** Whether a cell has a value. A list with only empty items doesn't count as a value. */
const hasContent = (value: unknown): boolean => isFilled(value) && (listIn(value).length === 0 || listIn(value).some(isFilled))

/**
 * Collects the answers and comments in the rows of a file that was exported from Postil. The mapping doesn't name their columns.
 */
export const ownCollector = (own: OwnAnswers) => {
  const annotators = new Map<string, Contributions>()
  const leftOut = new Map<string, LeftOut>()
  const ends = own.questions.flatMap(({ base }) => NOT_IMPORTED.map((end) => `${base}${end}`))
  let rows = 0
  return {
    take: (source: SourceRow): void => {
      rows += 1
      if ('fault' in source) return
      for (const { annotator } of answersIn(source.values, own)) addContribution(annotators, annotator, 'annotations')
      const comments = commentsOf(source.values, own)
      for (const { author } of comments) addContribution(annotators, author, 'comments')
      if (comments.length > 0)
        leftOut.set(OWN_COMMENTS, { part: OWN_COMMENTS, reason: 'unmapped', rows: (leftOut.get(OWN_COMMENTS)?.rows ?? 0) + 1 })
      for (const part of own.form === 'wide' ? ends : []) {
        if (hasContent(source.values.get(part)))
          leftOut.set(part, { part, reason: 'unsupported', rows: (leftOut.get(part)?.rows ?? 0) + 1 })
      }
    },
    /** Null if the rows contain no answers and no comments. */
    end: (whole: boolean): ForeignContents | null => {
      if (annotators.size === 0) return null
      return {
        rows,
        whole,
        annotators: [...annotators.values()].filter(({ annotations }) => annotations > 0).length,
        annotations: printContributions(annotators).slice(0, maxAnnotators),
        left_out: [...leftOut.values()],
      }
    },
  }
}

/**
 * Returns rows that contain the answers of a wide table instead of suggestions. They are used to detect the types and labels of
 * the answers.
 */
export const answersAsSuggestions = (rows: readonly SourceRow[], own: OwnAnswers): readonly SourceRow[] =>
  own.form === 'long'
    ? []
    : rows.flatMap((source) =>
        'fault' in source
          ? []
          : wideAnswers(source.values, own).map(({ values }) => ({ row: source.row, line: source.line, values })),
      )

const MAX_LABELS = 50
const MAX_LABEL_LENGTH = 60

/** The question for a column of answers or suggestions. These columns never contain fields or metadata. */
const questionFor = (column: ImportColumn): ImportColumn => {
  const { type, proposal, values } = column
  if (type === 'empty' || proposal?.role === 'suggestion') return column
  const isLabel = values !== null && values.length <= MAX_LABELS && values.every((one) => one.length <= MAX_LABEL_LENGTH)
  const kind = type === 'integer' ? 'rating' : type === 'list' ? 'multi_label_selection' : isLabel ? 'label_selection' : 'text'
  // A question needs at least two labels
  if (kind.endsWith('_selection') && (values?.length ?? 0) < 2) return column
  return type === 'text' || type === 'integer' || type === 'list'
    ? { ...column, proposal: { role: 'suggestion', type: kind } }
    : column
}

/**
 * Completes the columns of a file that was exported from Postil. Adds labels that occur only in answers. If a question's
 * suggestion column is empty, proposes a question based on its answers.
 */
export const withAnswerColumns = (
  columns: readonly ImportColumn[],
  answers: readonly ImportColumn[],
  own: OwnAnswers,
): readonly ImportColumn[] => {
  const bySource = new Map(answers.map((column) => [column.name, column]))
  const sources = new Set(own.questions.map(({ source }) => source))
  return columns.map((column): ImportColumn => {
    // In a long table, a record can have several rows, so the column isn't recognized as an ID column by its values
    if (column.name === EXTERNAL_ID && own.form === 'long') return { ...column, proposal: { role: 'external_id', type: null } }
    if (!sources.has(column.name)) return column
    const answered = bySource.get(column.name)
    if (answered === undefined || answered.type === 'empty') return questionFor(column)
    if (column.type === 'empty') {
      const question = questionFor({ ...answered, complete: column.complete })
      return question.proposal?.role === 'suggestion' ? question : column
    }
    const { values } = column
    const all = values === null || answered.values === null ? values : [...new Set([...values, ...answered.values])]
    return questionFor({ ...column, values: all })
  })
}
