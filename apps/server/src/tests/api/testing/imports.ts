import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Upload } from '@postil/contract/files/uploads.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Client } from '@postil/testkit/client.ts'
import { storeImage } from '#features/images/public.ts'
import { makeWorkbook, textRow } from '#platform/xlsx/testing/make-workbook.ts'
import { type ApiFixture, must, type Who } from './fixture.ts'

const CSV = { 'content-type': 'text/csv' }

/** A file for the rich dataset. */
export const rows = ({ word }: ApiFixture) => `${word}-text\n${word} first\n${word} second\n`
export const mapping = ({ word }: ApiFixture) => ({ fields: [{ source: `${word}-text`, target: `${word}-text` }] })

export const upload = async (fixture: ApiFixture, client: Client = fixture.owner) => {
  const path = `/datasets/${fixture.rich.dataset.id}/imports/files`
  const { id } = must(await client.post<ImportFile>(`${path}?name=rows.csv`, rows(fixture), CSV))
  return { dataset_id: fixture.rich.dataset.id, file_id: id }
}

/** Uploads a user's own file, for a dataset that does not exist yet. */
export const uploadOwn = async (fixture: ApiFixture, who: Who) => {
  const { id } = must(await fixture.as(who).post<ImportFile>('/me/imports/files?name=rows.csv', rows(fixture), CSV))
  return { file_id: id }
}
const workbook = ({ word }: ApiFixture) => {
  const sheet = [textRow(1, `${word}-text`), textRow(2, `${word} first`)]
  return makeWorkbook({ sheets: { Data: sheet, Notes: sheet } })
}
const XLSX = { 'content-type': 'application/octet-stream' }

/** Uploads a workbook of two sheets for the rich dataset. */
export const uploadWorkbook = async (fixture: ApiFixture) => {
  const path = `/datasets/${fixture.rich.dataset.id}/imports/files`
  const { id } = must(await fixture.owner.post<ImportFile>(`${path}?name=book.xlsx`, workbook(fixture), XLSX))
  return { dataset_id: fixture.rich.dataset.id, file_id: id }
}
export const uploadOwnWorkbook = async (fixture: ApiFixture, who: Who) => {
  const { id } = must(await fixture.as(who).post<ImportFile>('/me/imports/files?name=book.xlsx', workbook(fixture), XLSX))
  return { file_id: id }
}

/** Stores an image among the rich dataset's files. @param tail bytes to append, which make the image a different file */
export const storedImage = async ({ server, rich }: ApiFixture, tail = '') => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const bytes = Buffer.concat([Buffer.from(png, 'base64'), Buffer.from(tail)])
  const address = await storeImage(server.app.ctx.config, rich.dataset.id, { bytes, ending: 'png', base: server.url })
  return { dataset_id: rich.dataset.id, name: address.split('/').at(-1) ?? '' }
}

/** Dataset settings for the file. */
export const plan = (fixture: ApiFixture) => ({
  mapping: mapping(fixture),
  fields: [{ name: `${fixture.word}-text`, title: 'Text', required: true, settings: { type: 'text' } }],
  questions: [],
})

/** Starts an import as the user. */
export const started = async (fixture: ApiFixture, who: Who) => {
  const client = fixture.as(who)
  const { dataset_id, file_id } = await upload(fixture, client)
  const path = `/datasets/${dataset_id}/imports/files/${file_id}/start`
  return must(await client.post<Job>(path, { mapping: mapping(fixture) }))
}

export const uploadInParts = async (fixture: ApiFixture, who: Who, whole = false) => {
  const client = fixture.as(who)
  const content = rows(fixture)
  const body = { name: 'rows.csv', size: Buffer.byteLength(content) }
  const { id } = must(await client.post<Upload>('/me/imports/uploads', body))
  if (whole) must(await client.put(`/me/imports/uploads/${id}?at=0`, content, CSV))
  return { file_id: id }
}
