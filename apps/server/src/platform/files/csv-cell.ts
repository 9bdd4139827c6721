/**
 * The start of a text that spreadsheets may run as a formula: the signs of a formula, also in full width, and the characters
 * that some programs skip before them. Apostrophes before it belong to it, so that escaping can be undone.
 */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/
const escaped = /^'+[=+\-@＝＋－＠\t\r\n]/

/** Puts an apostrophe before a text that spreadsheets may run as a formula. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text that `escapeFormula` returned this text for. */
export const unescapeFormula = (text: string): string => (escaped.test(text) ? text.slice(1) : text)

/** Quotes a cell of a CSV file if it contains a quote, a comma or a line break (RFC 4180). */
export const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Formats a cell of a CSV report. Reports contain untrusted text, so formulas are escaped. */
export const reportCell = (value: string | number | null): string => quoteCell(escapeFormula(String(value ?? '')))
