import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { charactersOf, columnOptions } from '#platform/parquet/long-values.ts'
import { isImageData, type TableType } from './table-types.ts'

export type TableColumn = { readonly name: string; readonly type: TableType }
type Cells = readonly JsonValue[]

/**
 * Limits of the row buffer: number of rows, and number of text characters. They keep memory use independent of the dataset's
 * size.
 */
const GROUP_ROWS = 1_000
const GROUP_CHARACTERS = 16_000_000

type Scalar = Exclude<TableType['kind'], 'list' | 'object' | 'image' | 'class'>
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const
const leaves: { readonly [K in Scalar]: Partial<SchemaElement> } = {
  none: text,
  text,
  json: text,
  integer: { type: 'INT64' },
  float: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
}

/** A column in standard Parquet form: lists as LIST, objects and images as groups. */
const elementsOf = (name: string, type: TableType): readonly SchemaElement[] => {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  if (type.kind === 'list') {
    const list: SchemaElement = { ...optional, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 }
    return [list, { name: 'list', repetition_type: 'REPEATED', num_children: 1 }, ...elementsOf('element', type.of)]
  }
  if (type.kind === 'object') {
    const keys = Object.entries(type.keys)
    return [{ ...optional, num_children: keys.length }, ...keys.flatMap(([key, one]) => elementsOf(key, one))]
  }
  if (type.kind === 'image') {
    const bytes: SchemaElement = { name: 'bytes', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY' }
    return [{ ...optional, num_children: 2 }, bytes, ...elementsOf('path', { kind: 'text' })]
  }
  return [{ ...optional, ...leaves[type.kind === 'class' ? 'integer' : type.kind] }]
}

const dtypes: { readonly [K in Scalar]: string } = {
  none: 'string',
  text: 'string',
  json: 'string',
  integer: 'int64',
  float: 'float64',
  boolean: 'bool',
  time: 'timestamp[us]',
}

/** The name that the Hub's own library uses for the type. */
const featureOf = (type: TableType): unknown => {
  if (type.kind === 'list') return [featureOf(type.of)]
  if (type.kind === 'object') return Object.fromEntries(Object.entries(type.keys).map(([key, one]) => [key, featureOf(one)]))
  if (type.kind === 'class') return { names: type.names, _type: 'ClassLabel' }
  return type.kind === 'image' ? { _type: 'Image' } : { dtype: dtypes[type.kind], _type: 'Value' }
}

/** A wire-format time in microseconds. */
const microsOf = (printed: string): bigint => {
  const [seconds = '', fraction = ''] = printed.replace(/Z$/, '').split('.')
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

const imageOf = (url: string): unknown => ({
  bytes: new Uint8Array(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
  path: null,
})

/** Converts a value to the writer's format; null when the value doesn't fit its column. */
const converted = (type: TableType, value: JsonValue | undefined): unknown => {
  if (value === null || value === undefined) return null
  switch (type.kind) {
    case 'list':
      return Array.isArray(value) ? value.map((one) => converted(type.of, one as JsonValue)) : null
    case 'object': {
      const from = value as { readonly [key: string]: JsonValue }
      return Object.fromEntries(Object.entries(type.keys).map(([key, one]) => [key, converted(one, from[key])]))
    }
    case 'image':
      return isImageData(value) ? imageOf(value) : null
    case 'class': {
      const place = type.names.indexOf(String(value))
      return place === -1 ? null : BigInt(place)
    }
    case 'integer':
      return Number.isSafeInteger(value) ? BigInt(value as number) : null
    case 'float':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'time':
      return microsOf(String(value))
    case 'none':
    case 'text':
    case 'json':
      return typeof value === 'string' && type.kind !== 'json' ? value : JSON.stringify(value)
  }
}

/** Writes a Parquet file as rows arrive, with types that the Hub's library reads correctly. */
export const openTable = (columns: readonly TableColumn[]) => {
  const features = Object.fromEntries(columns.map(({ name, type }) => [name, featureOf(type)]))
  const bytes = new ByteWriter(2 ** 20)
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(({ name, type }) => elementsOf(name, type))],
    kvMetadata: [{ key: 'huggingface', value: JSON.stringify({ info: { features } }) }],
    createdBy: 'Postil',
  })
  let rows: Cells[] = []
  let characters = 0
  const takeBytes = (): Uint8Array => {
    const made = bytes.getBytes().slice()
    bytes.index = 0
    return made
  }
  const writeGroup = (): Uint8Array => {
    const columnData = columns.map(({ name, type }, i) => {
      const data = rows.map((row) => converted(type, row[i]))
      return { name, data, ...columnOptions(data) }
    })
    // A write to memory is complete when the call returns
    if (rows.length > 0) void writer.write({ columnData, rowGroupSize: rows.length })
    rows = []
    characters = 0
    return bytes.index === 0 ? new Uint8Array() : takeBytes()
  }
  return {
    push: function* (added: Iterable<Cells>): Generator<Uint8Array> {
      for (const row of added) {
        rows.push(row)
        for (const value of row) characters += charactersOf(value)
        if (rows.length >= GROUP_ROWS || characters >= GROUP_CHARACTERS) yield writeGroup()
      }
    },
    end: function* (): Generator<Uint8Array> {
      const last = writeGroup()
      if (last.length > 0) yield last
      void writer.finish()
      yield takeBytes()
    },
  }
}

/** Like `openTable`, for pages of rows. */
export async function* tableFile(
  columns: readonly TableColumn[],
  pages: AsyncIterable<readonly Cells[]>,
): AsyncGenerator<Uint8Array> {
  const { push, end } = openTable(columns)
  for await (const page of pages) yield* push(page)
  yield* end()
}
