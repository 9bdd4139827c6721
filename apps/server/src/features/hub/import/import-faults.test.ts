import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importing, setUpHub } from '../testing/fixtures.ts'
import { jobTexts } from '../testing/operations.ts'

const fixture = setUpHub()
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
  fixture.hub.put(name, [{ subset: 'default', split: 'train', features, files: [bytes] }], { isPrivate })
const begin = async () => importing(fixture.server, await fixture.server.createDataset())
const isFile = (path: string) => path.includes('/resolve/')

/** Runs an import. @returns its result */
const outcome = async (sent: { readonly [key: string]: unknown }) => {
  const { start, run, job, records } = await begin()
  const { id } = (await start(sent)).body
  // Runs the job by ID, because on a slow machine an earlier test's job may be due for a retry
  const state = await run(id)
  return { state, reason: (await job(id)).reason, records: await records() }
}

const status = (code: number) => (_: unknown, response: ServerResponse) => {
  response.writeHead(code, { 'content-type': 'application/json' }).end('{"error": "as the hub says it"}')
  return true
}

describe('an import that fails', () => {
  it('a token that is invalid in a header is rejected at once', async () => {
    expect(await (await begin()).start(body('team/fine', { token: 'hf_a\nhf_b' }))).toMatchObject({ status: 422 })
  })

  it.each([
    [401, 'failed', /denied access to the dataset "team\/fine" \(401\).*as the hub says it/],
    [404, 'failed', /does not have the dataset "team\/fine" \(404\)/],
    [429, 'scheduled', /is receiving too many requests/],
    [500, 'scheduled', /returned 500 for the dataset/],
    [503, 'scheduled', /returned 503/],
  ])('the Hub returns %i: %s', async (code, state, reason) => {
    put('team/fine', rows(3))
    fixture.hub.intercept(status(code))
    expect(await outcome(body('team/fine'))).toMatchObject({ state, reason: expect.stringMatching(reason), records: [] })
  })

  it('the Hub hangs, or closes the connection in the middle of a file: the import is retried later', async () => {
    put('team/slow', rows(3))
    fixture.hub.intercept(() => true)
    const hung = await outcome(body('team/slow'))
    expect(hung).toMatchObject({ state: 'scheduled', reason: expect.stringMatching(/did not respond in time/) })
    fixture.hub.intercept(({ url, headers }, response) => {
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
    ['a truncated file', () => rows(500).subarray(0, 800), /is incomplete/],
    ['a file that is not Parquet', () => new TextEncoder().encode('<html>sorry</html>'.repeat(100)), /is not a Parquet file/],
    [
      'a file with damaged content',
      () => {
        const bytes = rows(500).slice()
        bytes.fill(255, 4, 200)
        return bytes
      },
      /cannot be read/,
    ],
  ])('%s', async (_what, bytes, reason) => {
    put('team/broken', bytes())
    const { state, reason: failReason, records } = await outcome(body('team/broken'))
    expect([state, records]).toEqual(['failed', []])
    expect(failReason).toMatch(reason)
    expect(failReason).not.toMatch(/^.{400}/)
  })

  it('a Hub that sends whole files instead of the requested range', async () => {
    put('team/whole', rows(3))
    fixture.hub.intercept(({ url }, response) => {
      if (!isFile(url.pathname)) return false
      response.writeHead(200).end('a very large file')
      return true
    })
    expect(await outcome(body('team/whole'))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/does not support range requests/),
    })
  })

  it.each([
    ['an unknown dataset', body('team/nothing'), /does not have the dataset "team\/nothing"/],
    ['an unknown subset', { ...body('team/fine'), subset: 'none' }, /does not have|does not exist/],
    ['an unknown split', { ...body('team/fine'), split: 'none' }, /has no split "none" in the subset "default"/],
    [
      'an unknown column',
      body('team/fine', { mapping: { fields: [{ source: 'none', target: 'text' }] } }),
      /has no column "none"/,
    ],
    ['an invalid dataset ID', body('../../api/whoami-v2'), /is not a valid dataset ID/],
  ])('%s', async (_what, sent, reason) => {
    put('team/fine', rows(3))
    expect(await outcome(sent)).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason), records: [] })
  })

  it('an unpublished dataset', async () => {
    put('team/fine', rows(3))
    const { start, run, job } = importing(fixture.server, await fixture.server.createDataset({ publish: false }))
    const started = await start(body('team/fine'))
    expect([started.status, await run()]).toEqual([202, 'failed'])
    expect((await job(started.body.id)).reason).toMatch(/not published/)
  })

  it('a redirect to a private address, even if the Hub itself may have one', async () => {
    put('team/fine', rows(3))
    const requestedElsewhere: string[] = []
    fixture.hub.intercept(({ url }, response) => {
      if (!isFile(url.pathname)) return false
      requestedElsewhere.push(url.pathname)
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
      return true
    })
    const { state, reason } = await outcome(body('team/fine'))
    expect([state, requestedElsewhere.length]).toEqual(['failed', 1])
    expect(reason).toBe('169.254.169.254 is not a public address')
  })
})

describe('the token of an import', () => {
  it('opens a private dataset, is never stored in plain text, and is removed when the job ends', async () => {
    const token = 'hf_a-token-that-nobody-may-read'
    fixture.hub.allow(token, ['secretive'])
    put('secretive/rows', rows(3), true)
    expect(await outcome(body('secretive/rows'))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/accessible|exist/),
    })
    const { start, run, records, job } = await begin()
    const started = await start(body('secretive/rows', { token }))
    expect(JSON.stringify(started.body)).not.toContain(token)
    const waiting = await fixture.tool.read(jobTexts, {})
    expect(waiting.filter((text) => text.includes('"sealed":"v1.'))).toHaveLength(1)
    expect(waiting.join()).not.toContain(token)
    expect(await run()).toBe('finished')
    expect(await records()).toHaveLength(3)
    expect(JSON.stringify(await job(started.body.id))).not.toContain(token)
    expect((await fixture.tool.read(jobTexts, {})).join()).not.toContain('"sealed":"v1.')
  })

  it('is removed when the job is canceled and when its last attempt fails', async () => {
    put('team/fine', rows(3))
    const { start } = await begin()
    const canceled = (await start(body('team/fine', { token: 'hf_x' }))).body.id
    await fixture.server.clientFor(fixture.server.owner).post(`/jobs/${canceled}/cancel`)
    fixture.hub.intercept(status(404))
    await outcome(body('team/fine', { token: 'hf_y' }))
    expect((await fixture.tool.read(jobTexts, {})).join()).not.toContain('"sealed":"v1.')
  })
})
