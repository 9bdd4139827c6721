import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { type AnswerForm, answerFormOf } from '@postil/contract/question-types/answer-form.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { zipWriter } from '#platform/zip/zip-writer.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { type Annotation, annotationsOf } from '../annotations.ts'
import { uniqueNames } from '../column-names.ts'
import type { ExportContext, FormatWriter } from '../context.ts'
import { withExportedValues } from '../exported-values.ts'
import { openTable, type TableColumn } from '../typed/table-file.ts'
import type { TableType } from '../typed/table-types.ts'

const TEXT: TableType = { kind: 'text' }
const INTEGER: TableType = { kind: 'integer' }

/** The type of a column of labels. A label is stored as its position in the question's list of labels. */
const classOf = ({ settings }: QuestionRow): TableType =>
  'options' in settings ? { kind: 'class', names: settings.options.map(({ value }) => String(value)) } : TEXT

const addedKeys = ({ settings }: QuestionRow): { readonly [key: string]: TableType } =>
  Object.fromEntries(Object.entries(serverQuestionType(settings).exportedKeys ?? {}).map(([key, kind]) => [key, { kind }]))

const answerTypes: { readonly [F in AnswerForm]: (question: QuestionRow) => TableType } = {
  text: () => TEXT,
  number: () => INTEGER,
  label: classOf,
  labels: (question) => ({ kind: 'list', of: classOf(question) }),
  order: (question) => ({ kind: 'list', of: { kind: 'object', keys: { value: classOf(question), rank: INTEGER } } }),
  spans: (question) => ({
    kind: 'list',
    of: { kind: 'object', keys: { start: INTEGER, end: INTEGER, label: classOf(question), ...addedKeys(question) } },
  }),
}

const MESSAGES: TableType = { kind: 'list', of: { kind: 'object', keys: { role: TEXT, content: TEXT } } }

type Read = (record: RecordPayload, annotation: Annotation) => JsonValue
type Typed = { readonly prefix: string; readonly name: string; readonly type: TableType; readonly read: Read }

const termsOf = (value: unknown): JsonValue =>
  value === undefined || value === null
    ? null
    : [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one as JsonValue)))

const columnsOf = ({ fields, questions, properties }: ExportContext): readonly Typed[] => [
  { prefix: 'record.', name: 'id', type: TEXT, read: ({ external_id, id }) => external_id ?? id },
  { prefix: 'record.', name: 'annotator', type: TEXT, read: (_, { user }) => user },
  ...questions.map((question): Typed => {
    const { name, settings } = question
    const read: Read = (_, { values }) => (values.get(name) as AnswerValue as JsonValue | undefined) ?? null
    return { prefix: 'question.', name, type: answerTypes[answerFormOf(settings)](question), read }
  }),
  ...properties.map(({ name, settings: { type } }): Typed => {
    const read: Read = ({ metadata }) => (metadata?.[name] as JsonValue | undefined) ?? null
    if (type === 'terms')
      return { prefix: 'metadata.', name, type: { kind: 'list', of: TEXT }, read: ({ metadata }) => termsOf(metadata?.[name]) }
    return { prefix: 'metadata.', name, type: type === 'integer' ? INTEGER : { kind: 'float' }, read }
  }),
  ...fields.map(({ name, settings }): Typed => {
    const isChat = serverFieldType(settings).hasRoles === true
    const read: Read = ({ fields: values }) => (values[name] as JsonValue | undefined) ?? null
    return { prefix: 'field.', name, type: isChat ? MESSAGES : TEXT, read }
  }),
]

const DATA = 'data/train-00000-of-00001.parquet'

const cardOf = ({ dataset }: ExportContext): string =>
  [
    '---',
    'configs:',
    '- config_name: default',
    '  data_files:',
    '  - split: train',
    `    path: ${DATA}`,
    '---',
    '',
    `# ${dataset.name.replace(/\s+/g, ' ')}`,
    '',
    'Unpack this archive and load the folder with `datasets.load_dataset("FOLDER")`. Labels are `ClassLabel`s.',
    '',
  ].join('\n')

/**
 * A ZIP archive with one row per annotation. The library `datasets` can load the unpacked folder. Labels are stored as
 * `ClassLabel`, which means as numbers with names.
 */
export const datasets: FormatWriter = (context, { shape, isContinued }) => {
  if (isContinued) throw unprocessable(message('cannotContinue', { format: 'datasets' }))
  const columns = columnsOf(context)
  const names = uniqueNames(columns.map(({ prefix, name }) => ({ prefix, names: [name] })))
  const typed: readonly TableColumn[] = columns.map(({ type }, i) => ({ name: names[i] ?? '', type }))
  const table = openTable(typed)
  const convert = withExportedValues(context.questions)
  const zip = zipWriter()
  let isOpen = false
  function* begin(): Generator<Uint8Array> {
    if (isOpen) return
    isOpen = true
    yield zip.begin('README.md')
    yield zip.add(Buffer.from(cardOf(context)))
    yield zip.finish()
    yield zip.begin(DATA)
  }
  return {
    push: function* (records) {
      yield* begin()
      const rows = records
        .values()
        .flatMap((record) =>
          annotationsOf(convert(record), context, shape).map((annotation) => columns.map(({ read }) => read(record, annotation))),
        )
      for (const bytes of table.push(rows)) yield zip.add(bytes)
    },
    end: () => {
      const pieces = [...begin()]
      for (const bytes of table.end()) pieces.push(zip.add(bytes))
      return Buffer.concat([...pieces, zip.finish(), zip.end()])
    },
  }
}
