import { ESCAPE_MARK } from '@postil/contract/files/csv-cell.ts'
import type { FileShape } from '@postil/contract/files/files.ts'
import type { GoldAnswer } from '@postil/contract/gold.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { hasAgreement } from '#question-types/agreement.ts'
import type { ValueColumn } from '#question-types/define.ts'
import { labelPathOf } from '#question-types/label-paths.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { FIELD_PREFIX, RECORD_PREFIX, uniqueNames } from './column-names.ts'
import type { ExportContext } from './context.ts'
import { withExportedValues } from './exported-values.ts'
import { type FinalAnswer, finalAnswerOf } from './final-answers.ts'

/** A table column. A cell contains a value of type `kind`, or lists of such values, nested `depth` levels deep. */
export type Column = {
  readonly name: string
  readonly kind: 'text' | 'integer' | 'number' | 'json'
  readonly depth: 0 | 1 | 2 | 3
}
export type Row = readonly JsonValue[]

export type Table = { readonly columns: readonly Column[]; readonly rowsOf: (record: RecordPayload) => readonly Row[] }

/** `namesUsers`: whether a wide table names the authors of answers. Files for the Hub never contain usernames. */
type TableOptions = { readonly escapeFormulas: boolean; readonly namesUsers: boolean }
const plainOptions: TableOptions = { escapeFormulas: false, namesUsers: false }

type Cell<T> = { readonly column: Column; readonly read: (from: T) => JsonValue }
const cell = <T>(name: string, kind: Column['kind'], depth: Column['depth'], read: (from: T) => JsonValue): Cell<T> => ({
  column: { name, kind, depth },
  read,
})

type ValueKind = { readonly kind: Column['kind']; readonly depth: 0 | 1 }
const valueKinds: { readonly [C in ValueColumn]: ValueKind } = {
  text: { kind: 'text', depth: 0 },
  integer: { kind: 'integer', depth: 0 },
  texts: { kind: 'text', depth: 1 },
  json: { kind: 'json', depth: 0 },
}

const asText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Terms as a list of strings, regardless of how they were sent, or `[null]` if a record has none. */
const terms = (value: JsonValue | undefined): JsonValue => {
  if (value === undefined || value === null) return [null]
  return (Array.isArray(value) ? value : [value]).map((one) => (one === null ? null : asText(one)))
}
const number = (value: JsonValue | undefined): JsonValue =>
  typeof value === 'number' ? value : value === true ? 1 : value === false ? 0 : null

/** Times on the wire are in UTC, but have no zone suffix. */
const zoned = (time: string): string => `${time}Z`

const allRecordCells: readonly Cell<RecordPayload>[] = [
  cell('id', 'text', 0, ({ external_id }) => external_id),
  cell('status', 'text', 0, ({ status }) => status),
  cell('inserted_at', 'text', 0, ({ inserted_at }) => zoned(inserted_at)),
  cell('updated_at', 'text', 0, ({ updated_at }) => zoned(updated_at)),
  cell('_server_id', 'text', 0, ({ id }) => id),
]

/** Columns whose values are unknown in a snapshot: they depend on settings and answers whose earlier state isn't stored. */
const unknownThen: readonly string[] = ['status', 'updated_at']
const recordCellsOf = ({ isSnapshot }: ExportContext): readonly Cell<RecordPayload>[] =>
  isSnapshot ? allRecordCells.filter(({ column }) => !unknownThen.includes(column.name)) : allRecordCells

/** Marks a file in which an apostrophe precedes text that spreadsheets would run as a formula. Imports read this mark. */
const escapeMark = cell<RecordPayload>(ESCAPE_MARK, 'text', 0, () => 'true')

const fieldCells = ({ fields }: ExportContext): readonly Cell<RecordPayload>[] =>
  fields.map(({ name, settings }) =>
    cell<RecordPayload>(name, serverFieldType(settings).column, 0, (record) => record.fields[name] ?? null),
  )

const metadataCells = ({ properties, dataset }: ExportContext): readonly Cell<RecordPayload>[] => {
  const known = new Set(properties.map(({ name }) => name))
  const extra = cell<RecordPayload>('extra_metadata', 'json', 0, ({ metadata }) => {
    const others = Object.entries(metadata ?? {}).filter(([name]) => !known.has(name))
    return others.length === 0 ? null : Object.fromEntries(others)
  })
  return [
    ...properties.map(({ name, settings: { type } }) =>
      type === 'terms'
        ? cell<RecordPayload>(`metadata.${name}`, 'text', 1, ({ metadata }) => terms(metadata?.[name]))
        : cell<RecordPayload>(`metadata.${name}`, type === 'integer' ? 'integer' : 'number', 0, ({ metadata }) =>
            number(metadata?.[name]),
          ),
    ),
    ...(dataset.allow_extra_metadata ? [extra] : []),
  ]
}

const vectorCells = ({ vectors }: ExportContext): readonly Cell<RecordPayload>[] =>
  vectors.map(({ name }) =>
    cell(`vector.${name}`, 'number', 1, (record) => (record.vectors?.[name] as JsonValue | undefined) ?? null),
  )

const answered = ({ values }: Response, question: string): JsonValue =>
  (values?.[question]?.value as JsonValue | undefined) ?? null

type UseKey = 'outcome' | 'agent'
const useKeys: readonly UseKey[] = ['outcome', 'agent']
/** The outcome of the suggestion that the author was shown. */
const usedSuggestion = ({ suggestion_outcomes }: Response, question: string, key: UseKey): JsonValue =>
  suggestion_outcomes?.[question]?.[key] ?? null

const agreementCell = (name: string): Cell<RecordPayload> =>
  cell(`${name}.agreement`, 'number', 0, ({ agreement = {} }) =>
    Object.hasOwn(agreement, name) ? (agreement[name] ?? null) : null,
  )

/** The state of a record's review. Null before the first review. */
const reviewStatus = ({ gold = null }: RecordPayload): string | null => {
  if (gold === null) return null
  if (!gold.final) return 'started'
  return gold.stale ? 'stale' : 'final'
}
const reviewCells = ({ hasGold }: ExportContext): readonly Cell<RecordPayload>[] =>
  hasGold ? [cell('review.status', 'text', 0, reviewStatus)] : []

/**
 * The columns for the final answer to a question and its source. They contain the answer even if the review isn't finished or the
 * answer is stale.
 */
const goldCells = ({ name, settings }: QuestionRow): readonly Cell<RecordPayload>[] => {
  const { kind, depth } = valueKinds[serverQuestionType(settings).column]
  const pathOf = labelPathOf(settings)
  const read =
    (of: (answer: GoldAnswer) => JsonValue) =>
    ({ gold }: RecordPayload): JsonValue => {
      const answer = gold && Object.hasOwn(gold.values, name) ? gold.values[name] : undefined
      return answer === undefined ? null : of(answer)
    }
  return [
    cell(
      `${name}.gold`,
      kind,
      depth,
      read(({ value }) => value as JsonValue),
    ),
    cell(
      `${name}.gold.source`,
      'text',
      0,
      read(({ source }) => source),
    ),
    cell(
      `${name}.gold.user`,
      'text',
      0,
      read(({ by }) => by.id),
    ),
    ...(pathOf === null
      ? []
      : [
          cell(
            `${name}.gold.path`,
            kind,
            depth === 0 ? 1 : 2,
            read(({ value }) => pathOf(value as JsonValue)),
          ),
        ]),
  ]
}

/** @param usernames by user ID; null for a table without usernames */
const questionCells = (
  { questions, agreementFilled, hasGold, isSnapshot }: ExportContext,
  usernames: ExportContext['usernames'] | null,
): readonly Cell<RecordPayload>[] =>
  questions.flatMap((question) => {
    const { id, name, settings } = question
    const { column } = serverQuestionType(settings)
    const { kind, depth } = valueKinds[column]
    const pathOf = labelPathOf(settings)
    // Null if there are no answers, because clients of Hub tables expect null
    const each =
      (of: (response: Response) => JsonValue) =>
      ({ responses = [] }: RecordPayload) =>
        responses.length === 0 ? null : responses.map(of)
    const suggested =
      (of: (suggestion: NonNullable<RecordPayload['suggestions']>[number]) => JsonValue) => (record: RecordPayload) => {
        const found = record.suggestions?.find(({ question_id }) => question_id === id)
        return found === undefined ? null : of(found)
      }
    const hasOneScore = column === 'text' || column === 'integer'
    return [
      cell<RecordPayload>(
        `${name}.responses`,
        kind,
        depth === 0 ? 1 : 2,
        each((response) => answered(response, name)),
      ),
      ...(pathOf === null
        ? []
        : [
            cell<RecordPayload>(
              `${name}.responses.path`,
              kind,
              depth === 0 ? 2 : 3,
              each((response) => pathOf(answered(response, name))),
            ),
          ]),
      cell<RecordPayload>(
        `${name}.responses.users`,
        'text',
        1,
        each(({ user_id }) => user_id),
      ),
      ...(usernames === null
        ? []
        : [
            cell<RecordPayload>(
              `${name}.responses.usernames`,
              'text',
              1,
              each(({ user_id }) => usernames.get(user_id) ?? null),
            ),
          ]),
      cell<RecordPayload>(
        `${name}.responses.status`,
        'text',
        1,
        each(({ status }) => status),
      ),
      // The SDK treats every column whose name contains `.suggestion` as a suggestion.
      ...useKeys.map((key) =>
        cell<RecordPayload>(
          `${name}.responses.${key}`,
          'text',
          1,
          each((response) => usedSuggestion(response, name, key)),
        ),
      ),
      ...(isSnapshot
        ? []
        : [
            cell<RecordPayload>(
              `${name}.suggestion`,
              kind,
              depth,
              suggested(({ value }) => value as JsonValue),
            ),
            cell<RecordPayload>(
              `${name}.suggestion.agent`,
              'text',
              0,
              suggested(({ agent }) => agent),
            ),
            cell<RecordPayload>(
              `${name}.suggestion.score`,
              'number',
              hasOneScore ? 0 : 1,
              suggested(({ score }) => score as JsonValue),
            ),
          ]),
      ...(agreementFilled && hasAgreement(settings) ? [agreementCell(name)] : []),
      ...(hasGold ? goldCells(question) : []),
    ]
  })

type Group<C extends { readonly column: Column } = { readonly column: Column }> = {
  readonly prefix: string
  readonly cells: readonly C[]
}
const group = <T>(prefix: string, cells: readonly Cell<T>[]): Group<Cell<T>> => ({ prefix, cells })

const columnsOf = (groups: readonly Group[]): readonly Column[] => {
  const names = uniqueNames(groups.map(({ prefix, cells }) => ({ prefix, names: cells.map(({ column }) => column.name) })))
  return groups.flatMap(({ cells }) => cells).map(({ column }, i) => ({ ...column, name: names[i] ?? column.name }))
}

/** One row per record. */
export const wideTable = (context: ExportContext, { escapeFormulas, namesUsers }: TableOptions = plainOptions): Table => {
  const groups = [
    group(RECORD_PREFIX, escapeFormulas ? [...recordCellsOf(context), escapeMark] : recordCellsOf(context)),
    group(FIELD_PREFIX, fieldCells(context)),
    group('review.', reviewCells(context)),
    group('question.', questionCells(context, namesUsers ? context.usernames : null)),
    group('metadata.', metadataCells(context)),
    group('vector.', vectorCells(context)),
  ]
  const cells = groups.flatMap((one) => one.cells)
  return { columns: columnsOf(groups), rowsOf: (record) => [cells.map(({ read }) => read(record))] }
}

const answerCells = ({ usernames }: ExportContext): readonly Cell<Response>[] => [
  cell('user_id', 'text', 0, ({ user_id }) => user_id),
  cell('username', 'text', 0, ({ user_id }) => usernames.get(user_id) ?? null),
  cell('response.status', 'text', 0, ({ status }) => status),
  cell('response.inserted_at', 'text', 0, ({ inserted_at }) => zoned(inserted_at)),
  cell('response.updated_at', 'text', 0, ({ updated_at }) => zoned(updated_at)),
]

const valueCells = ({ questions }: ExportContext): readonly Cell<Response>[] =>
  questions.map(({ name, settings }) => {
    const { kind, depth } = valueKinds[serverQuestionType(settings).column]
    return cell<Response>(`response.${name}`, kind, depth, (response) => answered(response, name))
  })

const useCells = ({ questions }: ExportContext): readonly Cell<Response>[] =>
  questions.flatMap(({ name }) =>
    useKeys.map((key) =>
      cell<Response>(`suggestion_${key}.${name}`, 'text', 0, (response) => usedSuggestion(response, name, key)),
    ),
  )

/** The paths of labels in trees. */
const pathCells = ({ questions }: ExportContext): readonly Cell<Response>[] =>
  questions.flatMap(({ name, settings }) => {
    const pathOf = labelPathOf(settings)
    if (pathOf === null) return []
    const { kind, depth } = valueKinds[serverQuestionType(settings).column]
    return [cell<Response>(`label_path.${name}`, kind, depth === 0 ? 1 : 2, (response) => pathOf(answered(response, name)))]
  })

/** One row per answer of any status. A record without answers has no row. */
const longTable = (context: ExportContext, { escapeFormulas }: TableOptions): Table => {
  const ofRecord = [
    group(RECORD_PREFIX, escapeFormulas ? [...recordCellsOf(context), escapeMark] : recordCellsOf(context)),
    group(FIELD_PREFIX, fieldCells(context)),
    group('metadata.', metadataCells(context)),
  ]
  const ofAnswer = [
    group('answer.', answerCells(context)),
    group('response.', valueCells(context)),
    group('answer.', useCells(context)),
    group('answer.', pathCells(context)),
  ]
  const first = ofRecord.flatMap(({ cells }) => cells)
  const then = ofAnswer.flatMap(({ cells }) => cells)
  return {
    columns: columnsOf([...ofRecord, ...ofAnswer]),
    rowsOf: (record) => {
      const start = first.map(({ read }) => read(record))
      return (record.responses ?? []).map((response) => [...start, ...then.map(({ read }) => read(response))])
    },
  }
}

/** One row per record with at least one final answer. */
const finalTable = (context: ExportContext, { escapeFormulas }: TableOptions): Table => {
  const { questions, usernames } = context
  const groups = [
    group(RECORD_PREFIX, escapeFormulas ? [...recordCellsOf(context), escapeMark] : recordCellsOf(context)),
    group(FIELD_PREFIX, fieldCells(context)),
    group('metadata.', metadataCells(context)),
    group('review.', reviewCells(context)),
  ]
  const answers = questions.map(({ name, settings }) => {
    const { kind, depth } = valueKinds[serverQuestionType(settings).column]
    const pathOf = labelPathOf(settings)
    const cells: readonly Cell<FinalAnswer | null>[] = [
      cell(`final.${name}`, kind, depth, (answer) => answer && (answer.value as JsonValue)),
      cell(`final.${name}.source`, 'text', 0, (answer) => answer?.source ?? null),
      cell(`final.${name}.user`, 'text', 0, (answer) =>
        answer === null || answer.user === null ? null : (usernames.get(answer.user) ?? answer.user),
      ),
      ...(pathOf === null
        ? []
        : [
            cell<FinalAnswer | null>(
              `final.${name}.path`,
              kind,
              depth === 0 ? 1 : 2,
              (answer) => answer && pathOf(answer.value as JsonValue),
            ),
          ]),
    ]
    return { name, cells, agreement: context.agreementFilled && hasAgreement(settings) ? [agreementCell(name)] : [] }
  })
  const first = groups.flatMap(({ cells }) => cells)
  const ofQuestions = answers.map(({ cells, agreement }) => ({ prefix: 'question.', cells: [...cells, ...agreement] }))
  return {
    columns: columnsOf([...groups, ...ofQuestions]),
    rowsOf: (record) => {
      const found = answers.map(({ name }) => finalAnswerOf(record, name))
      if (found.every((answer) => answer === null)) return []
      const then = answers.flatMap(({ cells, agreement }, i) => [
        ...cells.map(({ read }) => read(found[i] ?? null)),
        ...agreement.map(({ read }) => read(record)),
      ])
      return [[...first.map(({ read }) => read(record)), ...then]]
    },
  }
}

/** The table of a file. */
export const tableFor = (context: ExportContext, shape: FileShape, escapeFormulas = false): Table => {
  const table = { wide: wideTable, long: longTable, final: finalTable }[shape](context, { escapeFormulas, namesUsers: true })
  const convert = withExportedValues(context.questions)
  return { ...table, rowsOf: (record) => table.rowsOf(convert(record)) }
}
