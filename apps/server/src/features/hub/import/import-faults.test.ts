import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importing, setUpHub } from '../testing/given.ts'
import { jobTexts } from '../testing/operations.ts'

const ground = setUpHub()
const features = { text: { dtype: 'string', _type: 'Value' } }
const rows = (count: number) => parquetOf({ text: ['text', Array.from({ length: count }, (_, i) => `row ${i}`)] })
const body = (name: string, more: object = {}) => ({
  name,
  subset: 'default',
  split: 'train',
  mapping: { fields: [{ source: 'text', target: 'text' }] },
  ...more,
})
const put = (name: string, bytes: Uint8Array, isPrivate = false) =>
  ground.hub.put(name, [{ subset: 'default', split: 'train', features, files: [bytes] }], { isPrivate })
const begin = async () => importing(ground.server, await ground.server.createDataset())
const isFile = (path: string) => path.includes('/resolve/')

/** What an import ends with. */
const outcome = async (sent: { readonly [key: string]: unknown }) => {
  const { start, run, job, records } = await begin()
  const { id } = (await start(sent)).body
  // NOTE: on a slow machine a job that an earlier test left to try again is due by now
  const state = await run(id)
  return { state, reason: (await job(id)).reason, records: await records() }
}

const status = (code: number) => (_: unknown, response: ServerResponse) => {
  response.writeHead(code, { 'content-type': 'application/json' }).end('{"error": "as the hub says it"}')
  return true
}

describe('an import that cannot be', () => {
  it('with a token that no header can carry is refused at once', async () => {
    expect(await (await begin()).start(body('team/fine', { token: 'hf_a\nhf_b' }))).toMatchObject({ status: 422 })
  })

  it.each([
    [401, 'failed', /does not show the dataset "team\/fine" \(401\).*as the hub says it/],
    [404, 'failed', /does not know the dataset "team\/fine" \(404\)/],
    [429, 'scheduled', /asks to wait: too many requests/],
    [500, 'scheduled', /answered 500 when asked for the dataset/],
    [503, 'scheduled', /answered 503/],
  ])('the hub answers %i: %s', async (code, state, reason) => {
    put('team/fine', rows(3))
    ground.hub.meddle(status(code))
    expect(await outcome(body('team/fine'))).toMatchObject({ state, reason: expect.stringMatching(reason), records: [] })
  })

  it('the hub hangs, or closes the connection in the middle of a file: tried again later', async () => {
    put('team/slow', rows(3))
    ground.hub.meddle(() => true)
    const hung = await outcome(body('team/slow'))
    expect(hung).toMatchObject({ state: 'scheduled', reason: expect.stringMatching(/did not answer in time/) })
    ground.hub.meddle(({ url, headers }, response) => {
      if (!isFile(url.pathname)) return false
      const end = Number(/-(\d+)$/.exec(headers.range ?? '')?.[1])
      response.writeHead(206, { 'content-range': `bytes 0-${end}/100000`, 'content-length': end + 1 })
      response.write('P', () => response.destroy())
      return true
    })
    const broken = await outcome(body('team/slow'))
    expect(broken).toMatchObject({ state: 'scheduled', reason: expect.stringMatching(/closed the connection|whole/) })
  })

  it.each([
    ['half a file', () => rows(500).subarray(0, 800), /is not whole/],
    ['no Parquet at all', () => new TextEncoder().encode('<html>sorry</html>'.repeat(100)), /is not a Parquet file/],
    [
      'a file that is broken inside',
      () => {
        const bytes = rows(500).slice()
        bytes.fill(255, 4, 200)
        return bytes
      },
      /cannot be read/,
    ],
  ])('%s', async (_what, bytes, reason) => {
    put('team/broken', bytes())
    const { state, reason: said, records } = await outcome(body('team/broken'))
    expect([state, records]).toEqual(['failed', []])
    expect(said).toMatch(reason)
    expect(said).not.toMatch(/^.{400}/)
  })

  it('a hub that sends whole files where a part was asked for', async () => {
    put('team/whole', rows(3))
    ground.hub.meddle(({ url }, response) => {
      if (!isFile(url.pathname)) return false
      response.writeHead(200).end('a very large file')
      return true
    })
    expect(await outcome(body('team/whole'))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/does not send parts/),
    })
  })

  it.each([
    ['no such dataset', body('team/nothing'), /does not know the dataset "team\/nothing"/],
    ['no such subset', { ...body('team/fine'), subset: 'none' }, /does not know|does not exist/],
    ['no such split', { ...body('team/fine'), split: 'none' }, /has no split "none" in the subset "default"/],
    ['no such column', body('team/fine', { mapping: { fields: [{ source: 'none', target: 'text' }] } }), /has no column "none"/],
    ['no id of a dataset', body('../../api/whoami-v2'), /is not the id of a dataset/],
  ])('%s', async (_what, sent, reason) => {
    put('team/fine', rows(3))
    expect(await outcome(sent)).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason), records: [] })
  })

  it('a dataset that is not published', async () => {
    put('team/fine', rows(3))
    const { start, run, job } = importing(ground.server, await ground.server.createDataset({ publish: false }))
    const started = await start(body('team/fine'))
    expect([started.status, await run()]).toEqual([202, 'failed'])
    expect((await job(started.body.id)).reason).toMatch(/not published/)
  })

  it('a redirect to an address that is not public, where the hub itself may be', async () => {
    put('team/fine', rows(3))
    const elsewhere: string[] = []
    ground.hub.meddle(({ url }, response) => {
      if (!isFile(url.pathname)) return false
      elsewhere.push(url.pathname)
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
      return true
    })
    const { state, reason } = await outcome(body('team/fine'))
    expect([state, elsewhere.length]).toEqual(['failed', 1])
    expect(reason).toBe('169.254.169.254 is not a public address')
  })
})

describe('the token of an import', () => {
  it('opens a private dataset, is in no row of the store in the clear, and leaves it with the end of the job', async () => {
    const token = 'hf_a-token-that-nobody-may-read'
    ground.hub.allow(token, ['secretive'])
    put('secretive/rows', rows(3), true)
    expect(await outcome(body('secretive/rows'))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/accessible|exist/),
    })
    const { start, run, records, job } = await begin()
    const started = await start(body('secretive/rows', { token }))
    expect(JSON.stringify(started.body)).not.toContain(token)
    const waiting = await ground.tool.read(jobTexts, {})
    expect(waiting.filter((text) => text.includes('"sealed":"v1.'))).toHaveLength(1)
    expect(waiting.join()).not.toContain(token)
    expect(await run()).toBe('finished')
    expect(await records()).toHaveLength(3)
    expect(JSON.stringify(await job(started.body.id))).not.toContain(token)
    expect((await ground.tool.read(jobTexts, {})).join()).not.toContain('"sealed":"v1.')
  })

  it('goes with the job when it is canceled, and when its last try fails', async () => {
    put('team/fine', rows(3))
    const { start } = await begin()
    const canceled = (await start(body('team/fine', { token: 'hf_x' }))).body.id
    await ground.server.as(ground.server.owner).post(`/jobs/${canceled}/cancel`)
    ground.hub.meddle(status(404))
    await outcome(body('team/fine', { token: 'hf_y' }))
    expect((await ground.tool.read(jobTexts, {})).join()).not.toContain('"sealed":"v1.')
  })
})
