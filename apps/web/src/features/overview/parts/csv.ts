import { reportCell } from '@postil/contract/files/csv-cell.ts'

export type Cell = string | number | null
export type Sheet = { readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] }

// Numbers are not escaped. Otherwise, spreadsheets would read negative numbers as text.
const print = (cell: Cell): string => (typeof cell === 'number' ? `${cell}` : reportCell(cell))

export const toCsv = ({ head, rows }: Sheet): string => [head, ...rows].map((row) => `${row.map(print).join(',')}\r\n`).join('')
