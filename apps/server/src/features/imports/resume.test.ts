import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec, uploadsOf } from './testing/fixtures.ts'
import { ageHolds } from './testing/operations.ts'

const fixture = setUpImports()

const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))
const uploads = () => uploadsOf(fixture.server)

describe('an import whose process is killed', () => {
  const rows = 1250
  const many = `text\n${Array.from({ length: rows }, (_, i) => `row ${i + 1}\n`).join('')}`

  it('resumes after the last stored batch, and repeats none', async () => {
    const { upload, start, take, step, finish, job, records } = await begin()
    const { id } = (await upload('many.csv', many)).body
    const started = (await start(id, { fields: same('text') })).body
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    const stepped = await step(first)
    expect(stepped.state).toBe('started')
    expect((await job(started.id)).import).toEqual({ rows: 500, created: 500, updated: 0, failed: 0 })
    // The process that had claimed the job has died, and another process takes over.
    await fixture.tool.write(ageHolds, {})
    const second = await take()
    if (second === undefined || stepped.state !== 'started') throw new Error('the job was not taken over')
    // A late step of the dead worker changes nothing.
    expect((await step({ id: first.id, until: stepped.until })).state).toBe('lost')
    expect((await job(started.id)).import?.rows).toBe(500)
    expect((await step(second)).state).toBe('started')
    await fixture.tool.write(ageHolds, {})
    await finish()
    expect((await job(started.id)).import).toEqual({ rows, created: rows, updated: 0, failed: 0 })
    expect((await records()).map(({ fields }) => fields.text)).toEqual(Array.from({ length: rows }, (_, i) => `row ${i + 1}`))
  })

  it('stops between batches when it is canceled, by its user or an owner', async () => {
    const dataset = await fixture.server.createDataset(spec)
    const workspaces = [dataset.workspace_id]
    const admin = await fixture.server.createUser({ role: 'admin', workspaces })
    const other = await fixture.server.createUser({ role: 'admin', workspaces })
    for (const by of [admin, fixture.server.owner]) {
      const { upload, start, take, step, job } = importer(fixture.server, dataset, admin)
      const file = (await upload('many.csv', many)).body.id
      const { id } = (await start(file, { fields: same('text') })).body
      const held = await take()
      if (held === undefined) throw new Error('there is no job')
      const result = await step(held)
      expect((await fixture.server.clientFor(other).post(`/jobs/${id}/cancel`)).status).toBe(403)
      expect(await fixture.server.clientFor(by).post(`/jobs/${id}/cancel`)).toMatchObject({
        status: 200,
        body: { status: 'canceled' },
      })
      expect(await uploads()).not.toContain(file)
      expect(
        result.state === 'started' && (await step({ id, until: result.until }).catch(() => ({ state: 'no file' }))).state,
      ).toBe('no file')
      expect(await job(id)).toMatchObject({ status: 'canceled', import: { rows: 500 } })
    }
    // Each import reads a separate file, so its rows become new records.
    expect(await importer(fixture.server, dataset).records()).toHaveLength(1000)
  })
})
