import type { FileFormat, FileShape } from '@postil/contract/files/files.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'

export type Wanted = {
  readonly format: FileFormat
  readonly shape: FileShape
  readonly question: string | null
  readonly escapeFormulas: boolean
  readonly search: SearchBodyInput | null
}

/** Formats that are tables: they have a shape. The others are made of the spans of one question. */
export const tables: readonly FileFormat[] = ['jsonl', 'csv', 'parquet']
export const spanFormats: readonly FileFormat[] = ['conll', 'spacy']

/** The path below the prefix where the browser finds the file: it streams, so no memory of the page is needed for it. */
export const downloadPath = (datasetId: string, { format, shape, question, escapeFormulas, search }: Wanted): string => {
  const isTable = tables.includes(format)
  const query = new URLSearchParams({
    format,
    ...(isTable && { shape }),
    ...(!isTable && question !== null && { question }),
    ...(format === 'csv' && escapeFormulas && { escape_formulas: 'true' }),
    ...(search !== null && { search: JSON.stringify(search) }),
  })
  return `/api/v1/datasets/${encodeURIComponent(datasetId)}/records/download?${query}`
}
