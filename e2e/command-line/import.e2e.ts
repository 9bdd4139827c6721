import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { otlpRequest, otlpSpan, traceId } from '@postil/testkit/otlp.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postil, startPostil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer } from '../harness/server.ts'

let place: Place
let server: RunningServer
let client: Client
let dataset: string
beforeAll(async () => {
  place = await emptyPlace()
  server = await startServer({ place })
  client = createClient(server.url, { api_key: OWNER.apiKey })
  const { createDataset, createWorkspace } = createFactories(client)
  const workspace_id = (await createWorkspace('team')).id
  dataset = (await createDataset({ name: 'reviews', workspace_id })).id
})
afterAll(async () => {
  await server.stop()
  await place.drop()
})

const fileOf = (name: string, content: string | Buffer): string => {
  const path = join(place.dataDir, name)
  writeFileSync(path, content)
  return path
}
const importInto = ['--dataset', 'reviews', '--workspace', 'team']
const total = async () => (await client.get<{ total: number }>(`/datasets/${dataset}/records`)).body.total

test('a dry run writes nothing, the same import then creates records, and repeating it updates them', async () => {
  const path = fileOf(
    'good.csv',
    `id,text,label\n${Array.from({ length: 250 }, (_, i) => `r${i},text ${i},${i % 2 ? 'yes' : 'no'}\n`).join('')}`,
  )
  expect(await postil(place, ['import', path, ...importInto, '--dry-run'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: `Read 250 rows of ${path}: nothing was written, 0 rows rejected.\n`,
  })
  expect(await total()).toBe(0)
  for (const [created, updated] of [
    [250, 0],
    [0, 250],
  ]) {
    const { code, stdout } = await postil(place, ['import', path, ...importInto, '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ dataset_id: dataset, rows: 250, created, updated, failed: 0, stopped: null, errors: [] }),
    ])
  }
  expect(await total()).toBe(250)
})

detail('traces are imported with --format, one for each record', async () => {
  const workspace_id = (await client.get<{ items: { id: string }[] }>('/me/workspaces')).body.items[0]?.id ?? ''
  const fields = [{ name: 'trace', title: 'Trace', required: true, settings: { type: 'custom', view: 'trace' } }]
  const { id } = await createFactories(client).createDataset({ name: 'traces', workspace_id, fields })
  const path = fileOf(
    'traces.json',
    JSON.stringify(otlpRequest(otlpSpan(1), otlpSpan(2, { parent: 1 }), otlpSpan(3, { trace: 2 }))),
  )
  const into = ['--dataset', 'traces', '--format']
  expect(await postil(place, ['import', path, ...into, 'jaeger'])).toMatchObject({ code: 2 })
  expect(await postil(place, ['import', path, ...into, 'otlp', '--read-as', 'plain'])).toMatchObject({ code: 2 })
  const { code, stdout } = await postil(place, ['import', path, ...into, 'otlp', '--json'])
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ rows: 2, created: 2, failed: 0 })])
  const { items } = (await client.get<{ items: { external_id: string }[] }>(`/datasets/${id}/records`)).body
  expect(items.map(({ external_id }) => external_id)).toEqual([traceId(1), traceId(2)])
})

detail('a dry run reads to the last row', async () => {
  const before = await total()
  const rows = Array.from({ length: 1500 }, (_, i) => `d${i},text ${i},${i === 1400 ? 'maybe' : 'yes'}\n`)
  const path = fileOf('late.csv', `id,text,label\n${rows.join('')}d3,again,yes\n`)
  const { code, stdout, stderr } = await postil(place, ['import', path, ...importInto, '--dry-run'])
  expect([code, stdout]).toEqual([1, `Read 1501 rows of ${path}: nothing was written, 2 rows rejected.\n`])
  expect(stderr).toMatch(/^Row 1401 \(line 1402\), column "label": .+\nRow 1501 \(line 1502\).+\n$/)
  expect(await total()).toBe(before)
})

detail('refused rows are reported, with a custom mapping', async () => {
  const path = fileOf('bad.jsonl', '{"body":"one","l":"yes"}\n{"body":"two","l":"maybe"}\nnothing\n')
  const pairs = { fields: [{ source: 'body', target: 'text' }], suggestions: [{ source: 'l', target: 'label' }] }
  const mapping = fileOf('mapping.json', JSON.stringify(pairs))
  const { code, stdout, stderr } = await postil(place, ['import', path, ...importInto, '--mapping', mapping])
  expect([code, stdout]).toEqual([1, expect.stringContaining('1 records created, 0 updated, 2 rows rejected')])
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^Row 2 \(line 2\), column "l": /),
    'Row 3 (line 3): The row is not valid JSON',
    '',
  ])
})

detail('rows without an ID create new records each time, unless they are given the IDs of existing ones', async () => {
  const before = await total()
  const path = fileOf('weekly.csv', 'text\none\ntwo\n')
  const outcomeOf = async (...args: string[]) => {
    const { created, updated, named } = JSON.parse(
      (await postil(place, ['import', path, ...importInto, '--json', ...args])).stdout,
    )
    return [created, updated, named]
  }
  expect(await outcomeOf()).toEqual([2, 0, 'weekly'])
  expect(await outcomeOf()).toEqual([2, 0, 'weekly-2'])
  expect(await outcomeOf('--name-rows', 'weekly-2')).toEqual([0, 2, 'weekly-2'])
  expect(await total()).toBe(before + 4)
  const { stdout } = await postil(place, ['import', path, ...importInto])
  expect(stdout).toContain('Rows without an ID are named weekly-3_1, weekly-3_2, …')
})

detail('damaged text is imported only if its encoding is given', async () => {
  const before = await total()
  const bytes = [Buffer.from('id,text\nd-1,größe '), Buffer.from([0xff]), Buffer.from('\nd-2,schön\n')]
  const path = fileOf('damaged-text.csv', Buffer.concat(bytes))
  const { code, stdout } = await postil(place, ['import', path, ...importInto, '--encoding', 'utf-8'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Some bytes are not valid UTF-8 and were replaced. The first one is byte 20.'),
  ])
  expect(await total()).toBe(before + 2)
})

detail('impossible imports are refused with a message', async () => {
  const damaged = fileOf('damaged.csv', Buffer.concat([Buffer.from('text\ngröße '), Buffer.from([0xff])]))
  const good = fileOf('fine.csv', 'text\nfine\n')
  const other = fileOf('other.json', '{"fields": []}')
  for (const [args, code, reason] of [
    [['import', good], 2, '--dataset'],
    [['import', join(place.dataDir, 'none.csv'), ...importInto], 1, 'does not exist'],
    [['import', 'sheet.ods', ...importInto], 2, 'cannot be imported. Supported formats: csv, tsv, json, jsonl'],
    [['import', '-', ...importInto], 2, 'Standard input is not supported'],
    [['import', 'rows', ...importInto], 2, 'Use a file name with one of these endings'],
    [['import', damaged, ...importInto], 1, 'not valid UTF-8: byte 13'],
    [['import', good, ...importInto, '--encoding', 'latin'], 2, 'The encoding latin is not one of utf-8'],
    [['import', good, ...importInto, '--separator', 'ab'], 2, 'one ASCII character'],
    [['import', good, ...importInto, '--heading-row', 'x'], 2, 'must be a whole number'],
    [['import', good, ...importInto, '--unit', 'word'], 2, 'The unit word is not one of line'],
    [['import', good, '--dataset', 'nope'], 1, "no dataset 'nope'"],
    [['import', good, ...importInto, '--mapping', good], 1, 'not valid JSON'],
    [['import', good, ...importInto, '--mapping', other], 1, 'fields'],
  ] as const) {
    const result = await postil(place, args)
    expect([args, result.code, result.stderr]).toEqual([args, code, expect.stringContaining(reason)])
  }
})

detail('a file of another program is read as what it is recognized as, or as --read-as says', async () => {
  const task = (id: number) => ({
    id,
    data: { text: `Task ${id}` },
    drafts: [{ result: [] }],
    annotations: [{ result: [{ from_name: 'label', to_name: 'text', type: 'choices', value: { choices: ['yes'] } }] }],
  })
  const path = fileOf('tasks.json', JSON.stringify([task(70001), task(70002)]))
  const { code, stdout } = await postil(place, ['import', path, ...importInto])
  expect([code, stdout]).toEqual([
    0,
    [
      'Recognized as label_studio. To read the file as a plain table, use --read-as plain.',
      'Not imported:',
      '  drafts: unsupported, 2 rows',
      `Read 2 rows of ${path}: 2 records created, 0 updated, 0 rows rejected.`,
      '',
    ].join('\n'),
  ])
  const plain = await postil(place, ['import', path, ...importInto, '--read-as', 'plain', '--json', '--dry-run'])
  const { recognized, contents, mapping } = JSON.parse(plain.stdout)
  expect([plain.code, recognized, contents, mapping.fields]).toEqual([
    0,
    'label_studio',
    null,
    [{ source: 'data.text', target: 'text' }],
  ])
  const unknown = await postil(place, ['import', path, ...importInto, '--read-as', 'nope'])
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('The format nope is not one of plain, label_studio'),
  ])
})

detail('annotations of another program become answers of the users that --as and --users choose', async () => {
  const { createUser } = createFactories(client)
  const { workspace_id } = (await client.get<{ workspace_id: string }>(`/datasets/${dataset}`)).body
  const ana = await createUser({ username: 'ana', workspaces: [workspace_id] })
  const annotation = (email: string, label: string) => ({
    completed_by: { email },
    result: [{ from_name: 'label', to_name: 'text', type: 'choices', value: { choices: [label] } }],
  })
  const task = (id: number) => ({
    id,
    data: { text: `Task ${id}` },
    annotations: [annotation('ana@example.org', 'yes'), annotation('bo@example.org', 'no')],
  })
  const path = fileOf('people.json', JSON.stringify([task(80001), task(80002)]))
  const unknown = await postil(place, ['import', path, ...importInto, '--users', 'ana@example.org=nobody'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("There is no user 'nobody'")])
  const absent = await postil(place, ['import', path, ...importInto, '--users', 'cy=ana'])
  expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining("The file has no annotations by 'cy'")])
  const wrong = await postil(place, ['import', path, ...importInto, '--as', 'plain'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--read-as plain')])
  const { code, stdout } = await postil(place, ['import', path, ...importInto, '--as', 'answers'])
  expect([code, stdout]).toEqual([
    0,
    [
      'Recognized as label_studio. To read the file as a plain table, use --read-as plain.',
      'Annotations become:',
      '  ana@example.org: answers of ana',
      '  bo@example.org: suggestions',
      `Read 2 rows of ${path}: 2 records created, 0 updated, 0 rows rejected.`,
      '2 answers imported, 0 existing answers kept, 0 invalid, 0 left out, 0 used as suggestions.',
      '',
    ].join('\n'),
  ])
  const again = await postil(place, ['import', path, ...importInto, '--users', '*=ana', '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, updated: 2, answers: { stored: 0, kept: 2, left_out: 2 } })
  const { items } = (await client.get<{ items: { details: object }[] }>('/audit?action=imports.start&limit=1')).body
  expect(items[0]?.details).toMatchObject({ 'mapping.annotators_user_1_id': ana.id })
})

detail(
  'an interrupted import reports what is stored and how to continue, leaves nothing behind, and can be continued',
  async () => {
    const rows = 30_000
    const before = await total()
    const path = fileOf('long.csv', `text\n${Array.from({ length: rows }, (_, i) => `row ${i}\n`).join('')}`)
    const scratch = join(place.dataDir, 'scratch')
    mkdirSync(scratch)
    const { ended, kill } = startPostil(place, ['import', path, ...importInto], { TMPDIR: scratch })
    await expect.poll(total, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before)
    kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect([code, stderr]).toEqual([1, 'The import was stopped before the last row.\n'])
    const [, created] = /: (\d+) records created, 0 updated, 0 rows rejected\.\n/.exec(stdout) ?? []
    expect(await total()).toBe(before + Number(created))
    expect(Number(created)).toBeLessThan(rows)
    const [, name = ''] = / run the same command with --name-rows "(.*)"\.\n$/.exec(stdout) ?? []
    expect(readdirSync(scratch)).toEqual([])
    expect(await postil(place, ['import', path, ...importInto, '--name-rows', name])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`: ${rows - Number(created)} records created, ${created} updated`),
    })
    expect(await total()).toBe(before + rows)
  },
)

test('an import continues where a killed server left it, and repeats nothing', async () => {
  const rows = 5000
  const before = await total()
  const content = `text\n${Array.from({ length: rows }, (_, i) => `row ${i}\n`).join('')}`
  const base = `/datasets/${dataset}/imports/files`
  const { id } = (await client.post<{ id: string }>(`${base}?name=many.csv`, content)).body
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  const job = (await client.post<{ id: string }>(`${base}/${id}/start`, { mapping })).body
  type State = { status: string; import: { rows: number } }
  const state = async () => (await client.get<State>(`/jobs/${job.id}`)).body
  await expect.poll(async () => (await state()).import.rows, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
  await server.kill()
  server = await startServer({ place })
  client = createClient(server.url, { api_key: OWNER.apiKey })
  await expect.poll(async () => (await state()).status, { timeout: 120_000 }).toBe('finished')
  expect(await state()).toMatchObject({ import: { rows, created: rows, updated: 0, failed: 0 } })
  expect(await total()).toBe(before + rows)
})
