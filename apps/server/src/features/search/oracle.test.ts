import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SearchableField } from '#field-types/record-tokens.ts'
import { type Answer, record, type Search, searches, shape, suggestions as someSuggestions } from './testing/arbitraries.ts'
import { hasText, holds, type Model, sorted, type WireRecord } from './testing/model.ts'

let server: TestServer
let owner: Client

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())

type AnswersOfUser = typeof record extends fc.Arbitrary<infer T> ? T : never
type Fixture = { readonly dataset: Dataset; readonly questions: ReadonlyMap<string, string>; readonly users: readonly TestUser[] }

const must = <T>({ status, body }: { status: number; body: T }): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

const suggestionsOf = ({ questions }: Fixture, given: AnswersOfUser['suggestions']) =>
  given.map(({ question, ...rest }) => ({ ...rest, question_id: questions.get(question) }))

const create = async (fixture: Fixture, records: readonly AnswersOfUser[]) => {
  const items = records.map(({ content, suggestions, external }, i) => ({
    ...content,
    external_id: external ? `e${i}` : null,
    suggestions: suggestionsOf(fixture, suggestions),
  }))
  const { items: made } = must(
    await owner.post<{ items: { id: string }[] }>(`/datasets/${fixture.dataset.id}/records/bulk`, { items }),
  )
  for (const [i, { id }] of made.entries()) await answer(fixture, id, records[i]!.answers)
  return made.map(({ id }) => id)
}

const answer = async ({ users }: Fixture, id: string, answers: readonly Answer[]) => {
  for (const { user, status, values } of answers) {
    // A submitted answer must answer the required question.
    const sent = status === 'submitted' ? { label: { value: 'a' }, ...values } : values
    must(await server.clientFor(users[user]!).post('/me/responses/bulk', { items: [{ record_id: id, status, values: sent }] }))
  }
}

const prepare = async (): Promise<Fixture> => {
  const dataset = await server.createDataset({ ...shape, distribution: { strategy: 'overlap', min_submitted: 2 } })
  const { items } = must(await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`))
  const annotators = await Promise.all([0, 1].map(() => server.createUser({ workspaces: [dataset.workspace_id] })))
  return { dataset, questions: new Map(items.map(({ id, name }) => [name, id])), users: [server.owner, ...annotators] }
}

const read = async ({ dataset, questions }: Fixture): Promise<Model> => {
  const path = `/datasets/${dataset.id}/records?limit=1000&include=responses,suggestions,vectors`
  return {
    records: must(await owner.get<{ items: WireRecord[] }>(path)).items,
    fields: shape.fields as unknown as readonly SearchableField[],
    questions: shape.questions.map(({ name, settings }) => ({
      id: questions.get(name)!,
      name,
      kind: (settings as { type: string }).type,
    })),
    properties: shape.metadata_properties.map(({ name, settings }) => ({ name, kind: settings.type })),
  }
}

type Answered = {
  readonly items: readonly { readonly record: { readonly id: string }; readonly query_score: number | null }[]
  readonly total: number
}

const bodyOf = ({ text, filters, sort }: Search) => ({
  query: text && { text },
  ...(filters.length > 0 && { filters: { and: filters } }),
  ...(sort.length > 0 && { sort }),
})

const check = async ({ dataset }: Fixture, model: Model, search: Search, caller: TestUser, own: boolean) => {
  const user = own ? caller.id : null
  const matching = model.records.filter(
    (one) =>
      (search.text === null || hasText(one, search.text.q, search.text.field, model)) &&
      search.filters.every((filter) => holds(one, filter, user, model)),
  )
  const route = `/${own ? 'me/' : ''}datasets/${dataset.id}/records/search`
  const { offset, limit } = search.page
  const body = bodyOf(search)
  const found = must(await server.clientFor(caller).post<Answered>(`${route}?offset=${offset}&limit=${limit}`, body))
  const ids = found.items.map((item) => item.record.id)
  const scores = found.items.map((item) => item.query_score)
  expect(found.total).toBe(matching.length)
  if (search.sort.length > 0) {
    expect(ids).toEqual(
      sorted(matching, search.sort, user, model)
        .slice(offset, offset + limit)
        .map(({ id }) => id),
    )
    expect(scores.every((score) => score === null)).toBe(true)
    return
  }
  const place = new Map(model.records.map(({ id }, i) => [id, i]))
  if (own) {
    // A subset has the same order as the entire dataset.
    const all = must(await server.clientFor(caller).post<Answered>(`${route}?limit=1000`, {})).items.map((item) => item.record.id)
    const wanted = new Set(matching.map(({ id }) => id))
    expect(ids).toEqual(all.filter((id) => wanted.has(id)).slice(offset, offset + limit))
    expect(scores).toEqual([...scores].sort((a, b) => b! - a!))
  } else if (search.text === null) {
    expect(ids).toEqual(matching.slice(offset, offset + limit).map(({ id }) => id))
    expect(scores.every((score) => score === 1)).toBe(true)
  } else {
    const whole = must(await server.clientFor(caller).post<Answered>(`${route}?limit=1000`, body)).items
    expect(new Set(whole.map((item) => item.record.id))).toEqual(new Set(matching.map(({ id }) => id)))
    expect(ids).toEqual(whole.slice(offset, offset + limit).map((item) => item.record.id))
    const byRelevance = [...whole].sort(
      (a, b) => b.query_score! - a.query_score! || place.get(a.record.id)! - place.get(b.record.id)!,
    )
    expect(whole).toEqual(byRelevance)
  }
}

const visible = ['lang', 'size', 'ratio']
const knownTerms = ({ records }: Model): string[] =>
  records
    .slice(0, 4)
    .flatMap(({ id, external_id, inserted_at, updated_at }) => [
      id,
      inserted_at,
      updated_at,
      ...(external_id === null ? [] : [external_id]),
    ])

const round = async (fixture: Fixture, seed: number, count: number) => {
  const model = await read(fixture)
  const known = knownTerms(model)
  for (const [i, own] of [false, true, true].entries()) {
    const caller = fixture.users[i]!
    const names = i === 0 ? [...visible, 'hidden'] : visible
    for (const search of fc.sample(searches(known, { names, agreement: i === 0 }), { numRuns: count, seed: seed + i })) {
      try {
        await check(fixture, model, search, caller, own)
      } catch (error) {
        throw new Error(`${own ? 'own' : 'all'} ${JSON.stringify(search)}\n${(error as Error).message}`)
      }
    }
  }
}

it('search matches the reference implementation, even after records, suggestions and answers change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 12, maxLength: 40 }),
      fc.array(record, { minLength: 3, maxLength: 3 }),
      someSuggestions,
      fc.nat(),
      async (records, later, suggested, seed) => {
        const fixture = await prepare()
        const ids = await create(fixture, records)
        await round(fixture, seed, 50)
        const path = `/datasets/${fixture.dataset.id}/records`
        must(await owner.delete(`${path}?ids=${ids[1]},${ids[5]}`))
        await create(
          fixture,
          later.map((one) => ({ ...one, external: false })),
        )
        must(
          await owner.put(`${path}/bulk`, {
            items: later.map(({ content }, i) => ({
              id: ids[i + 6],
              ...content,
              suggestions: suggestionsOf(fixture, suggested),
            })),
          }),
        )
        for (const id of [ids[0]!, ids[2]!])
          await answer(
            fixture,
            id,
            later.flatMap(({ answers }) => answers),
          )
        await round(fixture, seed + 10, 30)
      },
    ),
    { numRuns: scaled(1, 3), endOnFailure: true },
  )
}, 300_000)
