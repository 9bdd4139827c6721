import type { ForeignContents, ForeignFormat } from '@postil/contract/files/foreign-formats.ts'
import { hasLines, type ImportFormat } from '@postil/contract/files/import-formats.ts'
import { type ImportColumn, type ImportFile, shownRows } from '@postil/contract/files/imports.ts'
import { Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Features } from '#platform/parquet/features.ts'
import { converter } from '../foreign/convert.ts'
import type { OwnAnswers } from '../foreign/define.ts'
import { proposeForeign, scanForeign } from '../foreign/inspect-foreign.ts'
import { readerOf, recognize } from '../foreign/registry.ts'
import { answersAsSuggestions, ownAnswersIn, ownCollector, withAnswerColumns } from '../own-answers.ts'
import { isOwnFile } from '../own-file.ts'
import { readBatch } from '../reading/batch.ts'
import type { Batch } from '../reading/limits.ts'
import { openLayout } from '../reading/open-layout.ts'
import { openParquetLayout } from '../reading/parquet.ts'
import type { Position } from '../reading/pieces.ts'
import { openText } from '../reading/text-file.ts'
import { archiveColumn, namedImages } from '../rows/archive-columns.ts'
import { hasNested, withPaths } from '../rows/paths.ts'
import { unfoldArchive } from '../unfolding/archive.ts'
import { unfoldColumns } from '../unfolding/by-column.ts'
import { unfoldTraces } from '../unfolding/traces.ts'
import { sheetsOf, unfoldWorkbook } from '../unfolding/workbook.ts'
import { withFeatureProposal } from './feature-proposals.ts'
import { type FirstRow, firstTableRows } from './first-rows.ts'
import { firstRows, INSPECTED, inspect } from './inspect.ts'
import { laterValues } from './later-values.ts'
import { isTextTable, type Layout, rowsNameColumns, type Source, type SourceRow } from './layout.ts'
import type { ReadingChoice } from './reading.ts'
import { decimalCommaColumns } from './several-labels.ts'

/** The rows of a table inside an archive. */
async function* tableRows(path: string, format: 'csv' | 'jsonl') {
  const source = { file: path, unfolded: () => path, text: () => path }
  const layout = await openLayout(path, format)
  for (let from: Position | null = layout.first; from !== null; ) {
    const { rows, next, fault }: Batch = await readBatch(source, layout, { from })
    yield* rows
    if (fault !== null) yield { line: fault.line, fault: fault.reason }
    from = next
  }
}

type Opened = { readonly layout: Layout; readonly features: Features; readonly firstRows: readonly FirstRow[] }

/** Determines how a text file is read. */
const openTextLayout = async (source: Source, format: ImportFormat, choice: ReadingChoice): Promise<Opened> => {
  const { path, ...text } = await openText(source.file, source.text, choice.encoding)
  const found = { ...(await openLayout(path, format, choice)), ...text }
  if (found.byColumn !== undefined) {
    const size = await unfoldColumns(path, source.unfolded(0), found.byColumn)
    return { layout: { ...found, first: { offset: 0, row: 0, line: 0 }, end: size }, features: {}, firstRows: [] }
  }
  const isTable = found.format === 'csv' || found.format === 'tsv'
  return { layout: found, features: {}, firstRows: isTable ? await firstTableRows(path, found) : [] }
}

/** Determines how a file is read. For a Parquet file, also returns the features that its metadata declares for the columns. */
const open = async (source: Source, format: ImportFormat, choice: ReadingChoice): Promise<Opened> => {
  const { sheet = 0, heading_row } = choice
  if (format === 'xlsx') return { features: {}, ...(await unfoldWorkbook(source, { sheet, heading_row })) }
  if (format === 'zip') return { layout: await unfoldArchive(source, tableRows), features: {}, firstRows: [] }
  if (format !== 'parquet') return openTextLayout(source, format, choice)
  const { features, ...layout } = await openParquetLayout(source.file)
  return { layout, features, firstRows: [] }
}

export type Inspected = {
  readonly layout: Layout
  readonly columns: readonly ImportColumn[]
  readonly rows: ImportFile['rows']
  /** The first rows of a table. The user can choose one of them as the heading. */
  readonly firstRows: readonly FirstRow[]
  /**
   * The format of another program that was recognized in the content. Null if there is none. Set even if the file is read as a
   * plain table.
   */
  readonly recognized: ForeignFormat | null
  /** What the rows contain, if the file is read as an export of another program. */
  readonly contents: ForeignContents | null
}

type FirstRows = Pick<Batch, 'next'> & { readonly rows: readonly SourceRow[] }

const inspectForeign = async (
  source: Source,
  plain: Layout,
  first: FirstRows,
  as: ForeignFormat,
): Promise<Omit<Inspected, 'recognized' | 'firstRows'>> => {
  const found = await scanForeign(source, plain, first, as)
  const foreign = { as, columns: found.columns }
  const rows = first.rows.map(converter(foreign))
  const layout = { ...plain, foreign }
  const header = found.columns.map(({ column }) => column)
  const isPlain = found.columns.some(({ part }) => part === 'other')
  const later = isPlain ? await laterValues(source, layout, { rows, next: first.next }) : undefined
  const columns = proposeForeign(inspect(rows, header, false, later), rows, found)
  return { layout, columns, rows: firstRows(rows, columns), contents: found.contents }
}

/**
 * Time limit for counting the answers in a file that Postil has exported, in milliseconds. The user who uploads the file waits
 * for the result.
 */
const MAX_SCAN_MS = 2_000

/** Counts the answers and comments in a file that was downloaded from Postil. */
const scanOwn = async (source: Source, layout: Layout, first: FirstRows, own: OwnAnswers): Promise<ForeignContents | null> => {
  const { take, end } = ownCollector(own)
  for (const row of first.rows) take(row)
  const until = performance.now() + MAX_SCAN_MS
  let from = first.next
  while (from !== null && performance.now() < until) {
    const batch: Batch = await readBatch(source, layout, { from })
    for (const row of batch.rows) take(row)
    from = batch.next
  }
  return end(from === null)
}

/** The columns of a file whose rows are read as they are. */
const inspectPlain = async (
  source: Source,
  layout: Layout,
  { rows, next }: FirstRows,
  features: Features,
): Promise<Omit<Inspected, 'recognized' | 'firstRows'>> => {
  const isOwn = isOwnFile(inspect(rows.slice(0, shownRows), layout.header, isTextTable(layout)))
  const hasPaths = !isOwn && rowsNameColumns(layout) && rows.some(hasNested)
  const plain = hasPaths ? { ...layout, hasPaths: true as const } : layout
  const plainRows = hasPaths ? rows.map(withPaths) : rows
  const later = await laterValues(source, plain, { rows: plainRows, next })
  const found = inspect(plainRows, plain.header, isTextTable(plain), later)
  const own = isOwn ? ownAnswersIn(found.map(({ name }) => name)) : null
  const answered = own && inspect(answersAsSuggestions(plainRows, own), [], isTextTable(plain))
  const seen = (own && answered ? withAnswerColumns(found, answered, own) : found).map((column) =>
    withFeatureProposal(column, features[column.name]),
  )
  const columns = layout.format === 'zip' ? seen.map(archiveColumn) : seen
  const decimalCommas = isTextTable(plain) ? decimalCommaColumns(plainRows) : []
  return {
    layout: { ...plain, ...(decimalCommas.length > 0 && { decimalCommas }), ...(own && { own }) },
    columns,
    rows: firstRows(plainRows, columns),
    contents: own && (await scanOwn(source, plain, { rows, next }, own)),
  }
}

/** Returns the user's choices. Omits the sheet, which the layout stores in a property of its own. */
const chosenIn = ({ sheet: _, ...choice }: ReadingChoice): Partial<Pick<Layout, 'chosen'>> => {
  const chosen = Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined))
  return Object.keys(chosen).length === 0 ? {} : { chosen }
}

/** Gathers the traces of a file, and reads the first ones. */
const gatherTraces = async (source: Source, plain: Layout, as: ForeignFormat) => {
  const layout = await unfoldTraces(source, plain, as)
  const { rows, next, fault } = await readBatch(source, layout, { from: layout.first, limit: INSPECTED })
  checkReadable(rows, fault, layout)
  return { layout, rows, next }
}

/** @throws Problem unprocessable if none of the first rows can be read */
const checkReadable = (rows: readonly SourceRow[], fault: Batch['fault'], layout: Layout): void => {
  if (fault !== null && rows.length === 0) {
    throw unprocessable(hasLines(layout.format) ? message('lineFault', { line: fault.line }, fault.reason) : fault.reason)
  }
  if (rows.length === 0)
    throw unprocessable(
      layout.sheets ? message('sheetNoRows', { sheet: JSON.stringify(layout.sheets[layout.sheet ?? 0]) }) : message('fileNoRows'),
    )
  const faulty = rows.find((row) => 'fault' in row)
  if (faulty !== undefined && 'fault' in faulty && rows.every((row) => 'fault' in row)) {
    const { line, fault: reason } = faulty
    throw unprocessable(
      hasLines(layout.format) ? message('noLineRead', { line }, reason) : message('noRowRead', { row: line }, reason),
    )
  }
}

const inspectOne = async (source: Source, format: ImportFormat, choice: ReadingChoice): Promise<Inspected> => {
  const { as } = choice
  const { firstRows: headings, ...opened } = await open(source, format, choice)
  const { features } = opened
  const layout = { ...opened.layout, ...chosenIn(choice) }
  const { rows: read, next, fault } = await readBatch(source, layout, { from: layout.first, limit: INSPECTED })
  const rows = layout.format === 'zip' ? namedImages(read) : read
  checkReadable(rows, fault, layout)
  const known = recognize(rows)
  const readAs = as ?? known ?? 'plain'
  if (readAs !== 'plain') {
    const gathered = readerOf(readAs).parts === undefined ? null : await gatherTraces(source, layout, readAs)
    const inspected = await inspectForeign(source, gathered?.layout ?? layout, gathered ?? { rows, next }, readAs)
    return { ...inspected, recognized: known, firstRows: headings }
  }
  const inspected = await inspectPlain(source, layout, { rows, next }, features)
  return { ...inspected, recognized: known, firstRows: headings }
}

/** Maximum number of sheets to check for rows. */
const TRIED = 10

/** Inspects the first sheet that has readable rows. A workbook may begin with a title page or notes. */
const inspectSheets = async (source: Source, choice: ReadingChoice): Promise<Inspected> => {
  const { length } = await sheetsOf(source)
  let first: unknown
  for (let sheet = 0; sheet < Math.min(length, TRIED); sheet += 1) {
    try {
      return await inspectOne(source, 'xlsx', { ...choice, sheet })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      first ??= error
    }
  }
  throw first
}

/**
 * Determines how a file is read and what its first rows contain. For columns with few distinct values, also reads as many later
 * values as the time limit allows.
 * @throws Problem unprocessable for a file without a readable row
 */
export const inspectFile = async (source: Source, format: ImportFormat, choice: ReadingChoice = {}): Promise<Inspected> => {
  const isBySheet = format === 'xlsx' && choice.sheet === undefined
  const inspected = await (isBySheet ? inspectSheets(source, choice) : inspectOne(source, format, choice))
  const { layout, columns } = inspected
  return rowsNameColumns(layout) ? { ...inspected, layout: { ...layout, columns: columns.map(({ name }) => name) } } : inspected
}
