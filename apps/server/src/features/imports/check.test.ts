import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()
const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))

describe('a dry run', () => {
  it('checks all rows of a file that is read quickly', async () => {
    const { upload, check } = await begin()
    const { id } = (await upload('rows.csv', `text,size\n${'x,1\n'.repeat(1200)}x,much\nx,1\n`)).body
    const checked = async () => (await check(id, { fields: same('text'), metadata: same('size') })).body
    // Checks repeatedly: on a busy machine, the time limit of one check may end before all rows are read.
    const whole = { rows: 1202, whole: true, errors: [{ row: 1201, line: 1202, column: 'size' }] }
    await expect.poll(checked).toMatchObject(whole)
    const body = await checked()
    expect(body.records.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5])
  })

  it('warns of a quoted cell that looks like several rows', async () => {
    const { upload, check } = await begin()
    const rows = ['1,"one",2', '2,"She said,2', '3,another,3', '4,and that was it",4', '5,"a line\nand another, longer",5']
    const { id } = (await upload('rows.csv', `n,text,size\n${rows.join('\n')}\n`)).body
    const { body } = await check(id, { fields: same('text'), metadata: same('size') })
    expect([body.rows, body.errors]).toEqual([3, []])
    expect(body.warnings).toEqual([
      {
        row: 2,
        line: 3,
        column: 'text',
        reason: expect.stringContaining('spans 3 lines'),
        reason_parts: [{ code: 'cellMerged', params: { lines: '3' } }],
      },
    ])
  })

  it('stops early when many rows are bad', async () => {
    const { upload, check } = await begin()
    const { id } = (await upload('rows.csv', `text,size\n${'x,much\n'.repeat(1200)}`)).body
    const { body } = await check(id, { fields: same('text'), metadata: same('size') })
    expect([body.rows, body.whole, body.errors.length]).toEqual([500, false, 500])
  })

  it('reports an incomplete check if the rest of the file can’t be read', async () => {
    const { upload, check } = await begin()
    const { id } = (await upload('rows.json', '[{"text": "one"}, {"text": "two"')).body
    expect((await check(id, { fields: same('text') })).body).toMatchObject({ rows: 2, whole: false, errors: [{ row: 2 }] })
  })
})
