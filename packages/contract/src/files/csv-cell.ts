/**
 * Matches the start of text that spreadsheets may run as a formula: a formula sign (including its full-width form) or a character
 * that some programs skip before it. Leading apostrophes match too, so that escaping can be undone.
 */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/
const escaped = /^'+[=+\-@＝＋－＠\t\r\n]/

/**
 * Name of a column that marks a file with escaped formulas. In such a file, text that spreadsheets may run as a formula is
 * preceded by an apostrophe.
 */
export const ESCAPE_MARK = '_escaped_formulas'

/** Puts an apostrophe before text that spreadsheets may run as a formula. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Undoes `escapeFormula`. */
export const unescapeFormula = (text: string): string => (escaped.test(text) ? text.slice(1) : text)

/** Quotes a cell of a CSV file if it contains a quote, a comma or a line break (RFC 4180). */
export const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Formats a cell of a CSV report. Reports contain untrusted text, so formulas are escaped. */
export const reportCell = (value: string | number | null): string => quoteCell(escapeFormula(String(value ?? '')))
