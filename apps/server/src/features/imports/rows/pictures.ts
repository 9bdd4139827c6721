import { judgeImage, keepImage, MAX_IMAGE } from '#features/pictures/service.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type EntryPlace, openZip, type ZipArchive, ZipFault } from '#platform/zip/zip-file.ts'
import type { Layout, Source, SourceRow } from '../inspect/layout.ts'
import { IMAGE } from '../unfolding/archive.ts'

/** What becomes of images: they are kept among the files of a dataset, or only looked at. */
export type Pictures =
  | { readonly kind: 'keep'; readonly config: Config; readonly dataset_id: string; readonly base: string }
  /** `shown`: how many rows are going to be shown. */
  | { readonly kind: 'look'; readonly shown: number }

/** Bytes of an image that is shown before it is kept: it travels as a data URL. */
const MAX_SHOWN = 1_500_000
/** Stands for a larger one. */
const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const HEAD = 64

type Found = { readonly value: string } | { readonly fault: string }

const collect = async (chunks: AsyncIterable<Uint8Array>, enough: number): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length >= enough) break
  }
  return Buffer.concat(parts)
}

const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`

const keepOrLook = async (bytes: Buffer, pictures: Pictures, name: string): Promise<Found> => {
  const judged = judgeImage(bytes)
  if ('fault' in judged) return { fault: `${JSON.stringify(name.slice(0, 200))} ${judged.fault}` }
  if (pictures.kind === 'look') return { value: bytes.length > MAX_SHOWN ? BLANK : dataUrl(judged.type, bytes) }
  const { config, dataset_id, base } = pictures
  return { value: await keepImage(config, dataset_id, { bytes, ending: judged.ending, base }) }
}

const fromArchive = async (zip: ZipArchive, cell: string, pictures: Pictures, isShown: boolean): Promise<Found> => {
  // The cell was made by `unfoldArchive`.
  const file = JSON.parse(cell) as { readonly name: string; readonly entry: EntryPlace }
  const { uncompressedSize } = file.entry
  try {
    if (uncompressedSize > MAX_IMAGE)
      return { fault: `${JSON.stringify(file.name.slice(0, 200))} has more than ${MAX_IMAGE / 1e6} MB` }
    const isWhole = pictures.kind === 'keep' || (isShown && uncompressedSize <= MAX_SHOWN)
    const bytes = await collect(zip.read(file, MAX_IMAGE), isWhole ? Number.POSITIVE_INFINITY : HEAD)
    if (isWhole) return await keepOrLook(bytes, pictures, file.name)
    const judged = judgeImage(bytes)
    return 'fault' in judged ? { fault: `${JSON.stringify(file.name.slice(0, 200))} ${judged.fault}` } : { value: BLANK }
  } catch (error) {
    if (error instanceof ZipFault) return { fault: `The archive ${error.message}` }
    throw error
  }
}

const withCell = (row: Extract<SourceRow, { values: unknown }>, column: string, found: Found): SourceRow => {
  const { row: no, line } = row
  return 'fault' in found
    ? { row: no, line, fault: found.fault }
    : { row: no, line, values: new Map([...row.values, [column, found.value]]) }
}

const archivePictures = async (rows: readonly SourceRow[], source: Source, pictures: Pictures): Promise<readonly SourceRow[]> => {
  const zip = await openZip(source.file, Number.POSITIVE_INFINITY)
  const found: SourceRow[] = []
  let shown = 0
  try {
    for (const row of rows) {
      const cell = 'values' in row ? row.values.get(IMAGE) : undefined
      if ('fault' in row || typeof cell !== 'string') found.push(row)
      else {
        const made = withCell(
          row,
          IMAGE,
          await fromArchive(zip, cell, pictures, pictures.kind === 'look' && shown < pictures.shown),
        )
        if ('values' in made) shown += 1
        found.push(made)
      }
    }
    return found
  } finally {
    zip.close()
  }
}

const DATA = /^data:image\/[\w+.-]+;base64,/

/** Images that lay in the file itself are kept as files; those that came as data URLs in a text are what was sent. */
const ownPictures = async (
  rows: readonly SourceRow[],
  columns: ReadonlySet<string>,
  pictures: Pictures,
): Promise<readonly SourceRow[]> => {
  if (pictures.kind === 'look') return rows
  const found: SourceRow[] = []
  for (const row of rows) {
    let made: SourceRow = row
    for (const column of columns) {
      if ('fault' in made) break
      const cell = made.values.get(column)
      const head = typeof cell === 'string' ? DATA.exec(cell.slice(0, 100))?.[0] : undefined
      if (head === undefined) continue
      made = withCell(made, column, await keepOrLook(Buffer.from(String(cell).slice(head.length), 'base64'), pictures, column))
    }
    found.push(made)
  }
  return found
}

type Read = {
  readonly source: Source
  readonly layout: Layout
  /** Columns that become image fields. */
  readonly columns: ReadonlySet<string>
  /** Columns that become anything. */
  readonly wanted: readonly string[]
}

/**
 * Rows whose images are what a record can hold: addresses of kept files, or data URLs where they are only looked at.
 */
export const withPictures = (
  rows: readonly SourceRow[],
  { source, layout, columns, wanted }: Read,
  pictures: Pictures,
): Promise<readonly SourceRow[]> | readonly SourceRow[] => {
  if (layout.format === 'zip') return !wanted.includes(IMAGE) ? rows : archivePictures(rows, source, pictures)
  return layout.format === 'parquet' && columns.size > 0 ? ownPictures(rows, columns, pictures) : rows
}
