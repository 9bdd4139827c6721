import { z } from 'zod'
import { defineEndpoint } from './define-endpoint.ts'
import { fileTypes } from './files.ts'
import { Job, Mapping } from './jobs.ts'
import { printedDatetime, printedUuid, text } from './scalars.ts'

export const importFormats = ['csv', 'tsv', 'json', 'jsonl'] as const
export type ImportFormat = (typeof importFormats)[number]

/** Rows that a dry run checks. */
export const checkedRows = 100
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
  proposal: ColumnProposal.nullable(),
})
export type ImportColumn = z.infer<typeof ImportColumn>

const PrintedPair = z.strictObject({ source: z.string(), target: z.string() })
const PrintedMapping = z.strictObject({
  fields: z.array(PrintedPair),
  metadata: z.array(PrintedPair),
  suggestions: z.array(PrintedPair),
  external_id: z.string().nullable(),
})

export const ImportFile = z.strictObject({
  id: printedUuid(),
  dataset_id: printedUuid(),
  name: z.string(),
  format: z.enum(importFormats),
  /** Bytes. */
  size: z.int(),
  columns: z.array(ImportColumn),
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

const MappingBody = z.object({ mapping: Mapping })
const inFile = '/datasets/:dataset_id/imports/files/:file_id'

export const uploadFile = defineEndpoint({
  id: 'imports.upload',
  method: 'POST',
  path: '/datasets/:dataset_id/imports/files',
  bodyKind: 'stream',
  query: z.object({
    /** Its ending tells the format, and default external ids begin with the rest. */
    name: text({ min: 1, max: 200 }).default('file'),
    /** For a name without an ending; left out: what the content type says. */
    format: text({ keep: false }).optional(),
  }),
  status: 201,
  result: ImportFile,
  errors: [403, 404],
  addition: true,
  summary: 'Upload a file with records, as the body of the request',
})

export const checkFile = defineEndpoint({
  id: 'imports.check',
  method: 'POST',
  path: `${inFile}/check`,
  body: MappingBody,
  result: z.strictObject({ rows: z.int(), errors: z.array(RowFault) }),
  errors: [403, 404],
  addition: true,
  summary: 'What is wrong with the first 100 rows of an uploaded file; writes nothing',
})

export const startImport = defineEndpoint({
  id: 'imports.start',
  method: 'POST',
  path: `${inFile}/start`,
  body: MappingBody,
  status: 202,
  result: Job,
  errors: [403, 404],
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

export const importEndpoints = [uploadFile, checkFile, startImport, importReport] as const
