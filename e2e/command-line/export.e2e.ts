import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { variants } from '@postil/testkit/run-size.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, environment, OWNER, startServer } from '../harness/server.ts'

const program = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')

let place: Place
let server: RunningServer
let dataset: string
beforeAll(async () => {
  place = await emptyPlace()
  server = await startServer({ place })
  const client = createClient(server.url, { api_key: OWNER.apiKey })
  const { createDataset, createWorkspace } = createFactories(client)
  const [first, second] = [await createWorkspace('first'), await createWorkspace('second')]
  dataset = (await createDataset({ name: 'a/b: texts', workspace_id: first.id })).id
  for (const { id } of [first, second]) await createDataset({ name: 'twice', workspace_id: id })
  const items = Array.from({ length: 500 }, (_, i) => ({
    fields: { text: `=text ${i} "quoted", ünïcode` },
    responses: [{ values: { label: { value: i % 2 ? 'yes' : 'no' } }, status: 'submitted', user_id: '' }],
  }))
  const { body: me } = await client.get<{ id: string }>('/me')
  const withUser = items.map((item) => ({ ...item, responses: item.responses.map((one) => ({ ...one, user_id: me.id })) }))
  for (let bulk = 0; bulk < 3; bulk += 1) {
    expect((await client.post(`/datasets/${dataset}/records/bulk`, { items: withUser })).status).toBe(201)
  }
})
afterAll(async () => {
  await server.stop()
  await place.drop()
})

const downloaded = async (query: string): Promise<Buffer> => {
  const answer = await fetch(`${server.url}/api/v1/datasets/${dataset}/records/download?${query}`, {
    headers: { 'X-Argilla-Api-Key': OWNER.apiKey },
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

test.each(
  variants(2, [
    ['format=jsonl', []],
    ['format=csv&shape=long', ['--format', 'csv', '--shape', 'long']],
    ['format=csv&escape_formulas=true', ['--format', 'csv', '--escape-formulas']],
    ['format=parquet', ['--format', 'parquet']],
    ['format=datasets&shape=final', ['--format', 'datasets', '--shape', 'final']],
    ['format=kto&question=label', ['--format', 'kto', '--question', 'label']],
  ]),
)('%s is the same file that the server sends, byte for byte', async (query, args) => {
  const file = join(place.dataDir, 'out')
  const made = await postil(place, ['export', 'a/b: texts', '--workspace', 'first', ...args, '--output', file, '--force'])
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(file) })
  const bytes = readFileSync(file)
  expect(bytes.length).toBeGreaterThan(1000)
  expect(bytes.equals(await downloaded(query))).toBe(true)
})

detail('exports to standard output by dataset ID', async () => {
  const { code, stdout, stderr } = await postil(place, ['export', dataset, '--output', '-'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe((await downloaded('format=jsonl')).toString('utf8'))
})

detail('prints the agreement between annotators', async () => {
  const table = await postil(place, ['agreement', dataset])
  expect(table).toMatchObject({ code: 0, stderr: '' })
  const [head, row] = table.stdout.split('\n').map((line) => line.split(/ {2,}/))
  expect(head?.slice(0, 3)).toEqual(['QUESTION', 'MEASURE', 'VALUE'])
  expect(row).toEqual(['label', 'alpha_nominal', 'one_annotator', '-', '0', '1500', '1'])
  const { code, stdout } = await postil(place, ['agreement', 'a/b: texts', '--workspace', 'first', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).questions).toMatchObject([{ name: 'label', answers: 1500, reason: 'one_annotator' }])
})

test('reports a reader that closes the pipe early', async () => {
  const child = spawn(process.execPath, [program, 'export', dataset, '--output', '-'], {
    env: environment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^Standard output was closed.*\n$/) })
})

test('exports to a file named after the dataset by default, and never over an existing file', async () => {
  const args = ['export', 'a/b: texts', '--format', 'csv']
  expect(await postil(place, args)).toMatchObject({ code: 0 })
  const file = join(place.dataDir, 'a_b_ texts.csv')
  expect(existsSync(file)).toBe(true)
  writeFileSync(file, 'mine')
  expect(await postil(place, args)).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test.each(
  variants(2, [
    [['nothing'], "There is no dataset 'nothing'."],
    [['a/b: texts', '--workspace', 'second'], "There is no dataset 'a/b: texts' in workspace 'second'."],
    [['a/b: texts', '--workspace', 'third'], "There is no workspace 'third'."],
    [['twice'], 'There are 2 datasets'],
    [['a/b: texts', '--format', 'xlsx'], '--format: '],
    [['a/b: texts', '--format', 'conll'], 'no question whose answers the format conll can hold'],
    [['a/b: texts', '--output', 'no/such/folder'], 'does not exist'],
    [['a/b: texts', '--workspace', 'first', '--output', '.', '--force'], 'is a folder. Give a file name'],
  ]),
)('refuses %j with a message, and leaves no file behind', async (args, sentence) => {
  const before = readdirSync(place.dataDir).length
  expect(await postil(place, ['export', ...args])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(sentence),
  })
  expect(readdirSync(place.dataDir)).toHaveLength(before)
})
