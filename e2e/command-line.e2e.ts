import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postil } from './harness/cli.ts'
import type { Place, RunningServer } from './harness/server.ts'
import { emptyPlace, OWNER, startServer, testEngine } from './harness/server.ts'

/**
 * Declares a test of how the data folder is protected. Runs only for the embedded database, because a database server has its
 * own protection and recovery.
 */
const isEmbedded = (name: string, run: () => Promise<void>): void => {
  if (testEngine() === 'sqlite') detail(name, run)
}

const fetchMe = async (server: RunningServer, key: string): Promise<unknown> =>
  (await fetch(`${server.url}/api/v1/me`, { headers: { 'X-Argilla-Api-Key': key } })).json()

describe('the command line while the server runs', () => {
  let place: Place
  let server: RunningServer
  beforeAll(async () => {
    place = await emptyPlace()
    server = await startServer({ place })
  })
  afterAll(async () => {
    await server.stop()
    await place.drop()
  })

  test('creates a user with workspaces who can call the API immediately', async () => {
    const args = ['database', 'users', 'create', '--username', 'ann', '--password', 'long enough', '--api-key', 'ann.api.key']
    const made = await postil(place, [...args, '--workspace', 'w1', '--workspace', 'w2'])
    expect(made).toMatchObject({ code: 0, stdout: "Created user 'ann' with role annotator in w1, w2.\n" })
    expect(await fetchMe(server, 'ann.api.key')).toMatchObject({ username: 'ann', first_name: 'ann', role: 'annotator' })
    expect(await postil(place, args)).toMatchObject({ code: 0, stdout: "User 'ann' already exists. Nothing was changed.\n" })
    const body = new URLSearchParams({ username: 'ann', password: 'long enough' })
    expect((await fetch(`${server.url}/api/v1/token`, { method: 'POST', body })).status).toBe(201)
    const sameKey = args.map((arg) => (arg === 'ann' ? 'ben' : arg))
    expect(await postil(place, sameKey)).toMatchObject({ code: 0, stdout: expect.stringContaining('already has this API key') })
  })

  detail('accepts a common password with a warning that does not repeat it', async () => {
    const args = ['database', 'users', 'create', '--username', 'kim', '--password', '12345678', '--api-key', 'kim.api.key']
    const warning = "The password of 'kim' is easy to guess: it is a common password. Change it in the web app.\n"
    expect(await postil(place, args)).toEqual({ code: 0, stdout: "Created user 'kim' with role annotator.\n", stderr: warning })
    const body = new URLSearchParams({ username: 'kim', password: '12345678' })
    expect((await fetch(`${server.url}/api/v1/token`, { method: 'POST', body })).status).toBe(201)
    expect(await postil(place, args)).toMatchObject({ code: 0, stderr: '' })
  })

  detail('changes a role', async () => {
    await postil(place, [
      'database',
      'users',
      'create',
      '--username',
      'eve',
      '--password',
      'long enough',
      '--api-key',
      'eve.api.key',
    ])
    const update = (...args: string[]) => postil(place, ['database', 'users', 'update', ...args])
    expect(await update('eve', '--role', 'admin')).toMatchObject({
      code: 0,
      stdout: "Changed the role of user 'eve' from annotator to admin.\n",
    })
    expect(await fetchMe(server, 'eve.api.key')).toMatchObject({ role: 'admin' })
    expect(await update('eve', '--role', 'admin')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    expect(await update('nobody', '--role', 'admin')).toMatchObject({ code: 0, stdout: expect.stringContaining('no user') })
    expect(await update('eve', '--role', 'king')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('owner, admin, annotator'),
    })
    expect(await update()).toMatchObject({ code: 2, stderr: expect.stringContaining('username') })
    expect(await update(OWNER.username, '--role', 'admin')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('There are no owners left'),
    })
    expect(await update(OWNER.username, '--role', 'owner')).toMatchObject({ code: 0, stderr: '' })
  })

  test('creates the default owner without default secrets', async () => {
    const made = await postil(place, ['database', 'users', 'create_default'])
    const key = /API key +(\S+)/.exec(made.stdout)?.[1] ?? ''
    expect(made.stdout).toMatch(/Password +\S{12,}/)
    expect(await fetchMe(server, key)).toMatchObject({ username: 'argilla', role: 'owner', first_name: '' })
    expect(await postil(place, ['database', 'users', 'create-default', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test.each(
    variants(2, [
      [['database', 'users', 'create', '--username', 'x', '--password', 'short'], '--password: '],
      [['database', 'users', 'create', '--username', 'x', '--password', 'long enough', '--workspace', 'a b'], '--workspace: '],
      [['database', 'users', 'create', '--username', 'x', '--password', 'long enough', '--api-key', 'short'], '--api-key must'],
      [['database', 'users', 'create'], '--username and --password are missing, and there is no terminal to prompt on.'],
      [['database', 'users', 'create', '--username', 'x'], '--password is missing'],
    ]),
  )('refuses %s', async (args, sentence) => {
    expect(await postil(place, args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) })
  })

  detail('migrates the schema and lists its revisions', async () => {
    expect(await postil(place, ['database', 'migrate'])).toMatchObject({ code: 0, stdout: expect.stringContaining('up to date') })
    for (const version of ['1.7', '2.8', '2.8.0']) {
      const same = await postil(place, ['database', 'migrate', '--revision', version])
      expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('up to date'), stderr: '' })
    }
    for (const unknown of ['2.8.1', '2.10', '3.0.0', '2', 'newest'])
      expect(await postil(place, ['database', 'migrate', '--revision', unknown])).toMatchObject({ code: 1, stdout: '' })
    const behind = await postil(place, ['database', 'migrate', '--revision', '0001-foundations'])
    expect(behind).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to do: .* is newer than /) })
    const { code, stdout } = await postil(place, ['database', 'revisions'])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0001-foundations +applied\n/) })
    expect(stdout).not.toContain('not applied')
    for (const idle of [
      ['search-engine', 'reindex', '--dataset-id', 'x'],
      ['database', 'users', 'migrate'],
    ])
      expect(await postil(place, idle)).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do'), stderr: '' })
  })

  detail('migrates an empty store to a revision, and onward from there', async () => {
    const empty = await emptyPlace()
    const run = (...args: string[]) => postil(empty, ['database', ...args])
    expect((await run('revisions')).stdout).toMatch(/^0001-foundations +not applied\n/)
    expect(await run('migrate', '--revision', '0002-search')).toMatchObject({
      code: 0,
      stdout: 'Upgraded the schema to 0002-search. Applied: 0001-foundations, 0002-search.\n',
    })
    expect((await run('revisions')).stdout).toMatch(/0002-search +applied\n0003-text-version +not applied\n/)
    expect((await run('migrate', '--revision', '2.8.0')).stdout).toMatch(
      /^Upgraded the schema to .*\. Applied: 0003-text-version, /,
    )
    expect((await run('revisions')).stdout).not.toContain('not applied')
    await empty.drop()
  })

  isEmbedded('a backup before an upgrade leaves the store to the older version, which may be running', async () => {
    const older = await emptyPlace()
    const run = (...args: string[]) => postil(older, args, { POSTIL_SECRET: 'a secret for the tests only' })
    await run('database', 'migrate', '--revision', '0024-audit-replaced')
    expect(await run('backup', join(older.dataDir, 'before.backup'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('schema 0024-audit-replaced'),
      stderr: 'This action could not be added to the audit log: the database is from an older version and was not upgraded.\n',
    })
    expect((await run('database', 'revisions')).stdout).toMatch(
      /0024-audit-replaced +applied\n0025-failed-sign-ins +not applied\n/,
    )
    await older.drop()
  })

  detail('a server logs before and after it upgrades a store, and logs nothing for a new store', async () => {
    const older = await emptyPlace()
    await postil(older, ['database', 'migrate', '--revision', '0002-search'])
    const linesOf = async (which: Place): Promise<unknown[]> => {
      const started = await startServer({ place: which, env: { POSTIL_LOG_LEVEL: 'info' } })
      await started.stop()
      const lines = started.printed().split('\n')
      return lines.filter((line) => line.includes('the database schema')).map((line) => JSON.parse(line))
    }
    const upgrade = { level: 30, from: '0002-search', to: expect.stringMatching(/^\d{4}-/) }
    expect(await linesOf(older)).toEqual([
      expect.objectContaining({ ...upgrade, msg: 'upgrading the database schema' }),
      expect.objectContaining({ ...upgrade, msg: 'upgraded the database schema', ms: expect.any(Number) }),
    ])
    expect(await linesOf(older)).toEqual([])
    await older.drop()
    const fresh = await emptyPlace()
    expect(await linesOf(fresh)).toEqual([])
    await fresh.drop()
  })

  test('help shows the usage of commands', async () => {
    expect((await postil(place, ['help', 'export'])).stdout).toMatch(/^Usage: postil export DATASET/)
    expect((await postil(place, ['database', '--help'])).stdout).toContain('database users create ')
    expect(await postil(place, ['help', 'nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining("'nothing'") })
    expect(await postil(place, ['database', 'users'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--help') })
    expect(await postil(place, ['doctor', 'all'])).toMatchObject({ code: 2, stderr: expect.stringContaining("no 'all'") })
  })

  test('unknown commands and options are refused', async () => {
    expect(await postil(place, ['strat'])).toMatchObject({ code: 2, stderr: expect.stringContaining("Unknown command 'strat'") })
    expect(await postil(place, ['start', '--prot', '1'])).toMatchObject({ code: 2, stderr: expect.stringContaining("'--prot'") })
    expect(await postil(place, [])).toMatchObject({ code: 2, stdout: expect.stringContaining('Usage') })
    expect(await postil(place, ['database', 'users', 'create', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--workspace'),
    })
  })
})

describe('start', () => {
  test('reports all invalid settings and starts nothing', async () => {
    const place = await emptyPlace()
    const result = await postil(place, ['start'], { POSTIL_PORT: 'x', POSTIL_MAX_BODY: 'y' })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/POSTIL_PORT must .*\nPOSTIL_MAX_BODY must /)
    await place.drop()
  })

  detail('stops on an invalid identity provider file, before anything is created', async () => {
    const place = await emptyPlace()
    writeFileSync(join(place.dataDir, '.oauth.yaml'), 'providers:\n  - name: gitlab\n    client_id: a\n')
    const result = await postil(place, ['start'])
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/^Cannot use the file \S*\.oauth\.yaml: providers\[0\]\.name is "gitlab"[^\n]*\n$/)
    expect(existsSync(join(place.dataDir, 'postil.db'))).toBe(false)
    await place.drop()
  })

  detail('reports a port in use, and the owner that a first start created', async () => {
    const place = await emptyPlace()
    const blocker = createServer()
    const port = await new Promise<number>((done) =>
      blocker.listen(0, '127.0.0.1', () => done((blocker.address() as { port: number }).port)),
    )
    const start = () => postil(place, ['start', '--port', String(port)], { POSTIL_OWNER_API_KEY: '' })
    const expected = { code: 1, stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is already in use.`) }
    const first = await start()
    expect(first).toMatchObject(expected)
    expect(await start()).toMatchObject({ ...expected, stdout: '' })
    blocker.close()
    const server = await startServer({ place })
    expect(await fetchMe(server, /API key +(\S+)/.exec(first.stdout)?.[1] ?? '')).toMatchObject({ role: 'owner' })
    await server.stop()
    await place.drop()
  })

  isEmbedded('a second server on the same folder is refused, and after a crash a start works at once', async () => {
    const place = await emptyPlace()
    const first = await startServer({ place })
    const second = await postil(place, ['start'])
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('already running on the data folder') })
    await first.kill()
    const third = await startServer({ place })
    expect(await fetchMe(third, OWNER.apiKey)).toMatchObject({ username: OWNER.username })
    expect(await third.stop()).toBe(0)
    await place.drop()
  })

  isEmbedded("the original's data folder is refused with the way over", async () => {
    const place = await emptyPlace()
    writeFileSync(join(place.dataDir, 'argilla.db'), 'SQLite format 3\u0000')
    const sentence = expect.stringContaining("'postil migrate-from URL --api-key KEY'")
    expect(await postil(place, ['start'])).toMatchObject({ code: 1, stderr: sentence })
    const over = ['migrate-from', 'http://127.0.0.1:6900', '--api-key', 'a.key.of.there']
    expect(await postil(place, over)).toMatchObject({ code: 1, stderr: sentence })
    const create = ['database', 'users', 'create', '--username', 'x', '--password', 'long enough']
    expect(await postil(place, create)).toMatchObject({ code: 1, stderr: sentence })
    expect(readdirSync(place.dataDir)).toEqual(['argilla.db'])
    await place.drop()
  })

  isEmbedded('a folder without data is refused by what works on data, and nothing is made there', async () => {
    const place = await emptyPlace()
    const file = join(place.dataDir, 'all.backup')
    const before = readdirSync(place.dataDir)
    for (const args of [['backup', file], ['doctor'], ['users', 'list'], ['export', 'x'], ['workspaces', 'list']]) {
      const answer = await postil(place, args)
      expect([args, answer]).toMatchObject([
        args,
        { code: 1, stdout: '', stderr: expect.stringContaining('There is no Postil data') },
      ])
    }
    expect(JSON.parse((await postil(place, ['users', 'list', '--json'])).stdout)).toEqual({
      ok: false,
      problem: expect.stringContaining('There is no Postil data'),
    })
    expect(readdirSync(place.dataDir)).toEqual(before)
    writeFileSync(file, 'x')
    expect(await postil(place, ['users', 'list'], { POSTIL_DATA_DIR: file })).toMatchObject({
      code: 1,
      stderr: `${file} is not a folder. Set POSTIL_DATA_DIR or --data-dir to a folder.\n`,
    })
    await place.drop()
  })

  test('prints secrets only on the first start, and never those that were configured', async () => {
    const place = await emptyPlace()
    const first = await startServer({ place, env: { POSTIL_OWNER_PASSWORD: '', POSTIL_OWNER_API_KEY: '' } })
    const key = /API key +(\S+)/.exec(first.printed())?.[1] ?? ''
    expect(await fetchMe(first, key)).toMatchObject({ username: OWNER.username })
    expect(first.printed()).toMatch(/Sign in +http:\S+\/sign-in#link=\S+/)
    await first.stop()
    const second = await startServer({ place })
    expect(second.printed()).not.toMatch(/Password|API key|Sign in/)
    await second.stop()
    await place.drop()
  })

  detail('moves everything under a base path', async () => {
    const server = await startServer({ env: { ARGILLA_BASE_URL: 'annotation' } })
    expect(server.url).toMatch(/\/annotation$/)
    expect((await fetch(`${server.url}/api/v1/version`)).status).toBe(200)
    expect((await fetch(`${new URL(server.url).origin}/api/v1/version`)).status).toBe(404)
    await server.stop()
  })
})
