export type Cell = string | number | null
export type Sheet = { readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] }

/** Spreadsheets would run a text that begins like a formula. */
const safe = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const print = (cell: Cell): string => (cell === null ? '' : typeof cell === 'number' ? String(cell) : quote(safe(cell)))

export const toCsv = ({ head, rows }: Sheet): string => [head, ...rows].map((row) => `${row.map(print).join(',')}\r\n`).join('')
