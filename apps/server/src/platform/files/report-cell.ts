/**
 * Formats a cell of a CSV report, quoted as in RFC 4180. Spreadsheets run a cell that looks like a formula, and reports contain
 * untrusted text.
 */
export const reportCell = (value: string | number | null): string => {
  const text = String(value ?? '').replace(/^[=+@\t\r-]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
