import type { Dataset } from '@postil/contract/datasets.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { importer, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

const all: DatasetSpec = {
  ...spec,
  fields: [...(spec.fields ?? []), { name: 'more', settings: { type: 'custom', template: '<p></p>', advanced_mode: false } }],
  questions: [
    ...(spec.questions ?? []),
    { name: 'note', settings: { type: 'text' } },
    { name: 'order', settings: { type: 'ranking', options: ['a', 'b'].map((value) => ({ value, text: value })) } },
    { name: 'names', settings: { type: 'span', field: 'text', options: [{ value: 'per', text: 'Person' }] } },
  ],
  metadata_properties: [...(spec.metadata_properties ?? []), { name: 'ratio', settings: { type: 'float' } }],
}

/** Strings that a format could change: quotes, delimiters, line endings, formulas, numbers, invisible characters. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'Ä',
        '"',
        "'",
        ',',
        ';',
        '\t',
        '\n',
        '\r\n',
        '=1+1',
        '＝1',
        '-2',
        '007',
        '1e5',
        '1,5',
        'true',
        'null',
        'NaN',
      ),
      fc.constantFrom(
        '[1]',
        '{"a": 1}',
        '[]',
        '😀',
        '\u200b',
        '\ufeff',
        ' ',
        'x'.repeat(300),
        '|',
        '\\',
        '#',
        '_escaped_formulas',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((one) => one.isWellFormed() && one !== '')
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const scalar = fc.oneof(text, fc.integer(), fc.boolean())

const record = fc.record({
  fields: fc.record(
    {
      text: text.map((one) => `a${one}`),
      talk: fc.array(fc.record({ role: fc.constantFrom('user', 'bot'), content: text }), { minLength: 1, maxLength: 2 }),
      more: fc.dictionary(fc.constantFrom('x', 'y', 'é'), fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { minKeys: 1 }),
    },
    { requiredKeys: ['text'] },
  ),
  metadata: fc.record(
    {
      source: fc.array(text, { minLength: 1, maxLength: 3 }),
      size: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).filter((n) => !Object.is(n, -0)),
    },
    { requiredKeys: [] },
  ),
  suggestions: fc.record({
    label: option(fc.constantFrom('yes', 'no')),
    tags: option(fc.subarray(['x', 'y'], { minLength: 1 })),
    stars: option(fc.constantFrom(1, 2)),
    note: option(text),
    order: option(fc.constant(['b', 'a'].map((value, i) => ({ value, rank: i + 1 })))),
    names: option(fc.constant([{ label: 'per', start: 0, end: 1 }])),
  }),
})

/** The parts of a record that a download contains, except its answers and the details of its suggestions. */
const contentOf = ({ external_id, fields, metadata, suggestions }: WireRecord, questions: ReadonlyMap<string, string>) => ({
  external_id,
  fields,
  metadata: metadata ?? {},
  suggestions: Object.fromEntries((suggestions ?? []).map(({ question_id, value }) => [questions.get(question_id), value])),
})

const owner = () => fixture.server.clientFor(fixture.server.owner)
const questionsOf = async ({ id }: Dataset) =>
  (await owner().get<{ items: { id: string; name: string }[] }>(`/datasets/${id}/questions`)).body.items
const contents = async (dataset: Dataset) => {
  const names = new Map((await questionsOf(dataset)).map(({ id, name }) => [id, name]))
  return (await importer(fixture.server, dataset).records()).map((one) => contentOf(one, names))
}

it.each(['jsonl', 'csv', 'parquet', 'csv&escape_formulas=true'])(
  'a download as %s that is uploaded again gives the same records',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 8, maxLength: 8 }), async (records) => {
        const source = await fixture.server.createDataset(all)
        const ids = new Map((await questionsOf(source)).map(({ id, name }) => [name, id]))
        const items = records.map(({ suggestions, ...rest }, i) => ({
          ...rest,
          external_id: i % 3 === 0 ? `record ${i}` : `${i}`,
          suggestions: Object.entries(suggestions).flatMap(([name, value]) =>
            value === undefined ? [] : [{ question_id: ids.get(name), value }],
          ),
        }))
        const added = await owner().post<{ detail?: unknown; items: { id: string }[] }>(`/datasets/${source.id}/records/bulk`, {
          items,
        })
        expect([added.status, added.body.detail]).toEqual([201, undefined])
        // If there are final answers, the downloaded file also has columns about the review.
        const gold = { mutation_id: crypto.randomUUID(), base_version: null, values: {}, final: false }
        expect((await owner().put(`/records/${added.body.items[0]?.id}/gold`, gold)).status).toBe(200)
        const answer = await fetch(`${fixture.server.url}/api/v1/datasets/${source.id}/records/download?format=${format}`, {
          headers: { 'x-argilla-api-key': fixture.server.owner.api_key },
        })
        const file = new Uint8Array(await answer.arrayBuffer())
        const target = await fixture.server.createDataset({ ...all, workspace_id: source.workspace_id })
        const at = importer(fixture.server, target)
        const { body } = await at.upload(`own.${format.split('&')[0]}`, file)
        const { id } = (await at.start(body.id, body.mapping)).body
        await at.finish()
        expect((await at.job(id)).import).toMatchObject({ created: 8, failed: 0 })
        expect(await contents(target)).toEqual(await contents(source))
      }),
      { numRuns: 6 },
    )
  },
  300_000,
)
