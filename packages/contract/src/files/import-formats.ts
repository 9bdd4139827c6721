/** File formats of imports. This module has no dependencies, so that the web app can bundle it. */
export const importFormats = ['csv', 'tsv', 'json', 'jsonl', 'conll', 'txt', 'parquet', 'xlsx', 'zip'] as const
export type ImportFormat = (typeof importFormats)[number]
const textFormats: readonly ImportFormat[] = ['csv', 'tsv', 'json', 'jsonl', 'conll', 'txt']
/** Whether a format is text. Every byte of a text file is checked as it arrives. */
export const isTextFormat = (format: ImportFormat): boolean => textFormats.includes(format)
/** Whether the rows of a format have line numbers. In a spreadsheet, these are the row numbers of the sheet. */
export const hasLines = (format: ImportFormat): boolean => isTextFormat(format) || format === 'xlsx'

/**
 * The part of a text file that is imported as one record: each line, each paragraph (lines between empty lines), the whole file,
 * or each row of the table that the file contains.
 */
export const textUnits = ['line', 'paragraph', 'file', 'table'] as const
export type TextUnit = (typeof textUnits)[number]
