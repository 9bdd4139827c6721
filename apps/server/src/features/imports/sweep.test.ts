import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import { expect, it } from 'vitest'
import { sweepFiles } from '#features/jobs/sweep-files.ts'
import { pngOf } from '#platform/images/testing/png.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { makeZip } from '#platform/zip/testing/make-zip.ts'
import { importer, same, setUpImports } from './testing/fixtures.ts'
import { ageHolds } from './testing/operations.ts'

const fixture = setUpImports()
const DAY = 86_400_000
const HOLD = 60_000_000

const folderOf = (dataset: Dataset) => join(fixture.server.app.ctx.config.dataDir, 'files', dataset.id)
const pathsOf = (dataset: Dataset): string[] =>
  existsSync(folderOf(dataset))
    ? readdirSync(folderOf(dataset), { recursive: true, withFileTypes: true }).flatMap((one) =>
        one.isFile() ? [join(one.parentPath, one.name)] : [],
      )
    : []
const countOf = (dataset: Dataset) => pathsOf(dataset).length
const ageFiles = (dataset: Dataset, days = 2): void => {
  const then = new Date(Date.now() - days * DAY)
  for (const path of pathsOf(dataset)) utimesSync(path, then, then)
}

/** Runs the sweeps that are due. @returns how many ran */
const sweep = async (): Promise<number> => {
  const { ctx } = fixture.server.app
  const taken = await ctx.store.write(takeJobs, { kinds: [sweepFiles.kind], limit: 100, hold: HOLD })
  for (const { id, until } of taken) {
    const input = await sweepFiles.outsideWork?.prepare(ctx, id)
    expect((await ctx.store.write(sweepFiles.step, { id, until, hold: HOLD, input })).state).toBe('finished')
  }
  return taken.length
}

/** Makes all scheduled sweeps due now and runs them. */
const sweepNow = async (): Promise<number> => {
  await fixture.tool.write(ageHolds, {})
  return sweep()
}

const imageRows = Array.from({ length: 4 }, (_, i) => ({ name: `${i}.png`, content: pngOf([i, 7, 7]) }))
const spec = { fields: [{ name: 'image', required: true, settings: { type: 'image' } }] }
const createImport = async () => {
  const dataset = await fixture.server.createDataset(spec)
  const with_ = importer(fixture.server, dataset)
  const upload = async (members: readonly (typeof imageRows)[number][] = imageRows) => {
    const { id } = (await with_.upload('a.zip', makeZip(members))).body
    const job = (await with_.start(id, { fields: same('image'), external_id: 'file_name' })).body
    return { file: id, job: job.id }
  }
  const client = fixture.server.clientFor(fixture.server.owner)
  return { ...with_, dataset, upload, client }
}

it('images are deleted a day after the last record that shows them, and others stay', async () => {
  const { upload, finish, records, dataset, client } = await createImport()
  await upload()
  await finish()
  await sweepNow()
  const [first, second] = (await records()) as [WireRecord, WireRecord]
  await client.delete(`/datasets/${dataset.id}/records?ids=${first.id}`)
  expect(await sweep()).toBe(0)
  await sweepNow()
  expect(countOf(dataset)).toBe(4)
  ageFiles(dataset)
  await sweepNow()
  expect(countOf(dataset)).toBe(3)
  const other = await fixture.server.createDataset({ workspace_id: dataset.workspace_id })
  const items = [{ fields: { text: `![it](${second.fields['image']}) again` } }]
  expect((await client.post(`/datasets/${other.id}/records/bulk`, { items })).status).toBe(201)
  await client.delete(`/datasets/${dataset.id}/records?ids=${second.id}`)
  await sweepNow()
  expect(countOf(dataset)).toBe(3)
  const [copy] = (await importer(fixture.server, other).records()) as [WireRecord]
  await client.delete(`/datasets/${other.id}/records?ids=${copy.id}`)
  await client.delete(`/datasets/${dataset.id}/records?ids=${(await records())[0]?.id}`)
  await sweepNow()
  expect(countOf(dataset)).toBe(1)
})

it('images that restoring a record would need stay', async () => {
  const { upload, finish, records, dataset, client } = await createImport()
  await upload(imageRows.slice(0, 1))
  await finish()
  const [record] = (await records()) as [WireRecord]
  const changed = await client.patch(`/records/${record.id}`, { fields: { image: 'https://example.com/x.png' } })
  expect(changed.status).toBe(200)
  ageFiles(dataset)
  await sweepNow()
  expect(countOf(dataset)).toBe(1)
  await client.delete(`/records/${record.id}`)
  await sweepNow()
  expect(countOf(dataset)).toBe(0)
})

it('an import that is canceled, or whose rows are rejected, leaves no image behind', async () => {
  const { upload, take, finish, dataset, client } = await createImport()
  const { job } = await upload()
  const held = await take()
  if (held === undefined) throw new Error('there is no job')
  // Simulates an import that stops after reading a batch: its images are stored, but its records aren't.
  const { importFile } = await import('./store/job.ts')
  await importFile.outsideWork?.prepare(fixture.server.app.ctx, held.id)
  expect(countOf(dataset)).toBe(4)
  ageFiles(dataset)
  expect(await sweepNow()).toBe(1)
  expect(countOf(dataset)).toBe(4)
  expect((await client.post(`/jobs/${job}/cancel`)).status).toBe(200)
  expect(await sweepNow()).toBe(1)
  expect(countOf(dataset)).toBe(0)
  expect(await sweepNow()).toBe(0)
  // A second import stores the removed images again.
  await upload()
  await finish()
  ageFiles(dataset)
  await sweepNow()
  expect(countOf(dataset)).toBe(4)
})

it('a file that is stored again counts as new', async () => {
  const { upload, finish, dataset, client, records } = await createImport()
  await upload(imageRows.slice(0, 2))
  await finish()
  const [first] = (await records()) as [WireRecord]
  await client.delete(`/records/${first.id}`)
  ageFiles(dataset)
  const held = await upload(imageRows.slice(0, 1))
  await finish()
  await client.delete(`/datasets/${dataset.id}/records?ids=${(await records()).map(({ id }) => id).join()}`)
  expect(held.job).not.toBe('')
  await sweepNow()
  // The first image was stored again just now, so it is kept. The second image is old, and its record has just been deleted.
  expect(countOf(dataset)).toBe(1)
})
