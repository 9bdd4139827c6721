import { z } from 'zod'
import { searchText } from '../search.ts'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { bool, text, uuid } from '../wire/scalars.ts'

export const fileFormats = [
  'jsonl',
  'csv',
  'parquet',
  'datasets',
  'label_studio',
  'doccano',
  'prodigy',
  'conll',
  'spacy',
  'openai',
  'dpo',
  'kto',
] as const
export type FileFormat = (typeof fileFormats)[number]

/** Formats of downloads. `agreement` is the agreement between annotators as CSV tables. All other formats contain records. */
export const downloadFormats = [...fileFormats, 'agreement'] as const
const DownloadFormat = z.enum(downloadFormats)

export const fileTypes: { readonly [F in FileFormat]: { readonly extension: string; readonly contentType: string } } = {
  jsonl: { extension: 'jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  parquet: { extension: 'parquet', contentType: 'application/vnd.apache.parquet' },
  conll: { extension: 'conll', contentType: 'text/plain; charset=utf-8' },
  spacy: { extension: 'spacy.jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
  datasets: { extension: 'datasets.zip', contentType: 'application/zip' },
  label_studio: { extension: 'label-studio.json', contentType: 'application/json; charset=utf-8' },
  doccano: { extension: 'doccano.jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
  prodigy: { extension: 'prodigy.jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
  openai: { extension: 'openai.jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
  dpo: { extension: 'dpo.jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
  kto: { extension: 'kto.jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
}

/**
 * Which rows a downloaded file has:
 * - `wide`: one row per record
 * - `long`: one row per answer
 * - `final`: one row per record that has a final answer. If the review is finished, the row contains the final answers of the
 *   review. Otherwise, an answer is final if it was given by more than half of the people who answered the question
 */
export const FileShape = z.enum(['wide', 'long', 'final'])
export type FileShape = z.infer<typeof FileShape>

export const downloadRecords = defineEndpoint({
  id: 'files.download',
  method: 'GET',
  path: '/datasets/:dataset_id/records/download',
  query: z.object({
    format: DownloadFormat,
    shape: FileShape.default('wide'),
    /** The name of the question whose answers a training format contains. Optional if only one question fits the format. */
    question: text({ keep: false }).optional(),
    /** What `conll` does with overlapping spans: refuse the download, or keep the longest one. */
    overlaps: z.enum(['refuse', 'longest']).default('refuse'),
    /** Whether to escape cells that start with `=`, `+`, `-` or `@`, for programs that treat them as formulas. */
    escape_formulas: bool().default(false),
    /** The file contains the results of this search, in search order. */
    search: searchText.optional(),
    /** The name or id of a snapshot. The file contains the records, answers and final answers as they were at that time. */
    at: text({ min: 1, keep: false }).optional(),
    /** If set, the file starts after the record with this id and has no header. Used to continue a download. */
    after: uuid().optional(),
  }),
  status: 200,
  media: [...new Set(fileFormats.map((format) => fileTypes[format].contentType))],
  errors: [403, 404],
  addition: true,
  summary: 'Download records with their answers, or the agreement between annotators, as a file',
})

export const fileEndpoints = [downloadRecords] as const
