import { z } from 'zod'
import { FieldCreate } from '../fields.ts'
import { Job, Mapping } from '../jobs.ts'
import { MetadataPropertyCreate } from '../metadata-properties.ts'
import { QuestionCreate } from '../questions.ts'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { defaultLimits, type Limits } from '../wire/limits.ts'
import { ReasonPart } from '../wire/reason-part.ts'
import { itemsOf, json, jsonObject, printedDatetime, printedUuid, text } from '../wire/scalars.ts'
import { fileTypes } from './files.ts'
import { importFormats } from './import-formats.ts'

/** Rows of a dataset of the hub that a dry run checks. */
export const checkedRows = 100
/** Rows that are shown of a file, and records of a dry run. */
export const shownRows = 5
/** A column with more different values tells none of them. */
export const maxColumnValues = 100
/** Rows of a file that may be wrong before its import is given up. */
export const maxImportFaults = 10_000

export const columnTypes = ['text', 'integer', 'float', 'boolean', 'list', 'object', 'mixed', 'empty'] as const
export type ColumnType = (typeof columnTypes)[number]

/** What a column looks made for: where its values could go, and the type that a new field, question or property would have. */
export const ColumnProposal = z.strictObject({
  role: z.enum(['field', 'suggestion', 'metadata', 'external_id']),
  type: z.string().nullable(),
})
export type ColumnProposal = z.infer<typeof ColumnProposal>

export const ImportColumn = z.strictObject({
  name: z.string(),
  type: z.enum(columnTypes),
  /** Some values, shortened. */
  samples: z.array(z.string()),
  /** All different values of the rows it is judged by, those of lists one by one; null where they are too many or too long. */
  values: z.array(z.string()).nullable(),
  /** Whether none of the first rows is without a value. */
  complete: z.boolean(),
  proposal: ColumnProposal.nullable(),
})
export type ImportColumn = z.infer<typeof ImportColumn>

/** Which columns become what of a record, of a file that may be a download: `record_id` is the column with the ids of records themselves. */
export const FileMapping = Mapping.extend({ record_id: text().nullish() })
export type FileMapping = z.infer<typeof FileMapping>

const PrintedPair = z.strictObject({ source: z.string(), target: z.string() })
const PrintedMapping = z.strictObject({
  fields: z.array(PrintedPair),
  metadata: z.array(PrintedPair),
  suggestions: z.array(PrintedPair),
  external_id: z.string().nullable(),
  record_id: z.string().nullable(),
})

export const ImportFile = z.strictObject({
  id: printedUuid(),
  /** Null while it belongs to no dataset. */
  dataset_id: printedUuid().nullable(),
  name: z.string(),
  format: z.enum(importFormats),
  /** Of workbooks: names of their sheets, and the one that rows are read from; empty and null for other files. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  /** Bytes. */
  size: z.int(),
  columns: z.array(ImportColumn),
  /** The first rows: their cells in the order of the columns, shortened; null where there is no value. */
  rows: z.array(z.array(z.string().nullable())),
  mapping: PrintedMapping,
  inserted_at: printedDatetime(),
  expires_at: printedDatetime(),
})
export type ImportFile = z.infer<typeof ImportFile>

/** A row that cannot become a record. Rows count from 1, a heading not among them; lines are those of the file. */
export const RowFault = z.strictObject({
  row: z.int(),
  line: z.int(),
  column: z.string().nullable(),
  reason: z.string(),
})
export type RowFault = z.infer<typeof RowFault>

/** A fault as a dry run tells it: `reason_parts` is what `reason` says, by codes; none where it has no code. */
export const ToldFault = z.strictObject({ ...RowFault.shape, reason_parts: z.array(ReasonPart) })
export type ToldFault = z.infer<typeof ToldFault>

/** What a row becomes, before it is stored. */
export const PlannedRecord = z.strictObject({
  row: z.int(),
  external_id: z.string(),
  fields: jsonObject(),
  metadata: jsonObject(),
  suggestions: z.array(z.strictObject({ question: z.string(), value: json() })),
})
export type PlannedRecord = z.infer<typeof PlannedRecord>

/** Outcome of a dry run: how many rows it read, whether these are all, what is wrong with them, and the first records that would be made. */
export const FileCheck = z.strictObject({
  rows: z.int(),
  whole: z.boolean(),
  errors: z.array(ToldFault),
  records: z.array(PlannedRecord),
})
export type FileCheck = z.infer<typeof FileCheck>

/** An import that was started, with how far it is. */
export const Import = z.strictObject({
  file: z.strictObject({ id: printedUuid(), name: z.string(), size: z.int() }),
  job: Job,
  inserted_at: printedDatetime(),
})
export type Import = z.infer<typeof Import>

/** The settings of a dataset that does not exist yet. */
export const PlanBody = (limits: Limits) =>
  z.object({
    mapping: Mapping,
    fields: z.array(FieldCreate).max(1000),
    questions: z.array(QuestionCreate(limits)).max(1000),
    metadata_properties: z.array(MetadataPropertyCreate).max(1000).default([]),
  })
export type Plan = z.output<ReturnType<typeof PlanBody>>

const MappingBody = z.object({ mapping: FileMapping })
/** What a file is called, and how it is read. */
export const FileQuery = z.object({
  /** Its ending tells the format, and default external ids begin with the rest. */
  name: text({ min: 1, max: 200 }).default('file'),
  /** For a name without an ending; left out: what the content type says. */
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
  summary: 'Upload a file with records, as the body of the request',
})

export const checkFile = defineEndpoint({
  id: 'imports.check',
  method: 'POST',
  path: `${inFile}/check`,
  body: MappingBody,
  result: FileCheck,
  errors: [403, 404],
  addition: true,
  summary: 'What is wrong with the rows of an uploaded file, as many as a second is enough for; writes nothing',
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
  summary: 'The rows that an import could not read, as a file',
})

export const listImports = defineEndpoint({
  id: 'imports.list',
  method: 'GET',
  path: '/datasets/:dataset_id/imports',
  result: itemsOf(Import),
  errors: [403, 404],
  addition: true,
  summary: 'The last imports into a dataset, newest first',
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
  summary: 'Read an uploaded workbook from another of its sheets',
})

export const chooseMySheet = defineEndpoint({
  id: 'imports.sheet_mine',
  method: 'POST',
  path: '/me/imports/files/:file_id/sheet',
  body: SheetBody,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'The same for a file of a dataset that does not exist yet',
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

/** The operator sets how many options a question may have, so the route is made with the limits in force. */
export const checkMyFileWith = (limits: Limits) =>
  defineEndpoint({
    id: 'imports.check_mine',
    method: 'POST',
    path: '/me/imports/files/:file_id/check',
    body: PlanBody(limits),
    result: FileCheck,
    errors: [403, 404],
    addition: true,
    summary: 'What rows would become in a dataset with these settings, as many as a second is enough for; writes nothing',
  })
export const checkMyFile = checkMyFileWith(defaultLimits)

export const importEndpoints = [
  uploadFile,
  chooseSheet,
  checkFile,
  startImport,
  importReport,
  listImports,
  uploadMyFile,
  chooseMySheet,
  checkMyFile,
] as const
