import { z } from 'zod'
import { FieldCreate } from '../fields.ts'
import { Job, Mapping } from '../jobs.ts'
import { MetadataPropertyCreate } from '../metadata-properties.ts'
import { QuestionCreate } from '../questions.ts'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { defaultLimits, type Limits } from '../wire/limits.ts'
import { ReasonPart } from '../wire/reason-part.ts'
import { int, itemsOf, json, jsonObject, printedDatetime, printedUuid, text, uuid } from '../wire/scalars.ts'
import { tagged } from '../wire/tagged.ts'
import { encodings } from './encodings.ts'
import { fileTypes } from './files.ts'
import { ForeignContents, foreignFormats, maxAnnotators, readAs } from './foreign-formats.ts'
import { importFormats, textUnits } from './import-formats.ts'

/** The number of rows of a Hub dataset that a dry run checks. */
export const checkedRows = 100
/** The number of rows in the preview of a file, and of records in the result of a dry run. */
export const shownRows = 5
/** The maximum number of distinct values that are listed for a column. If a column has more, none are listed. */
export const maxColumnValues = 500
/** The maximum number of bad rows. An import with more bad rows fails. */
export const maxImportFaults = 10_000

/**
 * An import lists the columns that it finds only after the preview and doesn't import. This is the maximum length of the list.
 */
export const maxLaterColumns = 100

export const columnTypes = ['text', 'integer', 'float', 'boolean', 'list', 'object', 'mixed', 'empty'] as const
export type ColumnType = (typeof columnTypes)[number]

/**
 * How a column could be used. `role` is the role of its values. `type` is the type of the new field, question or property for
 * these values.
 */
export const ColumnProposal = z.strictObject({
  role: z.enum(['field', 'suggestion', 'metadata', 'external_id']),
  type: z.string().nullable(),
})
export type ColumnProposal = z.infer<typeof ColumnProposal>

export const ImportColumn = z.strictObject({
  name: z.string(),
  type: z.enum(columnTypes),
  /** Some values, truncated. */
  samples: z.array(z.string()),
  /**
   * All distinct values in the sampled rows. The items of a list count as separate values. Null if there are too many values or
   * one is too long.
   */
  values: z.array(z.string()).nullable(),
  /** Whether the column has a value in each of the first rows. */
  complete: z.boolean(),
  proposal: ColumnProposal.nullable(),
  /** The separator of several labels in one cell. If it is set, `values` lists the single labels. */
  separator: z.string().exactOptional(),
  /**
   * The multi-label question that this column belongs to. Such a question has one column per label. The column is named after the
   * label and contains 0 or 1 in each row.
   */
  group: z.string().exactOptional(),
  /** The column whose suggestions this column scores. */
  score_of: z.string().exactOptional(),
})
export type ImportColumn = z.infer<typeof ImportColumn>

/**
 * How the annotations of one person in a file of another program are imported. `name`: the person's name in the file, or empty
 * for annotations without a name. `user_id`: the user who becomes the author of the imported answers.
 */
export const AnnotatorMapping = tagged('as', [
  z.object({ name: text(), as: z.literal('answers'), user_id: uuid() }),
  z.object({ name: text(), as: z.literal('suggestions') }),
  z.object({ name: text(), as: z.literal('nothing') }),
])
export type AnnotatorMapping = z.infer<typeof AnnotatorMapping>

/** The mapping of a file. If a person isn't listed in `annotators`, the person's annotations are imported as suggestions. */
const MappingOfFile = Mapping.extend({ annotators: z.array(AnnotatorMapping).max(maxAnnotators).nullish() })

/** The mapping of a file. `record_id` names the column with the IDs of existing records, if the file is an earlier export. */
export const FileMapping = MappingOfFile.extend({ record_id: text().nullish() })
export type FileMapping = z.infer<typeof FileMapping>

const PrintedPair = z.strictObject({ source: z.string(), target: z.string() })
const PrintedMapping = z.strictObject({
  fields: z.array(PrintedPair),
  metadata: z.array(PrintedPair),
  suggestions: z.array(PrintedPair.extend({ separator: z.string().exactOptional() })),
  external_id: z.string().nullable(),
  record_id: z.string().nullable(),
})

/**
 * How a file is read, as recognized or chosen. Keys that don't apply to the file are null.
 * - `encoding`: the encoding of a text file
 * - `damaged_at`: the offset of the first invalid byte, if the text is damaged UTF-8; invalid bytes were replaced by U+FFFD
 * - `separator`: the separator of a table; empty if the table has one column
 * - `heading_row`: the line of the heading, or its row in the sheet; 0 if there is no heading
 * - `first_rows`: the rows of a table from which the heading can be chosen; their text is truncated
 * - `unit`: the part of a `.txt` file that is imported as one record
 */
export const FileReading = z.strictObject({
  encoding: z.enum(encodings).nullable(),
  damaged_at: z.int().nullable(),
  separator: z.string().nullable(),
  heading_row: z.int().nullable(),
  first_rows: z.array(z.strictObject({ row: z.int(), text: z.string() })),
  unit: z.enum(textUnits).nullable(),
})
export type FileReading = z.infer<typeof FileReading>

export const ImportFile = z.strictObject({
  id: printedUuid(),
  /** Null until the file belongs to a dataset. */
  dataset_id: printedUuid().nullable(),
  name: z.string(),
  format: z.enum(importFormats),
  /** For workbooks: the names of the sheets, and the sheet that rows are read from. Empty and null for other files. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  /** Bytes. */
  size: z.int(),
  /** The format of another program that was recognized in the content. Null if none was recognized. */
  recognized: z.enum(foreignFormats).nullable(),
  /** How the rows are read. */
  read_as: z.enum(readAs),
  /**
   * What the rows contain, if they are read as a format of another program or if the file is a download from Postil. Otherwise
   * null.
   */
  contents: ForeignContents.nullable(),
  reading: FileReading,
  columns: z.array(ImportColumn),
  /** The cells of the first rows in column order, truncated. Null if a cell has no value. */
  rows: z.array(z.array(z.string().nullable())),
  mapping: PrintedMapping,
  inserted_at: printedDatetime(),
  expires_at: printedDatetime(),
})
export type ImportFile = z.infer<typeof ImportFile>

/** A row that can't be imported. `row` starts at 1 and doesn't count the header. `line` is the line in the file. */
export const RowFault = z.strictObject({
  row: z.int(),
  line: z.int(),
  column: z.string().nullable(),
  reason: z.string(),
})
export type RowFault = z.infer<typeof RowFault>

/** A fault in the result of a dry run. `reason_parts` is `reason` as codes. It is empty if the reason has no code. */
export const ReportedFault = z.strictObject({ ...RowFault.shape, reason_parts: z.array(ReasonPart) })
export type ReportedFault = z.infer<typeof ReportedFault>

/** The record that the import would create from a row. */
export const PlannedRecord = z.strictObject({
  row: z.int(),
  external_id: z.string(),
  fields: jsonObject(),
  metadata: jsonObject(),
  suggestions: z.array(z.strictObject({ question: z.string(), value: json() })),
})
export type PlannedRecord = z.infer<typeof PlannedRecord>

/**
 * The result of a dry run. `rows` is the number of rows read, and `whole` says whether these are all rows of the file. `errors`
 * are the rows that can't be imported. `warnings` are rows that can be imported but were probably misread. `records` are the
 * first records that would be created.
 */
export const FileCheck = z.strictObject({
  rows: z.int(),
  whole: z.boolean(),
  errors: z.array(ReportedFault),
  warnings: z.array(ReportedFault),
  records: z.array(PlannedRecord),
})
export type FileCheck = z.infer<typeof FileCheck>

/** A started import and its progress. */
export const Import = z.strictObject({
  file: z.strictObject({ id: printedUuid(), name: z.string(), size: z.int() }),
  job: Job,
  inserted_at: printedDatetime(),
})
export type Import = z.infer<typeof Import>

/** The settings of a dataset that does not exist yet. */
export const PlanBody = (limits: Limits) =>
  z.object({
    mapping: MappingOfFile,
    fields: z.array(FieldCreate).max(1000),
    questions: z.array(QuestionCreate(limits)).max(1000),
    metadata_properties: z.array(MetadataPropertyCreate).max(1000).default([]),
  })
export type Plan = z.output<ReturnType<typeof PlanBody>>

const MappingBody = z.object({ mapping: FileMapping })
/** The name and the format of a file. */
export const FileQuery = z.object({
  /** The extension determines the format. Default external ids start with the name without its extension. */
  name: text({ min: 1, max: 200 }).default('file'),
  /**
   * Overrides the extension in the file's name. If there is neither a format nor an extension, the content type determines the
   * format.
   */
  format: text({ keep: false }).optional(),
})
const inFile = '/datasets/:dataset_id/imports/files/:file_id'

export const uploadFile = defineEndpoint({
  id: 'imports.upload',
  method: 'POST',
  path: '/datasets/:dataset_id/imports/files',
  bodyKind: 'stream',
  query: FileQuery,
  status: 201,
  result: ImportFile,
  errors: [403, 404, 429],
  addition: true,
  summary: 'Upload a file with records as the request body',
})

export const checkFile = defineEndpoint({
  id: 'imports.check',
  method: 'POST',
  path: `${inFile}/check`,
  body: MappingBody,
  result: FileCheck,
  errors: [403, 404],
  addition: true,
  summary: 'Check as many rows of an uploaded file as possible within one second; writes nothing',
})

export const startImport = defineEndpoint({
  id: 'imports.start',
  method: 'POST',
  path: `${inFile}/start`,
  body: MappingBody,
  status: 202,
  result: Job,
  errors: [403, 404, 429],
  addition: true,
  summary: 'Import an uploaded file in the background',
})

export const importReport = defineEndpoint({
  id: 'imports.report',
  method: 'GET',
  path: `${inFile}/report`,
  query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
  media: [fileTypes.jsonl.contentType, fileTypes.csv.contentType],
  status: 200,
  errors: [403, 404],
  addition: true,
  summary: 'Download the rows that an import skipped, with the reasons, as a file',
})

export const listImports = defineEndpoint({
  id: 'imports.list',
  method: 'GET',
  path: '/datasets/:dataset_id/imports',
  result: itemsOf(Import),
  errors: [403, 404],
  addition: true,
  summary: 'List the latest imports into a dataset, newest first',
})

const SheetBody = z.object({ sheet: text({ min: 1 }) })

export const chooseSheet = defineEndpoint({
  id: 'imports.sheet',
  method: 'POST',
  path: `${inFile}/sheet`,
  body: SheetBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Choose which sheet of an uploaded workbook to read',
})

export const chooseMySheet = defineEndpoint({
  id: 'imports.sheet_mine',
  method: 'POST',
  path: '/me/imports/files/:file_id/sheet',
  body: SheetBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Choose which sheet of a workbook to read, for a dataset that does not exist yet',
})

const ReadAsBody = z.object({ as: z.enum(readAs) })

export const chooseReadAs = defineEndpoint({
  id: 'imports.read_as',
  method: 'POST',
  path: `${inFile}/read-as`,
  body: ReadAsBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Choose whether to read an uploaded file as a format of another program or as a plain table',
})

export const chooseMyReadAs = defineEndpoint({
  id: 'imports.read_as_mine',
  method: 'POST',
  path: '/me/imports/files/:file_id/read-as',
  body: ReadAsBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Choose whether to read a file as a format of another program or a plain table, for a dataset that does not exist yet',
})

/**
 * The last row that can be chosen as the heading. It is limited because all rows of a workbook up to the heading are in memory at
 * the same time.
 */
export const MAX_HEADING_ROW = 1000

/**
 * How to read a file. Omitted keys don't change anything. Null means that the server recognizes the value from the content.
 * `separator` is one ASCII character, or empty for a table with one column.
 */
export const ReadingBody = z.object({
  encoding: z.enum(encodings).nullish(),
  separator: text({ pattern: /^[\t -~]?$/ }).nullish(),
  heading_row: int({ ge: 0, le: MAX_HEADING_ROW }).nullish(),
  unit: z.enum(textUnits).nullish(),
})
export type ReadingBody = z.infer<typeof ReadingBody>

export const chooseReading = defineEndpoint({
  id: 'imports.reading',
  method: 'POST',
  path: `${inFile}/reading`,
  body: ReadingBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Choose the encoding, the separator and the heading of an uploaded file',
})

export const chooseMyReading = defineEndpoint({
  id: 'imports.reading_mine',
  method: 'POST',
  path: '/me/imports/files/:file_id/reading',
  body: ReadingBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Choose the encoding, the separator and the heading of a file, for a dataset that does not exist yet',
})

export const uploadMyFile = defineEndpoint({
  id: 'imports.upload_mine',
  method: 'POST',
  path: '/me/imports/files',
  bodyKind: 'stream',
  query: FileQuery,
  status: 201,
  result: ImportFile,
  errors: [403, 429],
  addition: true,
  summary: 'Upload a file for a dataset that does not exist yet',
})

/** Takes the limits as a parameter because the operator sets how many options a question can have. */
export const checkMyFileWith = (limits: Limits) =>
  defineEndpoint({
    id: 'imports.check_mine',
    method: 'POST',
    path: '/me/imports/files/:file_id/check',
    body: PlanBody(limits),
    result: FileCheck,
    errors: [403, 404],
    addition: true,
    summary: 'Check which records the rows of a file would become in a dataset with these settings; writes nothing',
  })
export const checkMyFile = checkMyFileWith(defaultLimits)

export const importEndpoints = [
  uploadFile,
  chooseSheet,
  chooseReadAs,
  chooseReading,
  checkFile,
  startImport,
  importReport,
  listImports,
  uploadMyFile,
  chooseMySheet,
  chooseMyReadAs,
  chooseMyReading,
  checkMyFile,
] as const
