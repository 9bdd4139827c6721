import type { FileCheck, Import, ImportFile } from '@postil/contract/files/imports.ts'
import { describe, expect, it, test } from 'vitest'
import { importer, same, setUpImports, spec, uploadsOf } from './testing/fixtures.ts'

const fixture = setUpImports()

type Caller = { readonly api_key: string }
const uploadOwn = (user: Caller, name: string, content: string) =>
  fixture.server
    .clientFor(user)
    .post<ImportFile & { detail: string }>(`/me/imports/files?name=${name}`, content, { 'content-type': 'text/plain' })
const checkOwn = (user: Caller, id: string, plan: object) =>
  fixture.server.clientFor(user).post<FileCheck & { detail: string }>(`/me/imports/files/${id}/check`, plan)

const csv = [
  'id,text,label,tags,size,note',
  'a,"One, of all",yes,"[""x"",""y""]",1,n1',
  'b,Two,no,"[""y""]",2,n2',
  'c,,yes,"[""x""]",3,n3',
  'd,Four,no,"[""x""]",much,',
].join('\n')
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const plan = {
  mapping: { fields: same('text'), suggestions: same('label', 'tags'), metadata: same('size'), external_id: 'id' },
  fields: [{ name: 'text', title: 'Text', required: true, settings: { type: 'text' } }],
  questions: [
    { name: 'label', title: 'Label', required: true, settings: { type: 'label_selection', options: options('yes', 'no') } },
    { name: 'tags', title: 'Tags', settings: { type: 'multi_label_selection', options: options('x', 'y') } },
  ],
  metadata_properties: [{ name: 'size', title: 'Size', settings: { type: 'integer' } }],
}

describe('a file for a dataset that doesn’t exist yet', () => {
  it('is described by its first rows and column values', async () => {
    const { status, body } = await uploadOwn(fixture.server.owner, 'rows.csv', csv)
    expect([status, body.dataset_id]).toEqual([201, null])
    expect(body.columns.map(({ name, values }) => [name, values])).toEqual([
      ['id', ['a', 'b', 'c', 'd']],
      ['text', ['One, of all', 'Two', 'Four']],
      ['label', ['yes', 'no']],
      ['tags', ['x', 'y']],
      ['size', ['1', '2', '3', 'much']],
      ['note', ['n1', 'n2', 'n3']],
    ])
    expect(body.rows).toHaveLength(4)
    expect(body.rows[2]).toEqual(['c', null, 'yes', '["x"]', '3', 'n3'])
    expect(body.mapping).toEqual({ fields: [], metadata: [], suggestions: [], external_id: 'id', record_id: null })
  })

  it('lists no values if they are many or long', async () => {
    const rows = Array.from({ length: 501 }, (_, i) => `${i},${i % 2 === 0 ? 'short' : 'l'.repeat(201)}`)
    const { body } = await uploadOwn(fixture.server.owner, 'rows.csv', `many,long\n${rows.join('\n')}`)
    expect(body.columns.map(({ values }) => values)).toEqual([null, null])
    expect(body.rows).toHaveLength(5)
    expect(body.rows[1]?.[1]).toHaveLength(200)
  })

  it('is checked against the planned settings', async () => {
    const { id } = (await uploadOwn(fixture.server.owner, 'rows.csv', csv)).body
    const { status, body } = await checkOwn(fixture.server.owner, id, plan)
    expect(status).toBe(200)
    expect(body.errors).toMatchObject([
      { row: 3, line: 4, column: 'text', reason: expect.stringContaining('empty') },
      { row: 4, line: 5, column: 'size', reason: expect.stringContaining('integer') },
    ])
    expect([body.rows, body.records]).toEqual([
      4,
      [
        {
          row: 1,
          external_id: 'a',
          fields: { text: 'One, of all' },
          metadata: { size: 1 },
          suggestions: [
            { question: 'label', value: 'yes' },
            { question: 'tags', value: ['x', 'y'] },
          ],
        },
        {
          row: 2,
          external_id: 'b',
          fields: { text: 'Two' },
          metadata: { size: 2 },
          suggestions: [
            { question: 'label', value: 'no' },
            { question: 'tags', value: ['y'] },
          ],
        },
      ],
    ])
  })

  const span = (name: string, field: string) => ({
    name,
    title: name,
    settings: { type: 'span', field, options: options('x') },
  })
  test.each([
    [{ fields: [...plan.fields, ...plan.fields] }, 'Two fields are named "text"'],
    [{ questions: [...plan.questions, ...plan.questions] }, 'Two questions are named "label"'],
    [{ metadata_properties: [...plan.metadata_properties, ...plan.metadata_properties] }, 'Two metadata properties'],
    [{ questions: [span('marks', 'nope')] }, 'not a valid field'],
    [{ questions: [span('marks', 'text'), span('more', 'text')] }, 'already used'],
    [{ mapping: { ...plan.mapping, fields: [{ source: 'text', target: 'nope' }] } }, 'no field "nope"'],
  ])('%j is rejected with a message', async (wrong, reason) => {
    const { id } = (await uploadOwn(fixture.server.owner, 'rows.csv', csv)).body
    const { status, body } = await checkOwn(fixture.server.owner, id, { ...plan, ...wrong })
    expect([status, body.detail]).toEqual([422, expect.stringContaining(reason)])
  })

  it('is attached to the dataset in which its import starts, and is listed there', async () => {
    const dataset = await fixture.server.createDataset(spec)
    const { start, finish, records, report, job } = importer(fixture.server, dataset)
    const { id } = (await uploadOwn(fixture.server.owner, 'rows.csv', csv)).body
    const mapping = { fields: same('text'), external_id: 'id' }
    const started = await start(id, mapping)
    expect(started.status).toBe(202)
    await finish()
    expect((await records()).map(({ external_id }) => external_id)).toEqual(['a', 'b', 'd'])
    expect(JSON.parse(await report(id))).toMatchObject({ row: 3, column: 'text' })
    const listed = await fixture.server
      .clientFor(fixture.server.owner)
      .get<{ items: Import[] }>(`/datasets/${dataset.id}/imports`)
    expect(listed.body.items).toEqual([
      {
        file: { id, name: 'rows.csv', size: csv.length },
        job: await job(started.body.id),
        inserted_at: expect.any(String),
      },
    ])
    expect((await checkOwn(fixture.server.owner, id, plan)).status).toBe(404)
    expect((await start(id, mapping)).status).toBe(422)
  })

  it('is private to its user, and annotators can’t upload one', async () => {
    const dataset = await fixture.server.createDataset(spec)
    const admin = await fixture.server.createUser({ role: 'admin', workspaces: [dataset.workspace_id] })
    const annotator = await fixture.server.createUser({ role: 'annotator', workspaces: [dataset.workspace_id] })
    const before = await uploadsOf(fixture.server)
    expect((await uploadOwn(annotator, 'rows.csv', csv)).status).toBe(403)
    expect(await uploadsOf(fixture.server)).toEqual(before)
    const { id } = (await uploadOwn(fixture.server.owner, 'rows.csv', csv)).body
    expect((await checkOwn(annotator, id, plan)).status).toBe(403)
    expect((await checkOwn(admin, id, plan)).status).toBe(403)
    expect((await importer(fixture.server, dataset, admin).start(id, { fields: same('text') })).status).toBe(404)
    expect((await importer(fixture.server, dataset, admin).check(id, { fields: same('text') })).status).toBe(404)
    expect((await fixture.server.clientFor(annotator).get(`/datasets/${dataset.id}/imports`)).status).toBe(403)
    const own = (await uploadOwn(admin, 'rows.csv', csv)).body.id
    expect((await checkOwn(admin, own, plan)).status).toBe(200)
  })
})
