import type { SchemaElement } from 'hyparquet'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'

const optional = { repetition_type: 'OPTIONAL' } as const
const leaf = (name: string, type: 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' | 'BOOLEAN', text = false): SchemaElement => ({
  ...optional,
  name,
  type,
  ...(text && { converted_type: 'UTF8' as const }),
})
export type ColumnKind =
  | 'text'
  | 'bytes'
  | 'day'
  | 'micros'
  | 'nanos'
  | 'integer'
  | 'float'
  | 'price'
  | 'digits'
  | 'anyLength'
  | 'local'
  | 'boolean'
  | 'image'
  | 'times'
  | 'prices'
  | 'priced'
  | 'integers'
  | 'texts'
  | 'messages'
  | 'images'

const list = (name: string, inside: readonly SchemaElement[]): readonly SchemaElement[] => [
  { ...optional, name, converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...inside,
]
const image = (name: string): readonly SchemaElement[] => [
  { ...optional, name, num_children: 2 },
  leaf('bytes', 'BYTE_ARRAY'),
  leaf('path', 'BYTE_ARRAY', true),
]

const price = (name: string): SchemaElement => ({
  ...leaf(name, 'INT64'),
  converted_type: 'DECIMAL',
  precision: 10,
  scale: 2,
})

const elements: { readonly [K in ColumnKind]: (name: string) => readonly SchemaElement[] } = {
  text: (name) => [leaf(name, 'BYTE_ARRAY', true)],
  bytes: (name) => [leaf(name, 'BYTE_ARRAY')],
  day: (name) => [{ ...optional, name, type: 'INT32', converted_type: 'DATE' }],
  micros: (name) => [{ ...leaf(name, 'INT64'), converted_type: 'TIMESTAMP_MICROS' }],
  nanos: (name) => [{ ...leaf(name, 'INT64'), logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } }],
  integer: (name) => [leaf(name, 'INT64')],
  float: (name) => [leaf(name, 'DOUBLE')],
  price: (name) => [price(name)],
  digits: (name) => [
    { ...optional, name, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL', precision: 38, scale: 0 },
  ],
  anyLength: (name) => [{ ...leaf(name, 'BYTE_ARRAY'), converted_type: 'DECIMAL', precision: 38, scale: 2 }],
  local: (name) => [{ ...leaf(name, 'INT64'), logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } }],
  boolean: (name) => [leaf(name, 'BOOLEAN')],
  image,
  images: (name) => list(name, image('element')),
  times: (name) => list(name, [{ ...leaf('element', 'INT64'), converted_type: 'TIME_MICROS' }]),
  prices: (name) => list(name, [price('element')]),
  priced: (name) => [
    { ...optional, name, num_children: 2 },
    leaf('name', 'BYTE_ARRAY', true),
    ...list('prices', [price('element')]),
  ],
  integers: (name) => list(name, [leaf('element', 'INT64')]),
  texts: (name) => list(name, [leaf('element', 'BYTE_ARRAY', true)]),
  messages: (name) =>
    list(name, [
      { ...optional, name: 'element', num_children: 2 },
      leaf('role', 'BYTE_ARRAY', true),
      leaf('content', 'BYTE_ARRAY', true),
    ]),
}

/**
 * A Parquet file like those that the Hub's tools write. @param groups rows of each row group @param features column
 * descriptions, as the Hub's library writes them @param pageSize page size in bytes
 */
export const parquetOf = (
  columns: { readonly [name: string]: readonly [ColumnKind, readonly unknown[], encoding?: ColumnSource['encoding']] },
  groups = 50,
  features?: object,
  pageSize?: number,
): Uint8Array => {
  const names = Object.keys(columns)
  const schema = names.flatMap((name) => elements[columns[name]?.[0] ?? 'text'](name))
  const columnData = names.map((name): ColumnSource => {
    const [, data = [], encoding] = columns[name] ?? []
    return { name, data: [...data], ...(encoding && { encoding }) }
  })
  const root: SchemaElement = { name: 'root', num_children: names.length }
  const kvMetadata = features && [{ key: 'huggingface', value: JSON.stringify({ info: { features } }) }]
  return new Uint8Array(
    parquetWriteBuffer({
      columnData,
      schema: [root, ...schema],
      rowGroupSize: groups,
      ...(kvMetadata && { kvMetadata }),
      ...(pageSize && { pageSize }),
    }),
  )
}
