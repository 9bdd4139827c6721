/** Formats of files that records are imported from. Nothing here needs more than data, so the page can take it along. */
export const importFormats = ['csv', 'tsv', 'json', 'jsonl', 'parquet', 'xlsx', 'zip'] as const
export type ImportFormat = (typeof importFormats)[number]
const textFormats: readonly ImportFormat[] = ['csv', 'tsv', 'json', 'jsonl']
/** Whether files of a format are text, of which every byte is looked at when it arrives. */
export const isTextFormat = (format: ImportFormat): boolean => textFormats.includes(format)
/** Whether rows of a format stand in lines that a person can count: those of a text, or of a sheet. */
export const hasLines = (format: ImportFormat): boolean => isTextFormat(format) || format === 'xlsx'
