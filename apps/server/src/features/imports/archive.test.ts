import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { RowFault } from '@postil/contract/files/imports.ts'
import { parseFileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { describe, expect, it, test, vi } from 'vitest'
import { checkDataset, datasetsToCheck } from '#features/doctor/service.ts'
import { removeFiles } from '#features/jobs/public.ts'
import { pngOf } from '#platform/images/testing/png.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { type Member, makeZip } from '#platform/zip/testing/make-zip.ts'
import { importer, same, setUpImports, uploadsOf } from './testing/fixtures.ts'
import { ageHolds } from './testing/operations.ts'

const fixture = setUpImports()
const spec: DatasetSpec = {
  allow_extra_metadata: false,
  fields: [{ name: 'image', required: true, settings: { type: 'image' } }],
  questions: [
    {
      name: 'folder',
      required: true,
      settings: { type: 'label_selection', options: ['cat', 'dog'].map((value) => ({ value, text: value })) },
    },
  ],
  metadata_properties: [
    { name: 'width', settings: { type: 'integer' } },
    { name: 'file_name', settings: { type: 'terms' } },
  ],
}
const createImport = async () => {
  const dataset: Dataset = await fixture.server.createDataset(spec)
  return { dataset, ...importer(fixture.server, dataset) }
}
const mapping = { fields: same('image'), suggestions: same('folder'), metadata: same('width'), external_id: 'file_name' }
const red = pngOf([255, 0, 0])
const blue = pngOf([0, 0, 255])
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4])

const members: readonly Member[] = [
  { name: 'train/', content: '' },
  { name: 'train/cat/1.png', content: red },
  { name: 'train/dog/2.jpg', content: jpeg },
  { name: 'train/dog/again.png', content: red },
  { name: 'train/metadata.csv', content: 'file_name,width\ncat/1.png,640\ndog/2.jpg,much\ndog/gone.png,1\n' },
  { name: '__MACOSX/train/._1.png', content: 'junk' },
  { name: '.DS_Store', content: 'junk' },
]
const filesOf = (dataset: string): string[] => {
  const root = join(fixture.server.app.ctx.config.dataDir, 'files', dataset)
  return existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
    : []
}
const fetchFile = (url: string, user: { readonly api_key: string } | null = fixture.server.owner, headers = {}) =>
  fetch(url, { headers: { ...(user && { 'x-argilla-api-key': user.api_key }), ...headers } })

describe('an archive of images', () => {
  it('is described by its images, their names, folders and tables', async () => {
    const { upload } = await createImport()
    const { status, body } = await upload('pets.zip', makeZip(members))
    expect([status, body.format]).toEqual([201, 'zip'])
    expect(body.columns.map(({ name, type, proposal }) => [name, type, proposal?.role, proposal?.type])).toEqual([
      ['image', 'text', 'field', 'image'],
      ['file_name', 'text', 'external_id', null],
      ['folder', 'text', 'suggestion', 'label_selection'],
      ['width', 'text', 'field', 'text'],
    ])
    expect(body.rows[0]).toEqual(['train/cat/1.png', 'train/cat/1.png', 'cat', '640'])
    expect(body.mapping).toEqual({ ...mapping, metadata: same('file_name', 'width'), record_id: null })
  })

  it('accepts macOS file names: unflagged UTF-8 with decomposed umlauts', async () => {
    const { upload, start, finish, records } = await createImport()
    const name = 'Gr\u00fc\u00dfe.png'
    const content = makeZip([
      { name: name.normalize('NFD'), content: red, isNameUnsaid: true },
      { name: 'metadata.csv', content: `file_name,text\n${name},Hallo\n` },
    ])
    const decomposed = name.normalize('NFD')
    const { body } = await upload('images.zip', content)
    expect(body.rows).toEqual([[decomposed, decomposed, null, 'Hallo']])
    await start(body.id, { fields: same('image'), external_id: 'file_name' })
    await finish()
    expect((await records()).map(({ external_id }) => external_id)).toEqual([decomposed])
  })

  it('previews its images before they are stored, and stores nothing by doing so', async () => {
    const { upload, check, dataset } = await createImport()
    const { id } = (await upload('pets.zip', makeZip(members))).body
    const { body } = await check(id, mapping)
    expect(body.records.map(({ external_id, fields }) => [external_id, fields['image']])).toEqual([
      ['train/cat/1.png', `data:image/png;base64,${Buffer.from(red).toString('base64')}`],
      ['train/dog/again.png', `data:image/png;base64,${Buffer.from(red).toString('base64')}`],
    ])
    expect(body.errors).toMatchObject([
      { row: 2, line: 2, column: 'width', reason: expect.stringContaining('integer') },
      { row: 4, line: 4, column: null, reason: '"train/dog/gone.png" is listed in a table but is not in the archive' },
    ])
    expect(filesOf(dataset.id)).toEqual([])
  })

  it('becomes records whose images are stored once each, and are served to the dataset’s users only', async () => {
    const { upload, start, finish, job, records, dataset } = await createImport()
    const { id } = (await upload('pets.zip', makeZip(members))).body
    const started = (await start(id, { ...mapping, metadata: [] })).body
    await finish()
    expect(await job(started.id)).toMatchObject({ status: 'finished', import: { rows: 4, created: 3, failed: 1 } })
    const found = await records()
    const urls = found.map(({ fields }) => String(fields['image']))
    expect(found.map(({ suggestions }) => suggestions?.[0]?.value)).toEqual(['cat', 'dog', 'dog'])
    expect(urls[0]).toBe(urls[2])
    expect(filesOf(dataset.id).sort()).toEqual([...new Set(urls.map((url) => parseFileAddress(url)?.name))].sort())
    const answer = await fetchFile(urls[0] ?? '')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(red)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': 'private, max-age=31536000, immutable',
      'content-length': String(red.length),
    })
    const url = urls[0] ?? ''
    const part = await fetchFile(url, undefined, { range: 'bytes=1-3' })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'PNG', `bytes 1-3/${red.length}`])
    expect((await fetchFile(url, undefined, { range: 'bytes=99999-' })).status).toBe(416)
    expect((await fetchFile(url, undefined, { 'if-none-match': answer.headers.get('etag') })).status).toBe(304)
    const member = await fixture.server.createUser({ role: 'annotator', workspaces: [dataset.workspace_id] })
    const stranger = await fixture.server.createUser({ role: 'annotator' })
    expect((await fetchFile(url, member)).status).toBe(200)
    expect([403, 404]).toContain((await fetchFile(url, stranger)).status)
    expect((await fetchFile(url, null)).status).toBe(401)
    expect((await fetchFile(url.replace(/[0-9a-f]{64}/, '0'.repeat(64)))).status).toBe(404)
    expect((await fetchFile(url.replace(/[0-9a-f]{64}\.png/, '..%2f..%2fpostil.db'))).status).toBe(422)
  })

  it('is shown without credentials through a link, for a short time and for this file only', async () => {
    const { upload, start, finish, records, dataset } = await createImport()
    const { id } = (await upload('pets.zip', makeZip(members))).body
    await start(id, { fields: same('image') })
    await finish()
    const [first = '', second = ''] = new Set(
      (await records()).map(({ fields }) => parseFileAddress(fields['image'])?.path ?? ''),
    )
    const linked = async (path: string, user = fixture.server.owner) =>
      fixture.server.clientFor(user).get<{ path: string; expires_at: string }>(`${path}/link`)
    const { body } = await linked(first)
    const { url } = fixture.server
    const answer = await fetchFile(`${url}${body.path}`, null)
    expect([answer.status, new Uint8Array(await answer.arrayBuffer())]).toEqual([200, red])
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
    const left = Date.parse(`${body.expires_at}Z`) - Date.now()
    expect([left > 500_000, left <= 1_200_000]).toEqual([true, true])
    const later = body.path.replace(/expires=\d+/, 'expires=9999999999')
    const unsigned = body.path.replace(/signature=.*/, 'signature=')
    for (const wrong of [later, unsigned, body.path.replace(first, second)])
      expect((await fetchFile(`${url}${wrong}`, null)).status).toBe(403)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_200_001 })
    const over = await fetchFile(`${url}${body.path}`, null)
    vi.useRealTimers()
    expect(over.status).toBe(403)
    const member = await fixture.server.createUser({ role: 'annotator', workspaces: [dataset.workspace_id] })
    expect((await linked(first, member)).status).toBe(200)
    expect([403, 404]).toContain((await linked(first, await fixture.server.createUser({ role: 'annotator' }))).status)
  })

  detail('resumes after the last batch when the process is killed, and repeats none', async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ name: `${String(i).padStart(3, '0')}.png`, content: pngOf([i, 0, 0]) }))
    const { upload, start, take, step, finish, job, records, dataset } = await createImport()
    const { id } = (await upload('many.zip', makeZip(many))).body
    const started = (await start(id, { fields: same('image'), external_id: 'file_name' })).body
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    expect((await step(first)).state).toBe('started')
    await fixture.tool.write(ageHolds, {})
    await finish()
    expect((await job(started.id)).import).toEqual({ rows: 150, created: 150, updated: 0, failed: 0 })
    expect([(await records()).length, filesOf(dataset.id).length]).toEqual([150, 150])
  })

  test.each<readonly [string, Member, string]>([
    ['a relative path out of the archive', { name: '../out.png', content: red }, 'points outside the archive'],
    ['an absolute path', { name: '/etc/out.png', content: red }, 'points outside the archive'],
    ['a drive', { name: 'C:\\out.png', content: red }, 'points outside the archive'],
    ['a symbolic link', { name: 'link.png', content: '/etc/passwd', mode: 0o120777 }, 'is a link'],
    ['an SVG with a script', { name: 'x.svg', content: '<svg onload="alert(1)"/>' }, 'is not a supported image'],
    [
      'an HTML page named as a PNG',
      { name: 'x.png', content: '<html><script>alert(1)</script></html>' },
      'is not a supported image',
    ],
    ['an image that browsers can’t show', { name: 'x.tif', content: 'II*\0more' }, 'browsers cannot display'],
    ['a ZIP bomb', { name: 'x.png', content: Buffer.concat([red, Buffer.alloc(15_000_000)]) }, 'too large when unpacked'],
    ['a large image', { name: 'x.png', content: Buffer.alloc(20_000_001, 7) }, 'larger than 20 MB'],
    ['an image with a false size', { name: 'x.png', content: red, saysUnpacked: 5 }, 'cannot be read'],
    ['an image with a password', { name: 'x.png', content: red, encrypted: true }, 'password'],
    ['a duplicate name', { name: 'good.png', content: blue }, 'twice'],
  ])('%s is one bad row', async (_name, member, reason) => {
    const { upload, check, start, finish, job, report, records } = await createImport()
    const { status, body } = await upload('odd.zip', makeZip([{ name: 'good.png', content: red }, member]))
    expect(status).toBe(201)
    const checked = (await check(body.id, { fields: same('image') })).body
    expect(checked.errors.map(({ reason_parts }) => reason_parts.length)).toEqual([1])
    const started = (await start(body.id, { fields: same('image') })).body
    await finish()
    expect(await job(started.id)).toMatchObject({ status: 'finished', import: { rows: 2, created: 1, failed: 1 } })
    const fault = JSON.parse(await report(body.id)) as RowFault
    expect(fault).toMatchObject({ row: 2, reason: expect.stringContaining(reason) })
    expect(await records()).toHaveLength(1)
  })

  test.each([
    ['a file that is not an archive', new Uint8Array(Buffer.from('x')), 'is not a ZIP archive'],
    ['a truncated archive', makeZip(members).slice(0, 300), 'is not a ZIP archive or is incomplete'],
    ['an archive without images', makeZip([{ name: 'metadata.csv', content: 'file_name\n' }]), 'contains no images or texts'],
    [
      'a table with a column named like ours',
      makeZip([...members, { name: 'metadata.jsonl', content: '{"file_name": "a", "image": 1}' }]),
      '"image" of metadata.jsonl',
    ],
    [
      'a table with a damaged character',
      makeZip([...members, { name: 'metadata.csv', content: Buffer.from('file_name,width\n1.png,K\xc3\xa4\xffse\n', 'latin1') }]),
      'metadata.csv cannot be read: The file is not valid UTF-8: byte 25',
    ],
  ])('%s is rejected with a message and not stored', async (_name, content, reason) => {
    const { upload } = await createImport()
    const before = await uploadsOf(fixture.server)
    const { status, body } = await upload('odd.zip', content)
    expect([status, body.detail]).toEqual([422, expect.stringContaining(reason)])
    expect(await uploadsOf(fixture.server)).toEqual(before)
  })

  it('of texts becomes records with their names and folders, in any encoding', async () => {
    const { upload } = await createImport()
    const { status, body } = await upload(
      'letters.zip',
      makeZip([
        { name: 'in/a.txt', content: 'First\nletter\n' },
        { name: 'out/b.txt', content: Buffer.from('Gr\xfc\xdfe', 'latin1') },
        { name: 'notes.pdf', content: '%PDF-1.7' },
        { name: 'metadata.csv', content: 'file_name,mood\nin/a.txt,good\n' },
      ]),
    )
    expect([status, body.columns.map(({ name, proposal }) => [name, proposal?.role])]).toEqual([
      201,
      [
        ['text', 'field'],
        ['file_name', 'external_id'],
        ['folder', 'suggestion'],
        ['mood', expect.anything()],
      ],
    ])
    expect(body.rows).toEqual([
      ['First\nletter', 'in/a.txt', 'in', 'good'],
      ['Grüße', 'out/b.txt', 'out', null],
    ])
  })

  it('leaves no file when its dataset is deleted, not even one that a running import stores', async () => {
    const { upload, start, finish, take, step, dataset } = await createImport()
    const { id } = (await upload('pets.zip', makeZip(members))).body
    await start(id, { fields: same('image') })
    await finish()
    expect(filesOf(dataset.id)).toHaveLength(2)
    const second = (await upload('more.zip', makeZip([{ name: 'b.png', content: blue }]))).body
    await start(second.id, { fields: same('image') })
    const held = await take()
    if (held === undefined) throw new Error('there is no job')
    await fixture.server.clientFor(fixture.server.owner).delete(`/datasets/${dataset.id}`)
    const { ctx } = fixture.server.app
    const removal = (await ctx.store.write(takeJobs, { kinds: [removeFiles.kind], limit: 1, hold: 60_000_000 }))[0]
    if (removal === undefined) throw new Error('nothing removes the files')
    const input = await removeFiles.outsideWork?.prepare(ctx, removal.id)
    expect((await ctx.store.write(removeFiles.step, { ...removal, hold: 60_000_000, input })).state).toBe('finished')
    expect(filesOf(dataset.id)).toEqual([])
    await step(held)
    await expect.poll(() => filesOf(dataset.id)).toEqual([])
  })
})

it('a lost file is reported by the doctor command', async () => {
  const { upload, start, finish, dataset } = await createImport()
  const { id } = (
    await upload(
      'pets.zip',
      makeZip([
        { name: 'a.png', content: red },
        { name: 'b.png', content: blue },
      ]),
    )
  ).body
  await start(id, { fields: same('image') })
  await finish()
  const { ctx } = fixture.server.app
  const [damaged] = (await datasetsToCheck(ctx)).filter((one) => one.id === dataset.id)
  if (damaged === undefined) throw new Error('there is no dataset')
  expect((await checkDataset(ctx, damaged)).files).toEqual({ named: 2, missing: [] })
  const [name = ''] = filesOf(dataset.id)
  rmSync(join(ctx.config.dataDir, 'files', dataset.id, name.slice(0, 2), name))
  const missing = [`/api/v1/datasets/${dataset.id}/files/${name}`]
  expect((await checkDataset(ctx, damaged)).files).toEqual({ named: 2, missing })
})

it('images in a Parquet file are stored as files too', async () => {
  const { upload, start, finish, records, job, dataset } = await createImport()
  const images = [
    { bytes: red, path: 'a.png' },
    { bytes: new Uint8Array(Buffer.from('<svg/>')), path: 'b.png' },
    { bytes: blue, path: null },
  ]
  const { id } = (await upload('images.parquet', parquetOf({ image: ['image', images] }))).body
  const started = (await start(id, { fields: same('image') })).body
  await finish()
  expect((await job(started.id)).import).toEqual({ rows: 3, created: 2, updated: 0, failed: 1 })
  const urls = (await records()).map(({ fields }) => String(fields['image']))
  expect(new Uint8Array(await (await fetchFile(urls[1] ?? '')).arrayBuffer())).toEqual(blue)
  expect(filesOf(dataset.id)).toHaveLength(2)
})
