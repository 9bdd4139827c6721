import { describe, expect, it } from 'vitest'
import { ageHolds } from '#features/imports/testing/operations.ts'
import { findKind } from '#platform/jobs/kinds.ts'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importing, setUpHub } from '../testing/given.ts'
import { oneText } from '../testing/one-text.ts'
import { sizeJob } from '../testing/operations.ts'

const ground = setUpHub()
const rows = 250
const features = { text: { dtype: 'string', _type: 'Value' } }
const file = (word: string) => parquetOf({ text: ['text', Array.from({ length: rows }, (_, i) => `${word} ${i}`)] })
const put = (word: string) => ground.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files: [file(word)] }])
const body = { name: 'team/rows', subset: 'default', split: 'train', mapping: { fields: [{ source: 'text', target: 'text' }] } }

const held = async (take: () => Promise<{ readonly id: string; readonly until: number } | undefined>) => {
  const job = await take()
  if (job === undefined) throw new Error('there is no job')
  return job
}

describe('an import from the hub whose process is killed', () => {
  it('goes on behind the last batch that was stored, and does none twice', async () => {
    put('row')
    const { start, take, step, run, job, records } = importing(ground.server, await ground.server.createDataset())
    const { id } = (await start(body)).body
    const first = await held(take)
    const stepped = await step(first)
    if (stepped.state !== 'started') throw new Error('it has ended')
    expect(await job(id)).toMatchObject({ done: 100, total: rows, import: { rows: 100, created: 100 } })
    await ground.tool.write(ageHolds, {})
    const second = await held(take)
    // What the dead one had begun arrives late: it changes nothing.
    expect((await step({ id, until: stepped.until })).state).toBe('lost')
    expect((await job(id)).import?.rows).toBe(100)
    expect((await step(second)).state).toBe('started')
    await ground.tool.write(ageHolds, {})
    expect(await run()).toBe('finished')
    expect((await job(id)).import).toEqual({ rows, created: rows, updated: 0, failed: 0 })
    expect((await records()).map(({ fields }) => fields.text)).toEqual(Array.from({ length: rows }, (_, i) => `row ${i}`))
  })

  it('still knows the ids of the rows that were stored, and reports others that have them', async () => {
    const texts = Array.from({ length: rows }, (_, i) => `id ${i === 240 ? 0 : i}`)
    const files = [parquetOf({ text: ['text', texts] })]
    ground.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files }])
    const { start, take, step, run, job, report } = importing(ground.server, await ground.server.createDataset())
    const { id } = (await start({ ...body, mapping: { ...body.mapping, external_id: 'text' } })).body
    await step(await held(take))
    await findKind('hub.import')?.outside?.ended(ground.server.app.ctx, id)
    await ground.tool.write(ageHolds, {})
    expect(await run()).toBe('finished')
    expect((await job(id)).import).toEqual({ rows, created: rows - 1, updated: 0, failed: 1 })
    expect(await report()).toMatchObject([{ row: 241, column: 'text', reason: 'The id "id 0" is that of row 1 already' }])
  })

  it('ends when the files are others by then, for rows would be other rows', async () => {
    put('row')
    const { start, take, step, run, job, records } = importing(ground.server, await ground.server.createDataset())
    const { id } = (await start(body)).body
    const first = await held(take)
    await step(first)
    put('other')
    // The process is another one, which opens the files anew.
    await findKind('hub.import')?.outside?.ended(ground.server.app.ctx, id)
    await ground.tool.write(ageHolds, {})
    expect(await run()).toBe('failed')
    expect((await job(id)).reason).toMatch(/changed/)
    expect(await records()).toHaveLength(100)
  })
})

describe('rows of the hub that all name one long text', () => {
  const files = [oneText]

  it('are cast a few at a time: together they are more than there is memory for', async () => {
    ground.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files }])
    const { start, take, step, job } = importing(ground.server, await ground.server.createDataset())
    const { id } = (await start(body)).body
    const first = await held(take)
    const stepped = await step(first)
    if (stepped.state !== 'started') throw new Error('it has ended')
    await step({ id, until: stepped.until })
    expect(await job(id)).toMatchObject({ total: 3000, import: { rows: 2, created: 2 } })
  }, 20_000)

  it('end their import when they are more than a file may have, wherever it went on', async () => {
    ground.hub.put('team/rows', [{ subset: 'default', split: 'train', features, files }])
    const { start, take, step, run, job, records } = importing(ground.server, await ground.server.createDataset())
    const { id } = (await start(body)).body
    await step(await held(take))
    await ground.tool.write(sizeJob, { id, size: 8_000_000_000 - 10_000_000 })
    await ground.tool.write(ageHolds, {})
    expect(await run(id)).toBe('failed')
    expect((await job(id)).reason).toBe('The rows are more than 8 GB together')
    expect(await records()).toHaveLength(2)
  })
})
