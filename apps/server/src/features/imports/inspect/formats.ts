import { type ImportFormat, importFormats } from '@postil/contract/files/import-formats.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'

const BY_ENDING: { readonly [ending: string]: ImportFormat } = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  conll: 'conll',
  conllu: 'conll',
  iob: 'conll',
  iob2: 'conll',
  bio: 'conll',
  bioes: 'conll',
  txt: 'txt',
  text: 'txt',
  md: 'txt',
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
  'text/plain': 'txt',
}
const KNOWN = importFormats.join(', ')

/**
 * Returns a file's format. The requested format is used if there is one. Otherwise, the file's extension determines the format.
 * If the name has no extension, the content type determines it.
 * @throws Problem unprocessable with a message that lists the supported formats
 */
export const formatOf = (file: {
  readonly name: string
  readonly format?: string | undefined
  readonly type?: string | undefined
}): ImportFormat => {
  const requested = file.format?.toLowerCase() ?? /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase()
  if (requested !== undefined) {
    const found = BY_ENDING[requested]
    if (requested === 'xls' || requested === 'xlsb') throw unprocessable(message('oldWorkbook', { format: requested }))
    if (found === undefined) throw unprocessable(message('unknownFormat', { format: JSON.stringify(requested), known: KNOWN }))
    return found
  }
  const found = BY_TYPE[file.type?.split(';')[0]?.trim().toLowerCase() ?? '']
  if (found === undefined) throw unprocessable(message('noFormat', { known: KNOWN }))
  return found
}
