import { pathOf } from '@postil/client/call.ts'
import type { FileFormat, FileShape } from '@postil/contract/files/files.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'

export type DownloadOptions = {
  readonly format: FileFormat
  readonly shape: FileShape
  readonly question: string | null
  readonly escapeFormulas: boolean
  readonly search: SearchBodyInput | null
}

/** Tabular formats, which have a shape. The other formats export the spans of one question. */
export const tables: readonly FileFormat[] = ['jsonl', 'csv', 'parquet']
export const spanFormats: readonly FileFormat[] = ['conll', 'spacy']

/**
 * Returns the file's path below the prefix. The browser downloads the file as a stream, so the page doesn't hold it in memory.
 */
export const downloadPath = (datasetId: string, { format, shape, question, escapeFormulas, search }: DownloadOptions): string => {
  const isTable = tables.includes(format)
  const query = new URLSearchParams({
    format,
    ...(isTable && { shape }),
    ...(!isTable && question !== null && { question }),
    ...(format === 'csv' && escapeFormulas && { escape_formulas: 'true' }),
    ...(search !== null && { search: JSON.stringify(search) }),
  })
  return `${pathOf('GET /datasets/:dataset_id/records/download', { dataset_id: datasetId })}?${query}`
}
