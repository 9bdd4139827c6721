import { gzipSync } from 'node:zlib'
import { type ColumnMetaData, parquetMetadata } from 'hyparquet'
import { readOffsetIndex } from 'hyparquet/src/indexes.js'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it, test } from 'vitest'
import { checkThrift } from './check-index.ts'
import { checkPages } from './check-pages.ts'
import { MAX_PAGE } from './pages.ts'
import { openParquetFile } from './parquet-file.ts'
import { parquetOf } from './testing/parquet.ts'

/** A number in Thrift's compact protocol. */
const number = (value: number): number[] => {
  const bytes: number[] = []
  for (let rest = value * 2; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 128)
  }
}
type Page = { readonly unpacked: number; readonly packed: number; readonly values: number; readonly body?: number }
/** A data page of version 1: its header, followed by `body` zero bytes. */
const page = ({ unpacked, packed, values, body = packed }: Page): number[] => {
  const data = [0x15, ...number(values), 0x15, ...number(0), 0x15, ...number(3), 0x15, ...number(3), 0]
  return [0x15, ...number(0), 0x15, ...number(unpacked), 0x15, ...number(packed), 0x2c, ...data, 0, ...new Array(body).fill(0)]
}

const unpack = (bytes: Uint8Array) => bytes
const check = (bytes: readonly number[], rows: number, repetition = 0) => {
  const file = new Uint8Array([0, 0, 0, 0, ...bytes])
  const meta = { data_page_offset: 4n, total_compressed_size: BigInt(bytes.length) } as ColumnMetaData
  return checkPages(async (start, end) => file.slice(start, end).buffer, {
    meta,
    rows,
    levels: { definition: repetition, repetition, isBoolean: false },
    unpack,
  })
}
const small = page({ unpacked: 10, packed: 10, values: 5 })

it('accepts pages that match their headers', async () => {
  await expect(check([...small, ...small], 10)).resolves.toHaveLength(2)
})

test.each([
  [
    'a page that unpacks to too much',
    page({ unpacked: MAX_PAGE + 1, packed: 10, values: 5 }),
    5,
    'has a page larger than 128 MB',
  ],
  ['a page with too many values', page({ unpacked: 10, packed: 10, values: 4_000_001 }), 4_000_001, 'more than 4000000 values'],
  ['a page longer than its column', page({ unpacked: 10, packed: 50, values: 5, body: 10 }), 5, 'exceeds its column'],
  ['too few values', small, 6, 'has a row count that does not match'],
])('refuses %s', async (_name, bytes, rows, reason) => {
  await expect(check(bytes, rows)).rejects.toThrow(reason)
})

it('refuses a run longer than its page, of levels and of dictionary indexes', async () => {
  // One-bit levels: their length, then a run of `run` ones.
  const levels = (run: number) => [...[2 + number(run).length - 1, 0, 0, 0], ...number(run), 1]
  const withLevels = (run: number) => {
    const body = levels(run)
    return [...page({ unpacked: body.length, packed: body.length, values: 5, body: 0 }), ...body]
  }
  await expect(check(withLevels(5), 5, 1)).rejects.toThrow('a run that exceeds its page')
  await expect(check(withLevels(1_000_000_000), 5, 1)).rejects.toThrow('a run that exceeds its page')
})

it('refuses an index that would exceed the available memory', () => {
  const item = [0x19, 0xfc, ...[0x80, 0x84, 0xaf, 0x5f]]
  expect(() => checkThrift(Uint8Array.from([...item, ...new Array(4_000_100).fill(0)]))).toThrow('more than 4000000 values')
  expect(() => checkThrift(Uint8Array.from(new Array(100).fill(0x1c)))).toThrow('unreadable index')
  expect(() => checkThrift(Uint8Array.from([0x15]))).toThrow('unreadable index')
})

it('refuses lists with too many items in one group', async () => {
  const all = [5, 0, 0, 0, ...number(4_000_000), 1]
  const body = [...all, ...all]
  const many = [...page({ unpacked: body.length, packed: body.length, values: 4_000_000, body: 0 }), ...body]
  await expect(check([...many, ...many, ...many, ...many, ...many, ...many], 5, 1)).rejects.toThrow('20000000 values')
})

it('reads its own files in full, whatever their row groups', async () => {
  const texts = Array.from({ length: 500 }, (_, i) => `text ${i % 7}`)
  const bytes = parquetOf({ a: ['text', texts], b: ['texts', texts.map((text) => [text, 'x'])] }, 120)
  const file = { byteLength: bytes.length, slice: async (start: number, end = bytes.length) => bytes.slice(start, end).buffer }
  const { rows, read } = await openParquetFile(file, { aheadBytes: 1_000, aheadRows: 50, walk: true })
  const found: unknown[] = []
  while (found.length < rows) found.push(...(await read(found.length, ['a', 'b'])).map(({ a, b }) => [a, b]))
  const decode = (value: unknown): unknown =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : Array.isArray(value) ? value.map(decode) : value
  expect(found.map(decode)).toEqual(texts.map((text) => [text, [text, 'x']]))
})

it('reads no byte past a page, whatever length a text declares', async () => {
  const text = 'a text that is shorter than it says'
  const longer = (page: Uint8Array): Uint8Array => {
    const bytes = Buffer.from(page)
    bytes.writeUInt32LE(5_000, bytes.indexOf(text) - 4)
    return gzipSync(bytes)
  }
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'a', type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: 'REQUIRED' as const },
  ]
  const columnData = [{ name: 'a', data: [text], encoding: 'PLAIN' as const }]
  const bytes = new Uint8Array(parquetWriteBuffer({ schema, columnData, codec: 'GZIP', compressors: { GZIP: longer } }))
  const file = { byteLength: bytes.length, slice: async (start: number, end = bytes.length) => bytes.slice(start, end).buffer }
  const { read } = await openParquetFile(file, { aheadBytes: 1_000, aheadRows: 50, walk: true })
  for (let i = 0; i < 20; i += 1) await expect(read(0, ['a'])).rejects.toThrow('cannot be read')
})

it('reads pages at their actual position, whatever the page index says', async () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => `text ${i}`)
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'a', type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: 'REQUIRED' as const },
  ]
  const columnData = [{ name: 'a', data: texts, encoding: 'PLAIN' as const }]
  const bytes = Buffer.from(
    parquetWriteBuffer({ schema, columnData, pageSize: 10_000, rowGroupSize: 3_000, codec: 'UNCOMPRESSED' }),
  )
  const chunk = parquetMetadata(new Uint8Array(bytes).buffer).row_groups[0]?.columns[0]
  const view = new DataView(new Uint8Array(bytes).buffer)
  const { page_locations: pages } = readOffsetIndex({ view, offset: Number(chunk?.offset_index_offset) })
  const [, second, third] = pages.map(({ offset }) => Buffer.from(number(Number(offset))))
  if (second === undefined || third === undefined) throw new Error('there are too few pages')
  third.copy(bytes, bytes.indexOf(second, Number(chunk?.offset_index_offset)))
  const file = {
    byteLength: bytes.length,
    slice: async (start: number, end = bytes.length) => new Uint8Array(bytes.subarray(start, end)).buffer,
  }
  const { read } = await openParquetFile(file, { aheadBytes: 1_000, aheadRows: 10, walk: true })
  const from = Number(pages[1]?.first_row_index)
  expect((await read(from, ['a']))[0]).toEqual({ a: `text ${from}` })
})
