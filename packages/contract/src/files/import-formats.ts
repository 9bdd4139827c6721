/** File formats of imports. This module has no dependencies, so that the page can bundle it. */
export const importFormats = ['csv', 'tsv', 'json', 'jsonl', 'conll', 'parquet', 'xlsx', 'zip'] as const
export type ImportFormat = (typeof importFormats)[number]
const textFormats: readonly ImportFormat[] = ['csv', 'tsv', 'json', 'jsonl', 'conll']
/** Whether a format is text. Every byte of a text file is checked as it arrives. */
export const isTextFormat = (format: ImportFormat): boolean => textFormats.includes(format)
/** Whether the rows of a format have line numbers: lines of a text file, or row numbers of a sheet. */
export const hasLines = (format: ImportFormat): boolean => isTextFormat(format) || format === 'xlsx'
