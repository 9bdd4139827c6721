import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { DateKind } from './dates.ts'
import { printDate } from './dates.ts'
import { type SharedStrings, textCollector, unescaped } from './shared-strings.ts'
import { type Attributes, readXml, WorkbookFault } from './xml.ts'

export type Cell = { readonly value: string | number | boolean } | { readonly fault: Reason }
/** A row that has cells. `line` is the row's number in the sheet. Cells are keyed by their column number, from 0. */
export type SheetRow = { readonly line: number; readonly cells: ReadonlyMap<number, Cell> }
type CellMeaning = {
  readonly strings: SharedStrings
  /** How the numbers of each style are displayed. */
  readonly styles: readonly DateKind[]
  readonly from1904: boolean
}

/** Maximum number of columns in a sheet. */
const MAX_COLUMN = 16_384
/** Maximum number of characters in a row. Longer rows are rejected. */
const MAX_ROW = 8_000_000

/** The letters of a column number, from 0: A, B … Z, AA. */
export const columnLetters = (no: number): string =>
  (no < 26 ? '' : columnLetters(Math.floor(no / 26) - 1)) + String.fromCharCode(65 + (no % 26))

/** Null if the reference doesn't name a column. */
const columnOf = (reference: string): number | null => {
  let no = 0
  let at = 0
  for (; at < reference.length; at += 1) {
    const digit = reference.charCodeAt(at) - 64
    if (digit < 1 || digit > 26) break
    no = no * 26 + digit
  }
  return at === 0 || no > MAX_COLUMN ? null : no - 1
}

type Raw = {
  readonly type: string
  readonly style: number
  readonly value: string | null
  readonly inline: string
  readonly isFormula: boolean
}

/**
 * Parses a number. Returns the original text if a double can't represent the number, or if the number is an integer that a double
 * can't represent exactly.
 */
const numberOf = (written: string): number | string => {
  const number = Number(written)
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(written)) ? number : written
}

const resolveCell = (raw: Raw, place: string, { strings, styles, from1904 }: CellMeaning): Cell | null => {
  const { type, style, value, inline, isFormula } = raw
  if (type === 'inlineStr') return inline === '' ? null : { value: inline }
  if (value === null || value === '') {
    if (type === 'str' && value === '') return null
    return isFormula ? { fault: message('formulaEmpty', { cell: place }) } : null
  }
  if (type === 's') return { value: strings.at(Number(value)) }
  if (type === 'str') return { value: unescaped(value) }
  if (type === 'd') return { value }
  if (type === 'b') return { value: value.trim() === '1' || value.trim() === 'true' }
  if (type === 'e') return { fault: message('cellError', { cell: place, error: value }) }
  const number = numberOf(value.trim())
  const kind = styles[style] ?? null
  return { value: kind === null || typeof number === 'string' ? number : printDate(number, kind, from1904) }
}

/**
 * Reads the rows that have cells, while the sheet is decompressed.
 * @throws WorkbookFault
 */
export async function* sheetRows(chunks: AsyncIterable<Uint8Array>, meaning: CellMeaning): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = []
  let line = 0
  let column = -1
  let size = 0
  let cells = new Map<number, Cell>()
  let cell: Attributes | null = null
  let value: string | null = null
  let inValue = false
  let isFormula = false
  const inline = textCollector()
  const endCell = (): void => {
    if (cell === null) return
    const raw = { type: cell['t'] ?? 'n', style: Number(cell['s'] ?? 0), value, inline: inline.take(), isFormula }
    const found = resolveCell(raw, `${columnLetters(column)}${line}`, meaning)
    cell = null
    if (found === null || ('value' in found && found.value === '')) return
    size += 'value' in found && typeof found.value === 'string' ? found.value.length : 8
    if (size > MAX_ROW) throw new WorkbookFault(`has more than ${MAX_ROW} characters in row ${line}`)
    cells.set(column, found)
  }
  const openRow = (attributes: Attributes): void => {
    const said = Number(attributes['r'] ?? line + 1)
    if (!Number.isSafeInteger(said) || said <= line) throw new WorkbookFault('has rows that are out of order')
    line = said
    column = -1
    size = 0
    cells = new Map()
  }
  const openCell = (attributes: Attributes): void => {
    const said = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r'])
    if (said === null || said <= column || said >= MAX_COLUMN) {
      throw new WorkbookFault(`has cells in row ${line} that are out of order`)
    }
    column = said
    cell = attributes
    value = null
    isFormula = false
  }
  const open = (name: string, attributes: Attributes): void => {
    if (name === 'row') openRow(attributes)
    else if (name === 'c') openCell(attributes)
    else if (name === 'v') {
      inValue = true
      value = ''
    } else if (name === 'f') isFormula = true
    else if (cell !== null) inline.open(name)
  }
  const text = (part: string): void => {
    if (inValue) {
      value += part
      if ((value?.length ?? 0) > MAX_ROW) throw new WorkbookFault(`has more than ${MAX_ROW} characters in row ${line}`)
    } else inline.text(part)
  }
  const close = (name: string): void => {
    if (name === 'v') inValue = false
    else if (name === 'c') endCell()
    else if (name === 'row') {
      if (cells.size > 0) ready.push({ line, cells })
    } else if (cell !== null) inline.close(name)
  }
  for await (const _ of readXml(chunks, { open, text, close })) {
    yield* ready
    ready = []
  }
}
