import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Encoding } from '@postil/contract/files/encodings.ts'
import { Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { openZip, type ZipArchive, type ZipEntry, ZipFault } from '#platform/zip/zip-file.ts'
import type { Layout, Source } from '../inspect/layout.ts'
import { decodeText } from '../reading/detect-encoding.ts'
import { TEXT } from '../reading/json-rows.ts'
import { MAX_ROW } from '../reading/pieces.ts'
import { openText } from '../reading/text-file.ts'
import { type UnfoldedRow, writeRows } from './rows-file.ts'

/** The columns that every archive has: `image` for images or `text` for text files. Tables in the archive may add more. */
export const IMAGE = 'image'
export const FILE_NAME = 'file_name'
export const FOLDER = 'folder'
const ownColumns = (hasTexts: boolean): readonly string[] => [hasTexts ? TEXT : IMAGE, FILE_NAME, FOLDER]

/** Maximum number of files in an archive. Each file's row is kept in memory while the archive is unfolded. */
const MAX_ENTRIES = 200_000
/**
 * Maximum size of an archive's tables after unpacking, in bytes. The tables' content is kept in memory until it is joined with
 * the rows of the archive's files.
 */
const MAX_TABLE = 64_000_000

/** Files that programs and operating systems add to archives automatically. */
const isJunk = (name: string): boolean => /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name)
const TABLE = /(?:^|\/)metadata\.(csv|jsonl)$/i
const TEXT_FILE = /\.(txt|text|md)$/i
const IMAGE_FILE = /\.(png|jpe?g|gif|webp|avif|bmp)$/i
const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1)

type Cells = { readonly [column: string]: unknown }
/** A table row that describes a file: its cells, or the reason why it can't be used. */
type TableEntry = { readonly cells: Cells } | { readonly fault: Reason }
/** Reads the rows of a table that is stored in a separate file. */
export type ReadTable = (
  path: string,
  format: 'csv' | 'jsonl',
) => AsyncGenerator<{ readonly line: number } & ({ readonly values: ReadonlyMap<string, unknown> } | { readonly fault: Reason })>

type Tables = {
  /** Keyed by the file's name in the archive. */
  readonly tableEntries: Map<string, TableEntry>
  readonly columns: ReadonlySet<string>
  readonly isText: boolean
  /** Faults in the tables themselves. */
  readonly faults: readonly Reason[]
}

type TableRow = Awaited<ReturnType<ReturnType<ReadTable>['next']>>['value']

/** Returns the cells of a table row and the name of the file that the row describes. Returns a fault if the row is invalid. */
const readRow = (
  row: TableRow,
  table: string,
  reserved: readonly string[],
): { readonly named: string; readonly cells: Cells } | { readonly fault: Reason } => {
  const { line } = row
  if ('fault' in row) return { fault: message('tableLine', { line, table }, row.fault) }
  const named = row.values.get(FILE_NAME)
  if (typeof named !== 'string' || named === '') return { fault: message('tableNoName', { line, table, column: FILE_NAME }) }
  const { [FILE_NAME]: _, ...cells } = Object.fromEntries(row.values)
  const reservedName = Object.keys(cells).find((name) => reserved.includes(name))
  if (reservedName === undefined) return { named: named.replace(/^\.\//, ''), cells }
  throw unprocessable(message('columnReserved', { column: JSON.stringify(reservedName), table }))
}

type TablesArgs = { readonly tables: readonly ZipEntry[]; readonly scratch: string; readonly reserved: readonly string[] }

const readTables = async (zip: ZipArchive, { tables, scratch, reserved }: TablesArgs, read: ReadTable): Promise<Tables> => {
  const tableEntries = new Map<string, TableEntry>()
  const columns = new Set<string>()
  const faults: Reason[] = []
  const take = (row: TableRow, table: string): void => {
    const found = readRow(row, table, reserved)
    if ('fault' in found) {
      faults.push(found.fault)
      return
    }
    const { named, cells } = found
    const file = `${folderOf(table)}${named}`.normalize()
    for (const name of Object.keys(cells)) columns.add(name)
    tableEntries.set(
      file,
      tableEntries.has(file) ? { fault: message('saidTwice', { table, file: JSON.stringify(named) }) } : { cells },
    )
  }
  for (const table of tables) {
    const converted: string[] = []
    const pathFor = (encoding: Encoding): string => {
      converted.push(`${scratch}.${encoding}`)
      return `${scratch}.${encoding}`
    }
    try {
      await pipeline(zip.read(table, MAX_TABLE), createWriteStream(scratch, { mode: 0o600 }))
      const { path, damagedAt } = await openText(scratch, pathFor)
      if (damagedAt !== undefined) throw unprocessable(message('notUtf8', { byte: damagedAt }))
      for await (const row of read(path, /csv$/i.test(table.name) ? 'csv' : 'jsonl')) take(row, table.name)
    } catch (error) {
      if (!(error instanceof Problem) || error.data.kind !== 'unprocessable') throw error
      throw unprocessable(message('tableRefused', { table: table.name }, error.reason))
    } finally {
      for (const path of [scratch, ...converted]) await rm(path, { force: true })
    }
  }
  return { tableEntries, columns, isText: tables.length > 0 && tables.every(({ name }) => /csv$/i.test(name)), faults }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 200))

const faultOf = ({ name, isBadName, kind }: ZipEntry): Reason | null => {
  if (isBadName) return message('nameLeadsOut', { file: shown(name) })
  return kind === 'link' ? message('isLink', { file: shown(name) }) : null
}

/** The cells with the content of a file, or why it can't be read. */
type Contents = { readonly cells: Cells } | { readonly fault: Reason }

const textIn = async (zip: ZipArchive, file: ZipEntry): Promise<Contents> => {
  const { name, entry } = file
  if (!TEXT_FILE.test(name)) return { fault: message('notATextFile', { file: shown(name) }) }
  if (entry.uncompressedSize > MAX_ROW) return { fault: message('rowBytes', { limit: MAX_ROW }) }
  const chunks: Uint8Array[] = []
  for await (const chunk of zip.read(file, MAX_ROW)) chunks.push(chunk)
  try {
    return { cells: { [TEXT]: decodeText(Buffer.concat(chunks)).trim() } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { fault: message('fileRefused', { file: shown(name) }, error.reason) }
  }
}

/**
 * Returns the value of the first column in a file's row. For a text file, this is its text. For an image, it is the image's
 * location in the archive.
 */
type ReadContent = (file: ZipEntry) => Promise<Contents>

const contentReader = (zip: ZipArchive, hasTexts: boolean): ReadContent =>
  hasTexts ? (file) => textIn(zip, file) : async ({ name, entry }) => ({ cells: { [IMAGE]: JSON.stringify({ name, entry }) } })

async function* rowsOf(
  files: readonly ZipEntry[],
  { tableEntries, faults }: Tables,
  readContent: ReadContent,
): AsyncGenerator<UnfoldedRow> {
  let line = 0
  const seen = new Set<string>()
  // Names are normalized before they are compared. For example, macOS stores ä in file names as a letter and a combining mark,
  // but in a table that was typed by hand, ä is a single character.
  const seenFiles = new Set<string>()
  for (const file of files) {
    line += 1
    const { name } = file
    const about = tableEntries.get(name.normalize())
    const fault =
      faultOf(file) ??
      (seen.has(name) ? message('inArchiveTwice', { file: shown(name) }) : about && 'fault' in about ? about.fault : null)
    seen.add(name)
    seenFiles.add(name.normalize())
    const content = fault === null ? await readContent(file) : { fault }
    if ('fault' in content) yield [line, null, content.fault]
    else {
      const folder = folderOf(name).slice(0, -1).split('/').at(-1)
      yield [
        line,
        {
          ...content.cells,
          [FILE_NAME]: name,
          ...(folder && { [FOLDER]: folder }),
          ...(about && 'cells' in about && about.cells),
        },
      ]
    }
  }
  for (const fault of faults) yield [++line, null, fault]
  for (const name of tableEntries.keys())
    if (!seenFiles.has(name)) yield [++line, null, message('notInArchive', { file: shown(name) })]
}

const entriesOf = async (zip: ZipArchive) => {
  const files: ZipEntry[] = []
  const tables: ZipEntry[] = []
  for await (const entry of zip.entries()) {
    if (entry.kind === 'folder' || (!entry.isBadName && isJunk(entry.name))) continue
    if (entry.kind === 'file' && !entry.isBadName && TABLE.test(entry.name)) tables.push(entry)
    else files.push(entry)
  }
  return { files, tables }
}

/**
 * Writes an archive's images or text files as consecutive rows. A row also contains its file's cells from the tables in the
 * archive. @throws Problem unprocessable
 */
export const unfoldArchive = async (source: Source, read: ReadTable): Promise<Layout> => {
  const path = source.unfolded(0)
  try {
    const zip = await openZip(source.file, MAX_ENTRIES)
    try {
      const { files, tables } = await entriesOf(zip)
      if (files.length === 0) throw unprocessable(message('noImages'))
      const hasTexts = files.some(({ name }) => TEXT_FILE.test(name)) && !files.some(({ name }) => IMAGE_FILE.test(name))
      const own = ownColumns(hasTexts)
      const found = await readTables(zip, { tables, scratch: `${path}.table`, reserved: own }, read)
      const end = await writeRows(path, rowsOf(files, found, contentReader(zip, hasTexts)))
      const header = [...own, ...found.columns]
      return { format: 'zip', delimiter: '', header, first: { offset: 0, row: 0, line: 0 }, end, textCells: found.isText }
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof ZipFault) throw unprocessable(error.reason)
    throw error
  }
}
