import { message, type Reason } from '@postil/contract/wire/message.ts'
import { MAX_IMAGE, storeImage, validateImage } from '#features/images/public.ts'
import type { Config } from '#platform/config/read-config.ts'
import { type EntryPlace, openZip, type ZipArchive, ZipFault } from '#platform/zip/zip-file.ts'
import type { Layout, Source, SourceRow } from '../inspect/layout.ts'
import { IMAGE } from '../unfolding/archive.ts'

/** How images are handled: stored as files of a dataset, or only previewed. */
export type ImageSource =
  | { readonly kind: 'keep'; readonly config: Config; readonly dataset_id: string; readonly base: string }
  /** `shown`: how many rows are displayed. */
  | { readonly kind: 'look'; readonly shown: number }

/** Maximum size of a preview image in bytes. Preview images are sent as data URLs. */
const MAX_SHOWN = 1_500_000

/** A blank image, shown instead of an image that exceeds the limit. */
const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const HEAD = 64

type Found = { readonly value: string } | { readonly fault: Reason }

const readUpTo = async (chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(parts)
}

const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`

const storeOrValidate = async (bytes: Buffer, images: ImageSource, name: string): Promise<Found> => {
  const checked = validateImage(bytes, name)
  if ('fault' in checked) return checked
  if (images.kind === 'look') return { value: bytes.length > MAX_SHOWN ? BLANK : dataUrl(checked.type, bytes) }
  const { config, dataset_id, base } = images
  return { value: await storeImage(config, dataset_id, { bytes, ending: checked.ending, base }) }
}

const fromArchive = async (zip: ZipArchive, cell: string, images: ImageSource, isShown: boolean): Promise<Found> => {
  // The cell was written by `unfoldArchive`.
  const file = JSON.parse(cell) as { readonly name: string; readonly entry: EntryPlace }
  const { uncompressedSize } = file.entry
  try {
    if (uncompressedSize > MAX_IMAGE)
      return { fault: message('imageTooLarge', { file: JSON.stringify(file.name.slice(0, 200)), limit: MAX_IMAGE / 1e6 }) }
    const isWhole = images.kind === 'keep' || (isShown && uncompressedSize <= MAX_SHOWN)
    const bytes = await readUpTo(zip.read(file, MAX_IMAGE), isWhole ? Number.POSITIVE_INFINITY : HEAD)
    if (isWhole) return await storeOrValidate(bytes, images, file.name)
    const checked = validateImage(bytes, file.name)
    return 'fault' in checked ? checked : { value: BLANK }
  } catch (error) {
    if (error instanceof ZipFault) return { fault: error.coded ?? `The archive ${error.message}` }
    throw error
  }
}

const withCell = (row: Extract<SourceRow, { values: unknown }>, column: string, found: Found): SourceRow => {
  const { row: no, line } = row
  return 'fault' in found
    ? { row: no, line, fault: found.fault }
    : { row: no, line, values: new Map([...row.values, [column, found.value]]) }
}

const archiveImages = async (rows: readonly SourceRow[], source: Source, images: ImageSource): Promise<readonly SourceRow[]> => {
  const zip = await openZip(source.file, Number.POSITIVE_INFINITY)
  const found: SourceRow[] = []
  let shown = 0
  try {
    for (const row of rows) {
      const cell = 'values' in row ? row.values.get(IMAGE) : undefined
      if ('fault' in row || typeof cell !== 'string') found.push(row)
      else {
        const made = withCell(row, IMAGE, await fromArchive(zip, cell, images, images.kind === 'look' && shown < images.shown))
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

/**
 * Extracts images that are embedded in the imported file, and stores each one as a file of the dataset. Images that were sent as
 * data URLs in text aren't changed.
 */
const ownImages = async (
  rows: readonly SourceRow[],
  columns: ReadonlySet<string>,
  images: ImageSource,
): Promise<readonly SourceRow[]> => {
  if (images.kind === 'look') return rows
  const found: SourceRow[] = []
  for (const row of rows) {
    let made: SourceRow = row
    for (const column of columns) {
      if ('fault' in made) break
      const cell = made.values.get(column)
      const head = typeof cell === 'string' ? DATA.exec(cell.slice(0, 100))?.[0] : undefined
      if (head === undefined) continue
      made = withCell(made, column, await storeOrValidate(Buffer.from(String(cell).slice(head.length), 'base64'), images, column))
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
  /** Columns that are mapped to any target. */
  readonly columnNames: readonly string[]
}

/** Replaces images in rows with values that a record can hold: URLs of stored files, or data URLs in a preview. */
export const withImages = (
  rows: readonly SourceRow[],
  { source, layout, columns, columnNames }: Read,
  images: ImageSource,
): Promise<readonly SourceRow[]> | readonly SourceRow[] => {
  if (layout.format === 'zip') return !columnNames.includes(IMAGE) ? rows : archiveImages(rows, source, images)
  return layout.format === 'parquet' && columns.size > 0 ? ownImages(rows, columns, images) : rows
}
