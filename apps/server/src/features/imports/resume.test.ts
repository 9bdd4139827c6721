import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec, uploadsOf } from './testing/given.ts'
import { ageHolds } from './testing/operations.ts'

const ground = setUpImports()

const begin = async () => importer(ground.server, await ground.server.createDataset(spec))
const uploads = () => uploadsOf(ground.server)

describe('an import whose process is killed', () => {
  const rows = 1250
  const many = `text\n${Array.from({ length: rows }, (_, i) => `row ${i + 1}\n`).join('')}`

  it('goes on behind the last batch that was stored, and does none twice', async () => {
    const { upload, start, take, step, finish, job, records } = await begin()
    const { id } = (await upload('many.csv', many)).body
    const started = (await start(id, { fields: same('text') })).body
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    const stepped = await step(first)
    expect(stepped.state).toBe('started')
    expect((await job(started.id)).import).toEqual({ rows: 500, created: 500, updated: 0, failed: 0 })
    // The process that held it is dead; another one takes it over.
    await ground.tool.write(ageHolds, {})
    const second = await take()
    if (second === undefined || stepped.state !== 'started') throw new Error('the job was not taken over')
    // What the dead one had begun arrives late: it changes nothing.
    expect((await step({ id: first.id, until: stepped.until })).state).toBe('lost')
    expect((await job(started.id)).import?.rows).toBe(500)
    expect((await step(second)).state).toBe('started')
    await ground.tool.write(ageHolds, {})
    await finish()
    expect((await job(started.id)).import).toEqual({ rows, created: rows, updated: 0, failed: 0 })
    expect((await records()).map(({ fields }) => fields.text)).toEqual(Array.from({ length: rows }, (_, i) => `row ${i + 1}`))
  })

  it('stops between batches when it is canceled, by who started it or an owner', async () => {
    const dataset = await ground.server.createDataset(spec)
    const workspaces = [dataset.workspace_id]
    const admin = await ground.server.createUser({ role: 'admin', workspaces })
    const other = await ground.server.createUser({ role: 'admin', workspaces })
    for (const by of [admin, ground.server.owner]) {
      const { upload, start, take, step, job } = importer(ground.server, dataset, admin)
      const file = (await upload('many.csv', many)).body.id
      const { id } = (await start(file, { fields: same('text') })).body
      const held = await take()
      if (held === undefined) throw new Error('there is no job')
      const result = await step(held)
      expect((await ground.server.as(other).post(`/jobs/${id}/cancel`)).status).toBe(403)
      expect(await ground.server.as(by).post(`/jobs/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'canceled' } })
      expect(await uploads()).not.toContain(file)
      expect(
        result.state === 'started' && (await step({ id, until: result.until }).catch(() => ({ state: 'no file' }))).state,
      ).toBe('no file')
      expect(await job(id)).toMatchObject({ status: 'canceled', import: { rows: 500 } })
    }
    // Each was a file of its own: its rows are new records.
    expect(await importer(ground.server, dataset).records()).toHaveLength(1000)
  })
})
