/**
 * A cell of a report for spreadsheets, quoted as in RFC 4180. NOTE: a spreadsheet takes a cell that begins like a formula for one, and
 * what reports name are texts of strangers.
 */
export const reportCell = (value: string | number | null): string => {
  const text = String(value ?? '').replace(/^[=+@\t\r-]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
