import type { Agreement } from '@postil/contract/agreement.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const parents: { readonly [value: string]: string | undefined } = {
  animals: undefined,
  dogs: 'animals',
  poodle: 'dogs',
  beagle: 'dogs',
  plants: undefined,
}
const options = Object.entries(parents).map(([value, parent]) => ({ value, text: value, ...(parent && { parent }) }))
const questions = [
  { name: 'kind', required: true, settings: { type: 'label_selection', options } },
  { name: 'kinds', settings: { type: 'multi_label_selection', options } },
  { name: 'flat', settings: { type: 'label_selection', options: options.map(({ parent: _, ...option }) => option) } },
]
const owner = () => server.clientFor(server.owner)
const answers = (kind: string, kinds: readonly string[]) => ({
  kind: { value: kind },
  kinds: { value: kinds },
  flat: { value: kind },
})

test('a tree is stored, kept by clients that do not know it, changed and checked', async () => {
  const { id } = await server.createDataset({ questions })
  const [question] = (await owner().get<{ items: Question[] }>(`/datasets/${id}/questions`)).body.items
  const parentsOf = (body: unknown) =>
    Object.fromEntries((body as { settings: { options: typeof options } }).settings.options.map((one) => [one.value, one.parent]))
  expect(parentsOf(question)).toEqual(parents)

  const update = (changed: readonly object[]) =>
    owner().patch(`/questions/${question?.id}`, { settings: { type: 'label_selection', options: changed } })
  const renamed = await update(options.map(({ value }) => ({ value, text: `${value}!`, description: null })))
  expect([renamed.status, parentsOf(renamed.body)]).toEqual([200, parents])
  const moved = await update(options.map((option) => (option.value === 'beagle' ? { ...option, parent: null } : option)))
  expect(parentsOf(moved.body)).toEqual({ ...parents, beagle: undefined })
  const cycle = await update(options.map((option) => (option.value === 'animals' ? { ...option, parent: 'poodle' } : option)))
  expect(cycle).toMatchObject({
    status: 422,
    body: { detail: "The parents of the options form a cycle: 'animals', 'poodle', 'dogs', 'animals'" },
  })
  const wrong = [...options.slice(0, -1), { value: 'plants', text: 'plants', parent: 'life' }]
  const settings = { type: 'label_selection', options: wrong }
  await expect(server.createDataset({ questions: [{ name: 'kind', required: true, settings }] })).rejects.toThrow(
    /The parent 'life' of the option 'plants' is not the value of an option/,
  )
})

test('downloads contain the paths, and agreement counts the distance in the tree', async () => {
  const { id, workspace_id } = await server.createDataset({
    questions,
    distribution: { strategy: 'overlap', min_submitted: 2 },
  })
  const other = await server.createUser({ workspaces: [workspace_id] })
  const given = (user_id: string, kind: string, kinds: readonly string[]) => ({
    user_id,
    status: 'submitted',
    values: answers(kind, kinds),
  })
  const items = [
    ['poodle', ['dogs', 'plants'], 'beagle', ['poodle']],
    ['plants', ['plants'], 'plants', ['plants']],
  ] as const
  const sent = items.map(([first, firsts, second, seconds], i) => ({
    external_id: `${i}`,
    fields: { text: `text ${i}` },
    responses: [given(server.owner.id, first, firsts), given(other.id, second, seconds)],
  }))
  expect(await owner().post(`/datasets/${id}/records/bulk`, { items: sent })).toMatchObject({ status: 201 })

  const download = async (query: string) =>
    new Uint8Array(
      await (
        await fetch(`${server.url}/api/v1/datasets/${id}/records/download?${query}`, {
          headers: { 'X-Argilla-Api-Key': server.owner.api_key },
        })
      ).arrayBuffer(),
    )
  const linesOf = async (query: string) =>
    new TextDecoder()
      .decode(await download(query))
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  const [wide] = await linesOf('format=jsonl')
  expect(wide).toMatchObject({
    'kind.responses': ['poodle', 'beagle'],
    'kind.responses.path': [
      ['animals', 'dogs', 'poodle'],
      ['animals', 'dogs', 'beagle'],
    ],
    'kinds.responses.path': [[['animals', 'dogs'], ['plants']], [['animals', 'dogs', 'poodle']]],
  })
  expect(wide).not.toHaveProperty('flat.responses.path')
  const [long] = await linesOf('format=jsonl&shape=long')
  expect(long).toMatchObject({ 'response.kind': 'poodle', 'label_path.kind': ['animals', 'dogs', 'poodle'] })
  const [final] = await linesOf('format=jsonl&shape=final')
  expect(final).toMatchObject({ 'final.kind': 'plants', 'final.kind.path': ['plants'], 'final.kinds.path': [['plants']] })
  const file = await download('format=parquet')
  const [row] = await parquetReadObjects({ file: file.buffer })
  expect(row).toMatchObject({ 'kinds.responses.path': [[['animals', 'dogs'], ['plants']], [['animals', 'dogs', 'poodle']]] })
  const csv = new TextDecoder().decode(await download('format=csv'))
  expect(csv).toContain('"[[""animals"",""dogs"",""poodle""],[""animals"",""dogs"",""beagle""]]"')

  const { questions: measured } = (await owner().get<Agreement>(`/datasets/${id}/agreement`)).body
  const found = measured.map(({ secondary }) => secondary.find(({ measure }) => measure === 'alpha_tree')?.value)
  // Counts of poodle, beagle and plants: 1, 1, 2. Distances: 2/6 between the dogs, 4/6 between a dog and plants.
  expect(found[0]).toBeCloseTo(1 - (3 * 2 * (2 / 6)) / (2 * (2 / 6 + 2 * 2 * (4 / 6))), 12)
  expect(found[1]).toEqual(expect.any(Number))
  expect(found[2]).toBeUndefined()
})
