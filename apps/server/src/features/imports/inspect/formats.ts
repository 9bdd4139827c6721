import { type ImportFormat, importFormats } from '@postil/contract/files/import-formats.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'

const BY_ENDING: { readonly [ending: string]: ImportFormat } = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  zip: 'zip',
}
const BY_TYPE: { readonly [type: string]: ImportFormat } = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/x-jsonlines': 'jsonl',
  'application/vnd.apache.parquet': 'parquet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/zip': 'zip',
}
const KNOWN = importFormats.join(', ')

/**
 * The format of a file: what is asked for, else what its name ends with, else its content type.
 * @throws Problem unprocessable, a sentence that names the formats there are
 */
export const formatOf = (file: {
  readonly name: string
  readonly format?: string | undefined
  readonly type?: string | undefined
}): ImportFormat => {
  const asked = file.format?.toLowerCase() ?? /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase()
  if (asked !== undefined) {
    const found = BY_ENDING[asked]
    if (asked === 'xls' || asked === 'xlsb') throw unprocessable(sayRefusal('oldWorkbook', { format: asked }))
    if (found === undefined) throw unprocessable(sayRefusal('unknownFormat', { format: JSON.stringify(asked), known: KNOWN }))
    return found
  }
  const found = BY_TYPE[file.type?.split(';')[0]?.trim().toLowerCase() ?? '']
  if (found === undefined) throw unprocessable(sayRefusal('noFormat', { known: KNOWN }))
  return found
}
