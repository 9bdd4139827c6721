import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { describe, expect, it } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()
const begin = async (of: DatasetSpec = spec) => importer(fixture.server, await fixture.server.createDataset(of))

describe('a value of a Parquet file', () => {
  it('keeps every digit of a decimal', async () => {
    const { upload, start, finish, records } = await begin()
    const content = parquetOf({
      id: ['digits', [12_345_678_901_234_567_890n, -7n, null]],
      text: ['price', [35n, -115n, 1200n]],
    })
    const { body } = await upload('rows.parquet', content)
    const rows = [
      ['12345678901234567890', '0.35'],
      ['-7', '-1.15'],
      [null, '12'],
    ]
    expect(body.rows).toEqual(rows)
    expect((await start(body.id, { fields: same('text'), external_id: 'id' })).status).toBe(202)
    await finish()
    const stored = (await records()).map(({ external_id, fields }) => [external_id, fields['text']])
    expect(stored).toEqual([...rows.slice(0, 2), ['rows_3', '12']])
  })

  it('keeps every digit of a decimal as text, and uses the nearest number in a property', async () => {
    const { upload, start, finish, records } = await begin({
      ...spec,
      metadata_properties: [{ name: 'ratio', settings: { type: 'float' } }],
    })
    const content = parquetOf({
      text: ['anyLength', [1_234_567_890_123_456_789n, -5n, 0n]],
      size: ['anyLength', [1_234_567_890_123_456_789n, 3_333_333_333_333_333_333n, null]],
      some: ['anyLength', [1_234_567_890_123_456_789n, 350n, 12_345_678_901_234_567_800n]],
    })
    const { body } = await upload('rows.parquet', content)
    expect(body.rows).toEqual([
      ['12345678901234567.89', '12345678901234567.89', '12345678901234567.89'],
      ['-0.05', '33333333333333333.33', '3.5'],
      ['0', null, '123456789012345678'],
    ])
    const float = { role: 'metadata', type: 'float' }
    expect(body.columns.map(({ type, proposal }) => [type, proposal])).toEqual([
      // The only column that can be a field
      ['float', { role: 'field', type: 'text' }],
      ['text', float],
      ['float', float],
    ])
    expect((await start(body.id, { fields: same('text'), metadata: [{ source: 'size', target: 'ratio' }] })).status).toBe(202)
    await finish()
    const stored = (await records()).map(({ fields, metadata }) => [fields['text'], metadata?.['ratio']])
    expect(stored).toEqual([
      ['12345678901234567.89', 12345678901234568],
      ['-0.05', 33333333333333332],
      ['0', undefined],
    ])
  })

  it('has no time zone if none is given', async () => {
    const { upload } = await begin()
    const content = parquetOf({ when: ['local', [1_709_208_000_123_456n, 1_709_208_000_120_000n, 1_709_208_000_000_000n, null]] })
    expect((await upload('rows.parquet', content)).body.rows).toEqual([
      ['2024-02-29T12:00:00.123456'],
      ['2024-02-29T12:00:00.120'],
      ['2024-02-29T12:00:00'],
      [null],
    ])
  })

  it('keeps every digit inside lists and objects', async () => {
    const { upload } = await begin()
    const content = parquetOf({
      prices: ['prices', [[35n, -115n, null], [900_719_925_474_099_300n], null]],
      priced: ['priced', [{ name: 'a', prices: [35n] }, { name: null, prices: null }, null]],
      times: ['times', [[45_001_000_005n, 0n], [86_399_999_000n, 60_000_000n], []]],
    })
    expect((await upload('rows.parquet', content)).body.rows).toEqual([
      ['[0.35,-1.15,null]', '{"name":"a","prices":[0.35]}', '["12:30:01.000005","00:00:00"]'],
      ['["9007199254740993"]', '{"name":null,"prices":null}', '["23:59:59.999","00:01:00"]'],
      [null, null, '[]'],
    ])
  })

  it('keeps every digit of a timestamp', async () => {
    const { upload } = await begin()
    const content = parquetOf({
      micros: ['micros', [1_709_208_000_123_456n, 1_709_208_000_123_000n, -1n, null]],
      nanos: ['nanos', [1_709_208_000_123_456_789n, 1_709_208_000_123_456_000n, -1n, 0n]],
    })
    expect((await upload('rows.parquet', content)).body.rows).toEqual([
      ['2024-02-29T12:00:00.123456Z', '2024-02-29T12:00:00.123456789Z'],
      ['2024-02-29T12:00:00.123Z', '2024-02-29T12:00:00.123456Z'],
      ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999999Z'],
      [null, '1970-01-01T00:00:00.000Z'],
    ])
  })
})
