import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { charactersOf, columnOptions } from '#platform/parquet/long-values.ts'
import type { Column, Row } from '../columns.ts'
import { tableFor } from '../columns.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'

/**
 * Limits of the row buffer: number of rows, and number of text characters. They keep memory use independent of the dataset's
 * size.
 */
const GROUP_ROWS = 10_000
const GROUP_CHARACTERS = 4_000_000

const leaf = (name: string, kind: Column['kind']): SchemaElement => {
  const common = { name, repetition_type: 'OPTIONAL' } as const
  if (kind === 'integer') return { ...common, type: 'INT64' }
  if (kind === 'number') return { ...common, type: 'DOUBLE' }
  return { ...common, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
}

/** A list in Parquet's standard form: an optional LIST group that contains a repeated group `list` of optional `element`s. */
const listed = (name: string, inside: readonly SchemaElement[]): readonly SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...inside,
]

const elementsOf = ({ name, kind, depth }: Column): readonly SchemaElement[] => {
  let elements: readonly SchemaElement[] = [leaf(depth === 0 ? name : 'element', kind)]
  for (let level = depth; level > 0; level--) elements = listed(level === 1 ? name : 'element', elements)
  return elements
}

const convert = (kind: Column['kind'], depth: number, value: JsonValue | undefined): unknown => {
  if (value === null || value === undefined) return null
  if (depth > 0) return Array.isArray(value) ? value.map((one) => convert(kind, depth - 1, one)) : null
  if (kind === 'integer') return Number.isSafeInteger(value) ? BigInt(value as number) : null
  if (kind === 'number') return Number(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Apache Parquet. Lists are stored as Parquet lists. Chats, spans, rankings and other objects are stored as JSON text. */
export const parquet: FormatWriter = (context, { shape, isContinued }) => {
  if (isContinued)
    throw unprocessable('A Parquet download cannot be continued, because the file ends with an index of all rows. Remove `after`')
  const { columns, rowsOf } = tableFor(context, shape)
  const bytes = new ByteWriter(2 ** 20)
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
    createdBy: 'Postil',
  })
  let rows: Row[] = []
  let characters = 0
  const takeBytes = (): Uint8Array => {
    if (bytes.index === 0) return noBytes
    const made = bytes.getBytes().slice()
    bytes.index = 0
    return made
  }
  const writeGroup = (): void => {
    if (rows.length === 0) return
    const columnData = columns.map(({ name, kind, depth }, i) => {
      const data = rows.map((row) => convert(kind, depth, row[i]))
      return { name, data, ...columnOptions(data) }
    })
    // A write to memory is complete when the call returns
    void writer.write({ columnData, rowGroupSize: rows.length })
    rows = []
    characters = 0
  }
  return {
    push: function* (records) {
      for (const row of records.values().flatMap(rowsOf)) {
        rows.push(row)
        for (const value of row) characters += charactersOf(value)
        if (rows.length < GROUP_ROWS && characters < GROUP_CHARACTERS) continue
        writeGroup()
        yield takeBytes()
      }
    },
    end: () => {
      writeGroup()
      void writer.finish()
      return takeBytes()
    },
  }
}
