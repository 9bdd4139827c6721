import { describe, expect, it, test } from 'vitest'
import { importer, same, setUpImports, spec } from '../testing/fixtures.ts'
import { isGreat, isInexact, withExactNumbers } from './exact.ts'

const fixture = setUpImports()
const begin = async () =>
  importer(
    fixture.server,
    await fixture.server.createDataset({
      ...spec,
      metadata_properties: [
        { name: 'source', settings: { type: 'terms' } },
        { name: 'size', settings: { type: 'integer' } },
        { name: 'ratio', settings: { type: 'float' } },
      ],
    }),
  )

const LONG = ['1234567890123456789', '1234567890123456788', '9007199254740993', '12']

test.each([
  ['9007199254740993', true],
  ['-9007199254740993', true],
  [' +9007199254740993.0 ', true],
  ['9'.repeat(400), true],
  ['9007199254740991', false],
  ['1152921504606846976', false],
  ['1234567890123456789.5', false],
  ['12345678901234567890 apples', false],
])('%s would become a different number: %s', (text, expected) => {
  expect(isInexact(text)).toBe(expected)
  expect(isGreat(text)).toBe(expected || text === '1152921504606846976')
})

test('large JSON numbers become text, whatever surrounds them', () => {
  const json = String.raw`{"a\"9007199254740993": [9007199254740993, -9007199254740993 ,1152921504606846976, 1e3, 1.25e17], "b": "9007199254740993"}`
  expect(JSON.parse(withExactNumbers(json))).toEqual({
    'a"9007199254740993': ['9007199254740993', '-9007199254740993', '1152921504606846976', 1e3, 1.25e17],
    b: '9007199254740993',
  })
})

describe.each([
  ['rows.csv', `text,source\n${LONG.map((one) => `t,${one}`).join('\n')}`],
  ['rows.jsonl', LONG.map((one) => `{"text": "t", "source": ${one}}`).join('\n')],
  ['rows.json', `[${LONG.map((one) => `{"text": "t", "source": ${one}}`).join(',')}]`],
])('numbers that are too large, in %s', (name, content) => {
  it('are reported as text values of terms, with all their digits', async () => {
    const { upload } = await begin()
    const { body } = await upload(name, content)
    expect(body.columns[1]).toMatchObject({
      type: 'text',
      samples: LONG,
      values: LONG,
      proposal: { role: 'metadata', type: 'terms' },
    })
  })

  it('are stored exactly, or their rows are reported', async () => {
    const { upload, check, start, finish, job, records, report } = await begin()
    for (const target of ['size', 'ratio']) {
      const { id } = (await upload(name, content)).body
      const mapping = { fields: same('text'), metadata: [{ source: 'source', target }] }
      const { errors } = (await check(id, mapping)).body
      expect(errors.map(({ row, column, reason_parts }) => [row, column, reason_parts.map(({ code }) => code)])).toEqual(
        [1, 2, 3].map((row) => [row, 'source', ['propertyFault', 'mustBeInteger']]),
      )
      const { id: started } = (await start(id, mapping)).body
      await finish()
      expect((await job(started)).import).toMatchObject({ rows: 4, failed: 3 })
      expect((await report(id)).trim().split('\n')).toHaveLength(3)
    }
    const { id } = (await upload(name, content)).body
    await start(id, { fields: [{ source: 'source', target: 'text' }], metadata: same('source'), external_id: 'source' })
    await finish()
    const storedRecords = (await records()).filter(({ external_id }) => LONG.includes(external_id ?? ''))
    expect(storedRecords.map(({ fields, metadata }) => [fields['text'], String(metadata?.['source'])])).toEqual(
      LONG.map((one) => [one, one]),
    )
  })
})

describe.each(['rows.jsonl', 'rows.csv'])('an ID that would change as a number, in %s', (name) => {
  it('keeps its digits', async () => {
    const { upload, start, finish, records } = await begin()
    const ids = ['1152921504606846976', '1152921504606847000', '100000000000000000000', '12']
    const content = name.endsWith('csv')
      ? `id,n\n${ids.map((id) => `${id},1152921504606846976`).join('\n')}`
      : ids.map((id) => `{"id": ${id}, "n": 1152921504606846976}`).join('\n')
    const { id, columns } = (await upload(name, content)).body
    expect(columns[0]).toMatchObject({ type: 'text', samples: ids, proposal: { role: 'external_id' } })
    const metadata = [{ source: 'n', target: 'ratio' }]
    await start(id, { fields: [{ source: 'id', target: 'text' }], metadata, external_id: 'id' })
    await finish()
    const storedRecords = (await records()).map(({ external_id, fields, metadata }) => [
      external_id,
      fields['text'],
      metadata?.['ratio'],
    ])
    expect(storedRecords).toEqual(ids.map((one) => [one, one, 2 ** 60]))
  })
})

it('large numbers next to fractions stay numbers', async () => {
  const { upload, start, finish, records } = await begin()
  const { id, columns } = (await upload('rows.json', '[{"n": 100000000000000000000}, {"n": 0.5}]')).body
  expect(columns[0]).toMatchObject({ type: 'float' })
  await start(id, { fields: [{ source: 'n', target: 'text' }], metadata: [{ source: 'n', target: 'ratio' }] })
  await finish()
  expect((await records()).map(({ metadata }) => metadata?.['ratio'])).toEqual([1e20, 0.5])
})
