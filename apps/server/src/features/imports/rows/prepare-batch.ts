import type { FileMapping, RowFault } from '@postil/contract/files/imports.ts'
import { packRecords } from '#features/records/service.ts'
import { serverFieldType } from '#field-types/registry.ts'
import type { Layout, Source, SourceRow } from '../inspect/layout.ts'
import { readBatch } from '../reading/batch.ts'
import type { Batch } from '../reading/limits.ts'
import type { Position } from '../reading/pieces.ts'
import type { RowPlace } from '../store/store-batch.ts'
import { type BuiltRow, buildRow, type Recipe } from './build.ts'
import { type Pictures, withPictures } from './pictures.ts'
import { type SeenIds, seenIds } from './seen-ids.ts'

/** A batch on its way into the store; it survives structured clone. */
export type PreparedBatch = {
  readonly rows: number
  readonly places: readonly RowPlace[]
  readonly packed: Uint8Array
  /** Rows that cannot be read. */
  readonly faults: readonly RowFault[]
  /** Null at the end of the file. */
  readonly next: Position | null
  /** Why nothing behind these rows can be read, as one of `faults` says too. */
  readonly broken: RowFault | null
}

type GoodRow = Extract<BuiltRow, { readonly record: unknown }>
const isGood = (row: BuiltRow): row is GoodRow => 'record' in row

/** @param seen ids of the rows before these; left out: there are none */
export const prepareRows = (
  sources: readonly SourceRow[],
  recipe: Recipe,
  seen: SeenIds = seenIds(),
): Pick<PreparedBatch, 'rows' | 'places' | 'packed' | 'faults'> => {
  const built = sources.map((source) => buildRow(source, recipe, seen))
  return {
    rows: built.length,
    places: built.filter(isGood).map(({ record: _, ...place }) => place),
    packed: packRecords(built.flatMap((row) => ('record' in row ? [row.record] : []))),
    faults: built.flatMap((row) => ('fault' in row ? [row.fault] : [])),
  }
}

/** The columns that a mapping reads. */
const sourcesOf = ({ fields, metadata, suggestions, external_id, record_id }: FileMapping): readonly string[] => [
  ...[...fields, ...metadata, ...suggestions].map(({ source }) => source),
  ...[external_id, record_id].filter((column) => column != null),
]

type Place = { readonly layout: Layout; readonly from: Position; readonly limit?: number }

/** Columns that become fields with pictures. */
export const pictureColumns = ({ mapping, schema }: Recipe): ReadonlySet<string> => {
  const fields = schema.fields.filter(({ settings }) => serverFieldType(settings.type).holdsPictures).map(({ name }) => name)
  return new Set(mapping.fields.filter(({ target }) => fields.includes(target)).map(({ source }) => source))
}

/** Reads the rows that follow a place, with their images. @param limit of rows; left out: what one transaction takes */
export const readRows = async (
  source: Source,
  { layout, from, limit }: Place,
  { recipe, pictures }: { readonly recipe: Recipe; readonly pictures: Pictures },
): Promise<Batch> => {
  const wanted = sourcesOf(recipe.mapping)
  const batch = await readBatch(source, layout, { from, limit, columns: wanted })
  return { ...batch, rows: await withPictures(batch.rows, { source, layout, columns: pictureColumns(recipe), wanted }, pictures) }
}

/** Makes of rows that were read what a command stores. @param seen ids of the rows before these; left out: there are none */
export const prepareRead = ({ rows, next, fault }: Batch, recipe: Recipe, seen?: SeenIds): PreparedBatch => {
  const prepared = prepareRows(rows, recipe, seen)
  if (fault === null) return { ...prepared, next, broken: null }
  const broken = { row: fault.row, line: fault.line, column: null, reason: fault.message }
  return { ...prepared, rows: prepared.rows + 1, faults: [...prepared.faults, broken], next, broken }
}
