import type { Message } from '@postil/contract/wire/message.ts'
import { messageHeader } from '@postil/contract/wire/message-header.ts'
import { describe, expect, test } from 'vitest'
import { makeWorkbook, textRow } from '#platform/xlsx/testing/make-workbook.ts'
import { importer, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])
const sealed = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(500)])
const book = makeWorkbook({ sheets: { Data: [textRow(1, 'text'), textRow(2, 'one')] } })

describe('a file whose content doesn’t match its name', () => {
  test.each([
    ['cut.xlsx', book.subarray(0, 900), 'notWorkbook'],
    ['sealed.xlsx', sealed, 'workbookPassword'],
    ['old.xlsx', compound, 'workbookOlder'],
    ['cut.zip', book.subarray(0, 900), 'notArchive'],
    ['text.parquet', Buffer.from('id,text\n1,one\n'), 'notParquet'],
    ['cut.parquet', Buffer.from('PAR1 and what follows, but not to its end'), 'fileNoEnd'],
    ['cut.csv', Buffer.from('text\n"one'), 'noLineRead', 'quoteUnclosed'],
    ['one.json', Buffer.from('one'), 'lineFault', 'notJsonList'],
  ])('%s is rejected with a message that the page can translate', async (name, content, code, reason = undefined) => {
    const { upload } = importer(fixture.server, await fixture.server.createDataset(spec))
    const { status, headers } = await upload(name, new Uint8Array(content))
    const coded = JSON.parse(decodeURIComponent(headers.get(messageHeader) ?? 'null')) as Message | null
    const inner = typeof coded?.reason === 'object' ? coded.reason.code : undefined
    expect([status, coded?.code, inner]).toEqual([422, code, reason])
  })
})
