import { detail } from '@postil/testkit/detail.ts'
import { expect } from 'vitest'
import { makeWorkbook, textRow } from '#platform/xlsx/testing/make-workbook.ts'
import { importer, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

detail('a large workbook is unpacked without blocking other requests', async () => {
  const { upload } = importer(fixture.server, await fixture.server.createDataset(spec))
  const rows = Array.from({ length: 150_000 }, (_, i) =>
    textRow(i + 2, `row ${i + 1}`, `some more words for row ${i + 1}`, 'yes'),
  )
  const book = makeWorkbook({ sheets: { Data: [textRow(1, 'text', 'more', 'label'), ...rows] } })
  const cpu = process.threadCpuUsage()
  const { status, body } = await upload('large.xlsx', book)
  const { user, system } = process.threadCpuUsage(cpu)
  expect([status, body.columns.length]).toEqual([201, 3])
  // Reading the file takes much longer than 600 ms, and must not happen on this thread. The CPU time of a thread doesn't depend
  // on other load.
  expect((user + system) / 1000).toBeLessThan(600)
})
