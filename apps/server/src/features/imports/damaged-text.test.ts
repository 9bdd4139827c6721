import type { FileCheck, ImportFile } from '@postil/contract/files/imports.ts'
import { expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()
const damaged = Buffer.concat([
  Buffer.from('text,source\nGröße,mail\nJos'),
  Buffer.from([0xe9]),
  Buffer.from(',mail\nähnlich,web\nübel,web\n'),
])

it('of damaged text, rows with replaced bytes are listed, and another encoding can be chosen', async () => {
  const dataset = await fixture.server.createDataset(spec)
  const { upload, check, start, finish, records } = importer(fixture.server, dataset)
  const { status, body: file } = await upload('names.csv', damaged)
  expect([status, file.reading.encoding, file.reading.damaged_at]).toEqual([201, 'utf-8', damaged.indexOf(0xe9)])
  expect(file.rows.map(([text]) => text)).toEqual(['Größe', 'Jos\ufffd', 'ähnlich', 'übel'])
  const mapping = { fields: same('text'), metadata: same('source') }
  const checked = (await check(file.id, mapping)).body as FileCheck
  expect(checked.errors).toEqual([])
  expect(checked.warnings.map(({ row, line, reason_parts: [part] }) => [row, line, part?.code])).toEqual([
    [2, 3, 'charactersReplaced'],
  ])
  const client = fixture.server.clientFor(fixture.server.owner)
  const path = `/datasets/${dataset.id}/imports/files/${file.id}/reading`
  const read = async (encoding: string) => (await client.post<ImportFile>(path, { encoding })).body
  const latin = await read('windows-1252')
  expect([latin.reading.damaged_at, latin.rows[1]?.[0], latin.rows[0]?.[0]]).toEqual([null, 'José', 'GrÃ¶ÃŸe'])
  const again = await read('utf-8')
  expect([again.reading.damaged_at, again.rows[1]?.[0]]).toEqual([damaged.indexOf(0xe9), 'Jos\ufffd'])
  expect((await start(file.id, mapping)).status).toBe(202)
  await finish()
  expect((await records()).map(({ fields }) => fields['text'])).toEqual(['Größe', 'Jos\ufffd', 'ähnlich', 'übel'])
})
