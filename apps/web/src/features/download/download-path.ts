import { pathOf } from '@postil/client/call.ts'
import type { FileFormat, FileShape } from '@postil/contract/files/files.ts'
import { isTrainingFormat } from '@postil/contract/files/training-files.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'

export type DownloadOptions = {
  readonly format: FileFormat
  readonly shape: FileShape
  readonly question: string | null
  /** Whether only the longest of several overlapping spans is kept if the format can't represent overlapping spans. */
  readonly keepsLongest: boolean
  readonly escapeFormulas: boolean
  readonly search: SearchBodyInput | null
  /** The ID of a snapshot, or null for the current records. A snapshot can't be searched, so `search` is ignored for it. */
  readonly at: string | null
}

/**
 * Formats that can have one row per record or one row per answer. Other files contain all submitted answers or only the final
 * answers.
 */
export const tables: readonly FileFormat[] = ['jsonl', 'csv', 'parquet']
const programs = ['label_studio', 'doccano', 'prodigy'] as const satisfies readonly FileFormat[]
const training = ['datasets', 'openai', 'dpo', 'kto', 'spacy', 'conll'] as const satisfies readonly FileFormat[]
export const formatGroups = { tables, programs, training } as const

/**
 * Returns the file's path below the prefix. The browser downloads the file as a stream, so the page doesn't hold it in memory.
 */
export const downloadPath = (
  datasetId: string,
  { format, shape, question, keepsLongest, escapeFormulas, search, at }: DownloadOptions,
): string => {
  const query = new URLSearchParams({
    format,
    shape,
    ...(isTrainingFormat(format) && question !== null && { question }),
    ...(format === 'conll' && keepsLongest && { overlaps: 'longest' }),
    ...(format === 'csv' && escapeFormulas && { escape_formulas: 'true' }),
    ...(search !== null && at === null && { search: JSON.stringify(search) }),
    ...(at !== null && { at }),
  })
  return `${pathOf('GET /datasets/:dataset_id/records/download', { dataset_id: datasetId })}?${query}`
}
