import { expect, it } from 'vitest'
import { importer, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()

/** Strings that programs may run as formulas, and strings that only look as if an apostrophe was added to them. */
const FORMULAS = ['=1+1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '\t=1', '\r=1', '\n=1', "'=1", "''@a"]
const PLAIN = ["'quoted'", 'a=1', '', "'", ' =1']
const TEXTS = [...FORMULAS, ...PLAIN]
const FIELDS = ['text', '=HYPERLINK("https://a.example")', '＠b', "'-c"]
const spec = {
  fields: FIELDS.map((name, i) => ({ name, required: i === 0, settings: { type: 'text' as const } })),
  questions: [{ name: '+note', required: true, settings: { type: 'text' as const } }],
  metadata_properties: [{ name: 'x', settings: { type: 'terms' as const } }],
}

const begin = async () => {
  const owner = fixture.server.clientFor(fixture.server.owner)
  const dataset = await fixture.server.createDataset(spec)
  const { body } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/questions`)
  const items = TEXTS.map((text, i) => ({
    external_id: `-${i}`,
    fields: Object.fromEntries(FIELDS.map((name) => [name, text])),
    metadata: { x: [text] },
    suggestions: [{ question_id: body.items[0]?.id, value: text, agent: 'a' }],
  }))
  expect((await owner.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
  const download = async (query: string) => {
    const answer = await fetch(`${fixture.server.url}/api/v1/datasets/${dataset.id}/records/download?${query}`, {
      headers: { 'x-argilla-api-key': fixture.server.owner.api_key },
    })
    return answer.text()
  }
  return { ...importer(fixture.server, dataset), download }
}

/** The cells of a CSV file. */
const cellsOf = (csv: string): string[] =>
  [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  )

it('no cell or heading of an escaped download starts like a formula', async () => {
  const { download } = await begin()
  const wide = cellsOf(await download('format=csv&escape_formulas=true'))
  expect(wide).toContain(`'=HYPERLINK("https://a.example")`)
  expect(wide).toContain("'+note.suggestion")
  for (const text of FORMULAS) expect(wide).toContain(`'${text}`)
  for (const text of PLAIN) expect(wide).toContain(text)
  const long = cellsOf(await download('format=csv&shape=long&escape_formulas=true'))
  for (const cell of [...wide, ...long]) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/)
})

it.each(['format=csv&escape_formulas=true', 'format=csv'])('a download with %s gives the same dataset again', async (query) => {
  const from = await begin()
  const content = await from.download(query)
  const to = importer(fixture.server, await fixture.server.createDataset(spec))
  const { body: file } = await to.upload('download.csv', content)
  expect(file.mapping?.fields.map(({ target }) => target).sort()).toEqual([...FIELDS].sort())
  expect((await to.start(file.id, { ...file.mapping, record_id: null })).status).toBe(202)
  await to.finish()
  const shown = async (which: Pick<typeof to, 'records'>) =>
    (await which.records()).map(({ external_id, fields, metadata, suggestions }) => ({
      external_id,
      fields,
      metadata,
      values: suggestions?.map(({ value }) => value),
    }))
  expect(await shown(to)).toEqual(await shown(from))
})

it('an apostrophe in a file that no download marks stays', async () => {
  const to = importer(
    fixture.server,
    await fixture.server.createDataset({ ...spec, fields: [spec.fields[0]] as typeof spec.fields }),
  )
  const { body: file } = await to.upload('other.csv', "text\n'=1\n'@a\n")
  await to.start(file.id, file.mapping ?? {})
  await to.finish()
  expect((await to.records()).map(({ fields }) => fields?.text)).toEqual(["'=1", "'@a"])
})
