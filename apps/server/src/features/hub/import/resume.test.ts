import { detail } from '@postil/testkit/detail.ts'
import { describe, expect, it } from 'vitest'
import { ageHolds } from '#features/imports/testing/operations.ts'
import { findKind } from '#platform/jobs/kinds.ts'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importing, setUpHub } from '../testing/fixtures.ts'
import { oneText } from '../testing/one-text.ts'
import { sizeJob } from '../testing/operations.ts'

const fixture = setUpHub()
const rows = 250
const features = { text: { dtype: 'string', _type: 'Value' } }
const file = (word: string) => parquetOf({ text: ['text', Array.from({ length: rows }, (_, i) => `${word} ${i}`)] })
const put = (word: string) => fixture.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files: [file(word)] }])
const body = { name: 'team/rows', subset: 'default', split: 'train', mapping: { fields: [{ source: 'text', target: 'text' }] } }

const stepOnce = async (take: () => Promise<{ readonly id: string; readonly until: number } | undefined>) => {
  const job = await take()
  if (job === undefined) throw new Error('there is no job')
  return job
}

describe('a Hub import whose process is killed', () => {
  it('resumes after the last stored batch, and repeats none', async () => {
    put('row')
    const { start, take, step, run, job, records } = importing(fixture.server, await fixture.server.createDataset())
    const { id } = (await start(body)).body
    const first = await stepOnce(take)
    const stepped = await step(first)
    if (stepped.state !== 'started') throw new Error('it has ended')
    expect(await job(id)).toMatchObject({ done: 100, total: rows, import: { rows: 100, created: 100 } })
    await fixture.tool.write(ageHolds, {})
    const second = await stepOnce(take)
    // A late step of the dead worker changes nothing.
    expect((await step({ id, until: stepped.until })).state).toBe('lost')
    expect((await job(id)).import?.rows).toBe(100)
    expect((await step(second)).state).toBe('started')
    await fixture.tool.write(ageHolds, {})
    expect(await run()).toBe('finished')
    expect((await job(id)).import).toEqual({ rows, created: rows, updated: 0, failed: 0 })
    expect((await records()).map(({ fields }) => fields.text)).toEqual(Array.from({ length: rows }, (_, i) => `row ${i}`))
  })

  it('still knows the IDs of stored rows, and reports later rows with the same IDs', async () => {
    const texts = Array.from({ length: rows }, (_, i) => `id ${i === 240 ? 0 : i}`)
    const files = [parquetOf({ text: ['text', texts] })]
    fixture.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files }])
    const { start, take, step, run, job, report } = importing(fixture.server, await fixture.server.createDataset())
    const { id } = (await start({ ...body, mapping: { ...body.mapping, external_id: 'text' } })).body
    await step(await stepOnce(take))
    await findKind('hub.import')?.outsideWork?.ended(fixture.server.app.ctx, id)
    await fixture.tool.write(ageHolds, {})
    expect(await run()).toBe('finished')
    expect((await job(id)).import).toEqual({ rows, created: rows - 1, updated: 0, failed: 1 })
    expect(await report()).toMatchObject([{ row: 241, column: 'text', reason: 'Row 1 already uses the ID "id 0"' }])
  })

  it('fails if the files have changed, because the rows would differ', async () => {
    put('row')
    const { start, take, step, run, job, records } = importing(fixture.server, await fixture.server.createDataset())
    const { id } = (await start(body)).body
    const first = await stepOnce(take)
    await step(first)
    put('other')
    // Simulates another process, which has to open the files again.
    await findKind('hub.import')?.outsideWork?.ended(fixture.server.app.ctx, id)
    await fixture.tool.write(ageHolds, {})
    expect(await run()).toBe('failed')
    expect((await job(id)).reason).toMatch(/changed/)
    expect(await records()).toHaveLength(100)
  })
})

describe('Hub rows that all reference one long text', () => {
  const files = [oneText]

  detail(
    'are cast a few at a time, because together they exceed the available memory',
    async () => {
      fixture.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files }])
      const { start, take, step, job } = importing(fixture.server, await fixture.server.createDataset())
      const { id } = (await start(body)).body
      const first = await stepOnce(take)
      const stepped = await step(first)
      if (stepped.state !== 'started') throw new Error('it has ended')
      await step({ id, until: stepped.until })
      expect(await job(id)).toMatchObject({ total: 3000, import: { rows: 2, created: 2 } })
    },
    20_000,
  )

  detail('fail the import when they exceed the size limit of a file, wherever it resumed', async () => {
    fixture.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files }])
    const { start, take, step, run, job, records } = importing(fixture.server, await fixture.server.createDataset())
    const { id } = (await start(body)).body
    await step(await stepOnce(take))
    await fixture.tool.write(sizeJob, { id, size: 8_000_000_000 - 10_000_000 })
    await fixture.tool.write(ageHolds, {})
    expect(await run(id)).toBe('failed')
    expect((await job(id)).reason).toBe('The rows are larger than 8 GB in total')
    expect(await records()).toHaveLength(2)
  })
})
