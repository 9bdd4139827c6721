import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import { emptyPlace, OWNER, type Place, type RunningServer, startServer } from '../harness/server.ts'

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

/** Runs a command with `--json`. It must print exactly one JSON object. */
const outcome = async (args: readonly string[], at: Place = place): Promise<{ readonly [key: string]: unknown }> => {
  const { code, stdout, stderr } = await postil(at, [...args, '--json'])
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return JSON.parse(stdout) as { readonly [key: string]: unknown }
}

type Entry = {
  readonly action: string
  readonly actor: { readonly name: string }
  readonly target: { readonly id: string | null; readonly name: string | null }
  readonly details: object
}
const entries = async (url: string) => {
  const { body } = await createClient(url, { api_key: OWNER.apiKey }).get<{ items: Entry[] }>('/audit')
  return body.items.filter(({ actor }) => actor.name.endsWith('(command line)'))
}

test('every command reports its outcome as JSON', async () => {
  expect(await outcome(['version'])).toEqual({ version: expect.stringMatching(/^\d+\.\d+/) })
  expect(await outcome(['search-engine', 'reindex'])).toEqual({ changed: false })
  expect(await outcome(['database', 'users', 'migrate'])).toEqual({ changed: false })
  expect(await outcome(['database', 'migrate'])).toMatchObject({ added: [] })
  expect((await outcome(['database', 'revisions']))['items']).toContainEqual({ name: expect.any(String), state: 'applied' })
  const user = ['database', 'users', 'create', '--username', 'ann', '--password', 'a long password', '--workspace', 'team']
  const created = await outcome(user)
  expect(created).toMatchObject({ username: 'ann', role: 'annotator', workspaces: ['team'], created: true })
  expect(created['api_key']).toMatch(/.{20}/)
  expect(await outcome(user)).toMatchObject({ username: 'ann', created: false })
  expect(await outcome(['database', 'users', 'update', 'ann', '--role', 'admin'])).toMatchObject({
    changed: true,
    before: 'annotator',
  })
  expect(await outcome(['database', 'users', 'update', 'ann', '--role', 'admin'])).toMatchObject({
    changed: false,
    role: 'admin',
  })
  expect(await outcome(['database', 'users', 'create_default'])).toMatchObject({ created: true, password: expect.any(String) })
  expect(await outcome(['workspaces', 'create', 'other'])).toMatchObject({ name: 'other', created: true })
  expect(await outcome(['workspaces', 'add-user', 'other', 'ann'])).toMatchObject({ username: 'ann', member: true })
  expect(await outcome(['workspaces', 'remove-user', 'other', 'ann'])).toMatchObject({ username: 'ann', member: false })
  expect(await outcome(['workspaces', 'delete', 'other'])).toMatchObject({ name: 'other', deleted: true })
})

test('invalid settings are reported as JSON like any other refusal', async () => {
  const listing = await postil(place, ['users', 'list', '--json'], { POSTIL_LOG_LEVEL: 'loud' })
  expect(listing).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(listing.stdout)).toEqual({ ok: false, problem: expect.stringContaining('POSTIL_LOG_LEVEL') })
})

test('imports and exports by commands are in the audit log with the name of the system user', async () => {
  const dataset = await createFactories(createClient(server.url, { api_key: OWNER.apiKey })).createDataset({ name: 'reviews' })
  const path = join(place.dataDir, 'rows.csv')
  writeFileSync(path, 'text\none\ntwo\n')
  await outcome(['import', path, '--dataset', 'reviews', '--dry-run'])
  expect(await outcome(['import', path, '--dataset', 'reviews'])).toMatchObject({ created: 2 })
  const out = join(place.dataDir, 'out.csv')
  expect(await outcome(['export', 'reviews', '--format', 'csv', '--output', out])).toMatchObject({
    file: out,
    dataset_id: dataset.id,
  })
  const file = join(place.dataDir, 'all.backup')
  expect(await outcome(['backup', file])).toMatchObject({ file, bytes: expect.any(Number) })
  expect((await entries(server.url)).slice(0, 3)).toMatchObject([
    { action: 'instance.backup', target: { name: file } },
    { action: 'files.download', target: { id: dataset.id, name: 'reviews' }, details: { format: 'csv' } },
    { action: 'imports.start', target: { id: dataset.id }, details: { file: 'rows.csv' } },
  ])
  expect((await entries(server.url)).filter(({ action }) => action === 'imports.start')).toHaveLength(1)
  const elsewhere = await emptyPlace()
  expect(await outcome(['restore', file], elsewhere)).toMatchObject({ file, created_at: expect.any(String) })
  const restored = await startServer({ place: elsewhere })
  expect((await entries(restored.url))[0]).toMatchObject({ action: 'instance.restore', target: { name: file } })
  await restored.stop()
  await elsewhere.drop()
})
