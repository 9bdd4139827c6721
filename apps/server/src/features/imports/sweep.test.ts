import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import { expect, it } from 'vitest'
import { sweepFiles } from '#features/jobs/service.ts'
import { pngOf } from '#platform/images/testing/png.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { makeZip } from '#platform/zip/testing/make-zip.ts'
import { importer, same, setUpImports } from './testing/given.ts'
import { ageHolds } from './testing/operations.ts'

const ground = setUpImports()
const DAY = 86_400_000
const HOLD = 60_000_000

const folderOf = (dataset: Dataset) => join(ground.server.app.ctx.config.dataDir, 'files', dataset.id)
const pathsOf = (dataset: Dataset): string[] =>
  existsSync(folderOf(dataset))
    ? readdirSync(folderOf(dataset), { recursive: true, withFileTypes: true }).flatMap((one) =>
        one.isFile() ? [join(one.parentPath, one.name)] : [],
      )
    : []
const countOf = (dataset: Dataset) => pathsOf(dataset).length
const letDaysPass = (dataset: Dataset, days = 2): void => {
  const then = new Date(Date.now() - days * DAY)
  for (const path of pathsOf(dataset)) utimesSync(path, then, then)
}

/** Carries out the sweeps that are due. @returns how many there were */
const sweep = async (): Promise<number> => {
  const { ctx } = ground.server.app
  const taken = await ctx.store.write(takeJobs, { kinds: [sweepFiles.kind], limit: 100, hold: HOLD })
  for (const { id, until } of taken) {
    const input = await sweepFiles.outside?.prepare(ctx, id)
    expect((await ctx.store.write(sweepFiles.step, { id, until, hold: HOLD, input })).state).toBe('finished')
  }
  return taken.length
}
/** What is to be done some day is to be done now. */
const sweepNow = async (): Promise<number> => {
  await ground.tool.write(ageHolds, {})
  return sweep()
}

const pictures = Array.from({ length: 4 }, (_, i) => ({ name: `${i}.png`, content: pngOf([i, 7, 7]) }))
const spec = { fields: [{ name: 'image', required: true, settings: { type: 'image' } }] }
const given = async () => {
  const dataset = await ground.server.createDataset(spec)
  const with_ = importer(ground.server, dataset)
  const bring = async (members: readonly (typeof pictures)[number][] = pictures) => {
    const { id } = (await with_.upload('a.zip', makeZip(members))).body
    const job = (await with_.start(id, { fields: same('image'), external_id: 'file_name' })).body
    return { file: id, job: job.id }
  }
  const client = ground.server.as(ground.server.owner)
  return { ...with_, dataset, bring, client }
}

it('images go with the last record that shows them, a day later, and others stay', async () => {
  const { bring, finish, records, dataset, client } = await given()
  await bring()
  await finish()
  await sweepNow()
  const [first, second] = (await records()) as [WireRecord, WireRecord]
  await client.delete(`/datasets/${dataset.id}/records?ids=${first.id}`)
  expect(await sweep()).toBe(0)
  await sweepNow()
  expect(countOf(dataset)).toBe(4)
  letDaysPass(dataset)
  await sweepNow()
  expect(countOf(dataset)).toBe(3)
  // Another record of the same image, in another dataset, in the middle of a text.
  const other = await ground.server.createDataset({ workspace_id: dataset.workspace_id })
  const items = [{ fields: { text: `![it](${second.fields['image']}) again` } }]
  expect((await client.post(`/datasets/${other.id}/records/bulk`, { items })).status).toBe(201)
  await client.delete(`/datasets/${dataset.id}/records?ids=${second.id}`)
  await sweepNow()
  expect(countOf(dataset)).toBe(3)
  const [copy] = (await importer(ground.server, other).records()) as [WireRecord]
  await client.delete(`/datasets/${other.id}/records?ids=${copy.id}`)
  await client.delete(`/datasets/${dataset.id}/records?ids=${(await records())[0]?.id}`)
  await sweepNow()
  expect(countOf(dataset)).toBe(1)
})

it('what a restore of a record would bring back stays', async () => {
  const { bring, finish, records, dataset, client } = await given()
  await bring(pictures.slice(0, 1))
  await finish()
  const [record] = (await records()) as [WireRecord]
  const changed = await client.patch(`/records/${record.id}`, { fields: { image: 'https://example.com/x.png' } })
  expect(changed.status).toBe(200)
  letDaysPass(dataset)
  await sweepNow()
  expect(countOf(dataset)).toBe(1)
  await client.delete(`/records/${record.id}`)
  await sweepNow()
  expect(countOf(dataset)).toBe(0)
})

it('an import that is canceled, or whose rows are refused, leaves no image behind', async () => {
  const { bring, take, finish, dataset, client } = await given()
  const { job } = await bring()
  const held = await take()
  if (held === undefined) throw new Error('there is no job')
  // What it had read when somebody stopped it: its images are kept, its records are not.
  const { importFile } = await import('./store/job.ts')
  await importFile.outside?.prepare(ground.server.app.ctx, held.id)
  expect(countOf(dataset)).toBe(4)
  letDaysPass(dataset)
  expect(await sweepNow()).toBe(1)
  expect(countOf(dataset)).toBe(4)
  expect((await client.post(`/jobs/${job}/cancel`)).status).toBe(200)
  expect(await sweepNow()).toBe(1)
  expect(countOf(dataset)).toBe(0)
  expect(await sweepNow()).toBe(0)
  // A second import finds the images gone and keeps them anew.
  await bring()
  await finish()
  letDaysPass(dataset)
  await sweepNow()
  expect(countOf(dataset)).toBe(4)
})

it('a file that is kept again is as young as a new one', async () => {
  const { bring, finish, dataset, client, records } = await given()
  await bring(pictures.slice(0, 2))
  await finish()
  const [first] = (await records()) as [WireRecord]
  await client.delete(`/records/${first.id}`)
  letDaysPass(dataset)
  const held = await bring(pictures.slice(0, 1))
  await finish()
  await client.delete(`/datasets/${dataset.id}/records?ids=${(await records()).map(({ id }) => id).join()}`)
  expect(held.job).not.toBe('')
  await sweepNow()
  // The second one was shown until now and is old; the first one was kept a moment ago.
  expect(countOf(dataset)).toBe(1)
})
