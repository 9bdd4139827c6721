import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import type { UsersProgress } from '@postil/contract/progress.ts'
import type { Record } from '@postil/contract/records.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { matrix } from './testing/actions/matrix.ts'
import { type ApiFixture, confidential, createApiFixture, must, people, type Who } from './testing/fixture.ts'
import { richMetadata, richValues } from './testing/rich.ts'
import { send } from './testing/send.ts'

const word = 'inner'
const insiders: readonly Who[] = ['owner', 'adminIn', 'annotatorIn']

let server: TestServer
let fixture: ApiFixture
let record: Record
beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_MODELS_ALLOW_PRIVATE: 'true' } })
  fixture = await createApiFixture(server, word)
  record = await fixture.newRecord()
  for (const who of insiders) {
    must(await fixture.as(who).post(`/records/${record.id}/responses`, { status: 'draft', values: richValues(word) }))
  }
})
afterAll(() => server.close())

type List<T> = { readonly items: readonly T[] }
const searchOwn = async (who: Who, body: object = {}, include = 'responses') => {
  const sent = { params: { dataset_id: fixture.rich.dataset.id }, query: { include }, body }
  return must(await send<SearchResult>(fixture.as(who), 'search.my_records', sent))
}
const everything = richMetadata(word)
const shown = Object.fromEntries(Object.entries(everything).filter(([key]) => !/hidden|extra/.test(key)))

describe('lists contain what the caller can see', () => {
  it('workspaces: all for owners, memberships for others', async () => {
    const all = must(await fixture.as('owner').get<List<Workspace>>('/me/workspaces')).items.map(({ id }) => id)
    expect(all.length).toBeGreaterThan(2)
    for (const who of people) {
      const ownItems = must(await fixture.as(who).get<List<Workspace>>('/me/workspaces')).items.map(({ id }) => id)
      const listed = must(await fixture.owner.get<List<Workspace>>(`/users/${fixture.users[who].id}/workspaces`)).items
      expect(listed.map(({ id }) => id)).toEqual(ownItems)
      if (who === 'owner') expect(ownItems).toEqual(all)
      else expect([who, ownItems.length, ownItems.includes(fixture.workspace.id)]).toEqual([who, 1, insiders.includes(who)])
    }
  })

  it('datasets: all for owners, those of their workspaces for others, including drafts', async () => {
    const { dataset: draft } = await fixture.newDraft()
    for (const who of people) {
      const ownItems = must(await fixture.as(who).get<List<Dataset>>('/me/datasets')).items
      const home = must(await fixture.as(who).get<{ datasets: { dataset: Dataset }[] }>('/me/home')).datasets
      expect(home.map(({ dataset }) => dataset.id).sort()).toEqual(ownItems.map(({ id }) => id).sort())
      const foreign = ownItems.filter(({ workspace_id }) => workspace_id !== fixture.workspace.id)
      const inside = insiders.includes(who)
      expect([who, ownItems.some(({ id }) => id === draft.id), foreign.length > 0]).toEqual([
        who,
        inside,
        who === 'owner' || !inside,
      ])
    }
  })

  it('metadata properties: all for owners and admins, visible ones for annotators', async () => {
    for (const who of insiders) {
      const list = await send<List<MetadataProperty>>(fixture.as(who), 'metadata_properties.list_mine', {
        params: { dataset_id: fixture.rich.dataset.id },
      })
      const hidden = must(list).items.filter(({ visible_for_annotators }) => !visible_for_annotators)
      expect([who, hidden.length]).toEqual([who, who === 'annotatorIn' ? 0 : 1])
    }
  })

  it('user progress: every name for every member', async () => {
    const names = [fixture.users.owner, fixture.users.adminIn, fixture.users.annotatorIn, fixture.colleague].map(
      ({ username }) => username,
    )
    for (const who of insiders) {
      const { users } = must(await fixture.as(who).get<UsersProgress>(`/datasets/${fixture.rich.dataset.id}/users/progress`))
      expect(users.map(({ username }) => username).sort()).toEqual([...names].sort())
    }
  })
})

describe('a record', () => {
  test.each(insiders)('in one’s own search contains one’s own answer and the metadata for %s', async (who) => {
    const { items } = await searchOwn(who)
    const found = items.find((item) => item.record.id === record.id)?.record
    expect(found?.responses?.map(({ user_id }) => user_id)).toEqual([fixture.users[who].id])
    expect(found?.metadata).toEqual(who === 'annotatorIn' ? shown : everything)
  })

  test.each(insiders)('by its ID contains every answer and all metadata, filtered for annotators: %s', async (who) => {
    const found = must(await fixture.as(who).get<Record>(`/records/${record.id}`))
    const authors = found.responses?.map(({ user_id }) => user_id)
    expect(found.metadata).toEqual(who === 'annotatorIn' ? shown : everything)
    if (who === 'annotatorIn') expect(authors).toEqual([fixture.users[who].id])
    else expect(authors).toEqual([fixture.colleague, ...insiders.map((one) => fixture.users[one])].map(({ id }) => id))
  })

  it('without metadata has null, and one with only hidden metadata has an empty object', async () => {
    const fields = { [`${word}-text`]: 'text' }
    const hidden = { [`${word}-hidden`]: `${word} private`, more: 1 }
    const path = `/datasets/${fixture.rich.dataset.id}/records/bulk`
    const { items } = must(await fixture.owner.post<List<Record>>(path, { items: [{ fields }, { fields, metadata: hidden }] }))
    const [none, some] = items.map(({ id }) => id)
    for (const who of insiders) {
      const ids = must(
        await send<SearchResult>(fixture.as(who), 'search.my_records', {
          params: { dataset_id: fixture.rich.dataset.id },
          body: { filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'id' }, values: [none, some] }] } },
        }),
      ).items
      const byId = new Map(ids.map((item) => [item.record.id, item.record.metadata]))
      const one = must(await fixture.as(who).get<Record>(`/records/${some}`)).metadata
      const seen = who === 'annotatorIn' ? {} : hidden
      expect([byId.get(none!), byId.get(some!), one]).toEqual([null, seen, seen])
    }
  })

  it('can’t be found by annotators through hidden metadata: the property counts as missing from the dataset', async () => {
    for (const name of [`${word}-hidden`, `${word}-extra`, 'nothing']) {
      const scope = { entity: 'metadata', metadata_property: name }
      const bodies = [
        { filters: { and: [{ type: 'terms', scope, values: [`${word} private`] }] } },
        { filters: { and: [{ type: 'range', scope, ge: 'a' }] } },
        { sort: [{ scope, order: 'asc' }] },
      ]
      for (const body of bodies) {
        const sent = { params: { dataset_id: fixture.rich.dataset.id }, body }
        const statuses = await Promise.all(
          insiders.map(async (who) => (await send(fixture.as(who), 'search.my_records', sent)).status),
        )
        expect([name, ...statuses]).toEqual(name === `${word}-hidden` ? [name, 200, 200, 422] : [name, 422, 422, 422])
      }
    }
  })
})

describe('an API key', () => {
  it('of another user is shown to owners only', async () => {
    const { newUser, workspace } = fixture
    const other = await newUser([workspace.id])
    const list = async (who: Who) => must(await fixture.as(who).get<List<User>>(`/workspaces/${workspace.id}/users`)).items
    for (const { id, api_key } of await list('owner')) expect([id, api_key]).toEqual([id, expect.stringMatching(/^[\w-]{100,}$/)])
    for (const { id, api_key } of await list('adminIn')) {
      expect([id, api_key]).toEqual([id, id === fixture.users.adminIn.id ? fixture.users.adminIn.api_key : ''])
    }
    const removed = await fixture.as('adminIn').delete<User>(`/workspaces/${workspace.id}/users/${other.id}`)
    expect(must(removed).api_key).toBe('')
  })
})

describe('no response to', () => {
  const allowed = (who: Who) => matrix.filter((action) => action.allowed.includes(who) && !action.echoes)
  /** Everything that a user sees through all routes that the user may call. */
  const seenBy = async (who: Who): Promise<(readonly [string, string])[]> => {
    const seen: (readonly [string, string])[] = []
    for (const { id, request, anonymous } of allowed(who)) {
      const { body, headers } = await send(fixture.as(anonymous ? null : who), id, await request(fixture, who))
      seen.push([id, JSON.stringify([body, [...headers]])])
    }
    return seen
  }
  const keysOfOthers = (who: Who) =>
    [...people.map((one) => fixture.users[one]), fixture.colleague]
      .map(({ api_key }) => api_key)
      .filter((key) => key !== fixture.users[who].api_key)

  it('an annotator contains hidden metadata, answers of others or their API keys', async () => {
    const secrets = [confidential(word), `${word} private`, `${word} extra`, `${word}-hidden`, ...keysOfOthers('annotatorIn')]
    for (const [id, text] of await seenBy('annotatorIn')) {
      expect([id, secrets.filter((secret) => text.includes(secret))]).toEqual([id, []])
    }
  })

  it('an admin contains API keys of others', async () => {
    for (const [id, text] of await seenBy('adminIn')) {
      expect([id, keysOfOthers('adminIn').filter((secret) => text.includes(secret))]).toEqual([id, []])
    }
  })
})
