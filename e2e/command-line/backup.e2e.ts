import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { variants } from '@postil/testkit/run-size.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer, testEngine } from '../harness/server.ts'
import { addRecords, answeredRecords, startWritingAnswers } from './answering.ts'

const places: Place[] = []
const newPlace = async (): Promise<Place> => {
  const place = await emptyPlace()
  places.push(place)
  return place
}
afterAll(() => Promise.all(places.map((place) => place.drop())))

const clientOf = (server: RunningServer): Client => createClient(server.url, { api_key: OWNER.apiKey })

// For PostgreSQL, see backup-under-load and backup-between-engines.
describe.runIf(testEngine() === 'sqlite')('the embedded database', () => {
  describe('a backup taken while answers arrive', () => {
    let server: RunningServer
    let source: Place
    let dataset: string
    let before: string[]
    let file: string
    let duringBackup: number
    beforeAll(async () => {
      source = await newPlace()
      server = await startServer({ place: source })
      const client = clientOf(server)
      dataset = (await createFactories(client).createDataset({ name: 'asked' })).id
      const writing = startWritingAnswers(client, await addRecords(client, dataset))
      while (writing.confirmed.length < 50) await new Promise((done) => setTimeout(done, 5))
      file = join(source.dataDir, 'one.backup')
      before = [...writing.confirmed]
      const taken = await postil(source, ['backup', file])
      duringBackup = writing.confirmed.length - before.length
      await writing.stop()
      expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('Backed up') })
      // On a slow machine, the command may report that it waited for the server's writes.
      expect(taken.stderr.split('\n').filter((line) => line !== '' && !line.includes('slow database operation'))).toEqual([])
    })
    afterAll(() => server.kill())

    test('is readable only by its owner and leaves no other files behind', () => {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readdirSync(source.dataDir).filter((name) => name.includes('part'))).toEqual([])
    })

    test('does not replace an existing file without --force', async () => {
      const was = readFileSync(file)
      expect(await postil(source, ['backup', file])).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
      expect(readFileSync(file).equals(was)).toBe(true)
    })

    test('contains every answer that was confirmed before it started, when restored elsewhere', async () => {
      expect(duringBackup).toBeGreaterThan(0)
      const target = await newPlace()
      expect(await postil(target, ['restore', file])).toMatchObject({ code: 0, stderr: '' })
      expect(readdirSync(target.dataDir).filter((name) => name.includes('part'))).toEqual([])
      expect(await postil(target, ['doctor'])).toMatchObject({ code: 0, stdout: expect.stringContaining('in order') })
      const restored = await startServer({ place: target })
      const client = clientOf(restored)
      // The API key is stored encrypted. The secret in the backup decrypts it.
      expect((await client.get('/me')).body).toMatchObject({ username: OWNER.username, api_key: OWNER.apiKey })
      const found = await answeredRecords(client, dataset)
      expect(before.filter((id) => !found.has(id))).toEqual([])
      await restored.stop()
      expect(await postil(target, ['doctor'])).toMatchObject({ code: 0 })
    })

    detail('is not restored over a running server, or over existing data without --force', async () => {
      const target = await newPlace()
      const other = await startServer({ place: target, env: { POSTIL_OWNER_USERNAME: 'other' } })
      const refused = await postil(target, ['restore', file, '--force'])
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already running') })
      expect((await clientOf(other).get('/me')).body).toMatchObject({ username: 'other' })
      await other.stop()
      const there = await postil(target, ['restore', file])
      expect(there).toMatchObject({ code: 1, stderr: expect.stringContaining('already contains data') })
      const secret = readFileSync(join(target.dataDir, 'secret'), 'utf8')
      expect(await postil(target, ['restore', file, '--force'])).toMatchObject({ code: 0 })
      expect(readFileSync(join(target.dataDir, 'secret'), 'utf8')).not.toBe(secret)
      const again = await startServer({ place: target })
      expect((await clientOf(again).get('/me')).body).toMatchObject({ username: OWNER.username, api_key: OWNER.apiKey })
      await again.stop()
    })

    test.each(
      variants(2, [
        [
          'a byte has changed',
          (bytes: Buffer) => bytes.fill((bytes[bytes.length >> 1] ?? 0) ^ 0xff, bytes.length >> 1, (bytes.length >> 1) + 1),
          'damaged',
        ],
        ['the end is missing', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000), 'damaged'],
        ['most of it is missing', (bytes: Buffer) => bytes.subarray(0, 100), 'damaged'],
        ['it is empty', () => Buffer.alloc(0), 'damaged'],
        ['it is another file', () => Buffer.from('hello, this is no backup at all'), 'not a Postil backup'],
      ]),
    )('is refused when %s', async (_, change, sentence) => {
      const target = await newPlace()
      const broken = join(target.dataDir, 'broken.backup')
      copyFileSync(file, broken)
      writeFileSync(broken, change(readFileSync(broken)))
      const refused = await postil(target, ['restore', broken])
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) })
      expect(refused.stderr.trim().split('\n')).toHaveLength(1)
      expect(readdirSync(target.dataDir).sort()).toEqual(['broken.backup', 'lock.db'])
    })
  })

  detail('refuses a backup of a newer schema, and refuses to back up an empty folder', async () => {
    const [source, target] = [await newPlace(), await newPlace()]
    expect(await postil(source, ['backup', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no Postil data') })
    await postil(source, ['workspaces', 'create', 'team'])
    const database = new DatabaseSync(join(source.dataDir, 'postil.db'))
    database.exec("INSERT INTO migrations (name, at) VALUES ('9999-later', 0)")
    database.close()
    const file = join(source.dataDir, 'newer.backup')
    expect(await postil(source, ['backup', file])).toMatchObject({ code: 0 })
    const refused = await postil(target, ['restore', file])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('newer version of Postil (9999-later)') })
    expect(await postil(target, ['restore', 'nowhere'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not exist'),
    })
    expect(await postil(source, ['backup', '-'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'-' is not supported here"),
    })
    const folder = await postil(target, ['restore', source.dataDir])
    expect(folder).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a Postil backup') })
    expect(existsSync(join(target.dataDir, 'postil.db'))).toBe(false)
  })

  detail('leaves a secret from the environment out of the backup, and requires the same secret on restore', async () => {
    const [source, target] = [await newPlace(), await newPlace()]
    const secret = { POSTIL_SECRET: 'sixteen or more characters' }
    await postil(source, ['workspaces', 'create', 'team'], secret)
    const file = join(source.dataDir, 'one.backup')
    expect(await postil(source, ['backup', file], secret)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('POSTIL_SECRET'),
    })
    const restore = (env = {}) => postil(target, ['restore', file], env)
    expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('contains no secret') })
    expect(await restore({ POSTIL_SECRET: 'another one of that length' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the secret'),
    })
    expect(await restore(secret)).toMatchObject({ code: 0 })
    expect(await postil(target, ['workspaces', 'list'], secret)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('team'),
    })
  })

  detail('refuses a secret that does not match the database', async () => {
    const [source, target] = [await newPlace(), await newPlace()]
    const secret = { POSTIL_SECRET: 'sixteen or more characters' }
    await postil(source, ['workspaces', 'create', 'team'], secret)
    // Without `POSTIL_SECRET`, the command creates a secret in the data folder. It fails, because the database was encrypted with
    // another secret.
    expect((await postil(source, ['users', 'list'])).code).toBe(1)
    const file = join(source.dataDir, 'one.backup')
    expect(await postil(source, ['backup', file])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining("Set POSTIL_SECRET to the server's value. No backup was made."),
    })
    expect(readdirSync(source.dataDir).filter((name) => name.includes('backup'))).toEqual([])
    const other = await postil(source, ['backup', file], { POSTIL_SECRET: 'another one of that length' })
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('POSTIL_SECRET is not the secret') })
    expect(await postil(source, ['backup', file], secret)).toMatchObject({ code: 0, stderr: '' })
    expect(await postil(target, ['restore', file], secret)).toMatchObject({ code: 0, stderr: '' })
  })

  detail('reports a damaged database with instructions', async () => {
    const place = await newPlace()
    await postil(place, ['workspaces', 'create', 'team'])
    const file = join(place.dataDir, 'one.backup')
    expect(await postil(place, ['backup', file])).toMatchObject({ code: 0 })
    const path = join(place.dataDir, 'postil.db')
    const bytes = readFileSync(path)
    const validLength = (length: number) => Buffer.concat([bytes.subarray(0, length), Buffer.alloc(bytes.length - length, 1)])
    for (const damaged of [validLength(0), validLength(4096), validLength(bytes.length >> 1)]) {
      writeFileSync(path, damaged)
      for (const args of [['start'], ['doctor']]) {
        const { code, stderr } = await postil(place, args)
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/is damaged .*\. Copy its folder to a safe place, .* 'postil restore FILE --force'\.\n$/),
        ])
      }
    }
    expect(await postil(place, ['restore', file, '--force'])).toMatchObject({ code: 0, stderr: '' })
    expect(await postil(place, ['workspaces', 'list'])).toMatchObject({ stdout: expect.stringContaining('team') })
  })
})
