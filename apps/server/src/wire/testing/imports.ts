import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Upload } from '@postil/contract/files/uploads.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Client } from '@postil/testkit/client.ts'
import { keepImage } from '#features/pictures/service.ts'
import { makeWorkbook, textRow } from '#platform/xlsx/testing/make-workbook.ts'
import { must, type Stage, type Who } from './stage.ts'

const CSV = { 'content-type': 'text/csv' }
/** A file for the dataset that has everything. */
export const rows = ({ word }: Stage) => `${word}-text\n${word} first\n${word} second\n`
export const mapping = ({ word }: Stage) => ({ fields: [{ source: `${word}-text`, target: `${word}-text` }] })

export const upload = async (stage: Stage, client: Client = stage.owner) => {
  const path = `/datasets/${stage.rich.dataset.id}/imports/files`
  const { id } = must(await client.post<ImportFile>(`${path}?name=rows.csv`, rows(stage), CSV))
  return { dataset_id: stage.rich.dataset.id, file_id: id }
}

/** A file of the person's own, for a dataset that does not exist yet. */
export const uploadMine = async (stage: Stage, who: Who) => {
  const { id } = must(await stage.as(who).post<ImportFile>('/me/imports/files?name=rows.csv', rows(stage), CSV))
  return { file_id: id }
}
const workbook = ({ word }: Stage) => {
  const sheet = [textRow(1, `${word}-text`), textRow(2, `${word} first`)]
  return makeWorkbook({ sheets: { Data: sheet, Notes: sheet } })
}
const XLSX = { 'content-type': 'application/octet-stream' }

/** A workbook of two sheets for the dataset that has everything. */
export const uploadWorkbook = async (stage: Stage) => {
  const path = `/datasets/${stage.rich.dataset.id}/imports/files`
  const { id } = must(await stage.owner.post<ImportFile>(`${path}?name=book.xlsx`, workbook(stage), XLSX))
  return { dataset_id: stage.rich.dataset.id, file_id: id }
}
export const uploadMyWorkbook = async (stage: Stage, who: Who) => {
  const { id } = must(await stage.as(who).post<ImportFile>('/me/imports/files?name=book.xlsx', workbook(stage), XLSX))
  return { file_id: id }
}

/** An image among the files of the dataset that has everything. @param tail bytes behind the image, which make it another file */
export const storedImage = async ({ server, rich }: Stage, tail = '') => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const bytes = Buffer.concat([Buffer.from(png, 'base64'), Buffer.from(tail)])
  const address = await keepImage(server.app.ctx.config, rich.dataset.id, { bytes, ending: 'png', base: server.url })
  return { dataset_id: rich.dataset.id, name: address.split('/').at(-1) ?? '' }
}

/** Settings of a dataset that takes the file. */
export const plan = (stage: Stage) => ({
  mapping: mapping(stage),
  fields: [{ name: `${stage.word}-text`, title: 'Text', required: true, settings: { type: 'text' } }],
  questions: [],
})

/** An import that the person has started. */
export const started = async (stage: Stage, who: Who) => {
  const client = stage.as(who)
  const { dataset_id, file_id } = await upload(stage, client)
  const path = `/datasets/${dataset_id}/imports/files/${file_id}/start`
  return must(await client.post<Job>(path, { mapping: mapping(stage) }))
}

/** A file of the person's own of which nothing, or all, has arrived. */
export const uploadInParts = async (stage: Stage, who: Who, whole = false) => {
  const client = stage.as(who)
  const content = rows(stage)
  const body = { name: 'rows.csv', size: Buffer.byteLength(content) }
  const { id } = must(await client.post<Upload>('/me/imports/uploads', body))
  if (whole) must(await client.put(`/me/imports/uploads/${id}?at=0`, content, CSV))
  return { file_id: id }
}
