import type { Record } from '@postil/contract/records.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { changedAnswer } from './testing/actions/history.ts'
import { matrix } from './testing/actions/matrix.ts'
import { newView } from './testing/actions/saved-views.ts'
import { type ApiFixture, createApiFixture, must, type Who } from './testing/fixture.ts'
import { started, storedImage, upload, uploadInParts, uploadOwn } from './testing/imports.ts'
import { richFields } from './testing/rich.ts'
import { endpointOf, paramsOf, type Sent, send } from './testing/send.ts'

/* There are two workspaces on one server. Members of one workspace send IDs from the other workspace to every route, alone and
   together with their own IDs. No response may contain text from the other workspace, and the other workspace must not change. */
const canary = 'canary'
const attackers: readonly Who[] = ['adminIn', 'annotatorIn']

let server: TestServer
let ours: ApiFixture
let theirs: ApiFixture
let record: Record
let foreign: Record
/** Other IDs from the other workspace, with their parameter names. Each ID is sent to every route. */
let more: readonly (readonly [name: string, id: string])[]
let before: unknown
/** Everything that any route returns about the other workspace. */
const snapshot = async () => {
  const { owner, workspace, rich } = theirs
  const id = rich.dataset.id
  const paths = [
    `/workspaces/${workspace.id}`,
    `/workspaces/${workspace.id}/users`,
    `/me/datasets?workspace_id=${workspace.id}`,
    `/datasets/${id}/fields`,
    `/datasets/${id}/questions`,
    `/datasets/${id}/vectors-settings`,
    `/me/datasets/${id}/metadata-properties`,
    `/datasets/${id}/records?include=responses,suggestions,vectors`,
    `/datasets/${id}/progress`,
    `/datasets/${id}/users/progress`,
    `/datasets/${id}/views`,
    `/datasets/${id}/imports`,
    `/records/${foreign.id}/history`,
  ]
  return Promise.all(paths.map(async (path) => must(await owner.get(path))))
}

beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_MODELS_ALLOW_PRIVATE: 'true' } })
  ours = await createApiFixture(server, 'ours')
  theirs = await createApiFixture(server, canary)
  record = await ours.newRecord()
  foreign = await theirs.newRecord()
  more = await moreOfTheirs()
  before = await snapshot()
})
afterAll(async () => {
  await server.close()
})

/** Creates a change, a view, files and a job in the other workspace. Returns their IDs. */
const moreOfTheirs = async () => {
  const { change_id } = await changedAnswer(theirs, 'annotatorIn')
  const { view_id } = await newView(theirs, 'colleague', true)
  const files = [await upload(theirs), await uploadOwn(theirs, 'adminIn'), await uploadInParts(theirs, 'adminIn')]
  const job = await started(theirs, 'owner')
  const state = async () => must(await theirs.owner.get<{ status: string }>(`/jobs/${job.id}`)).status
  // Waits for the import to finish, because a running import changes the other workspace's data.
  await vi.waitFor(async () => expect(await state()).toBe('finished'), { timeout: 20_000 })
  const ids = files.map(({ file_id }) => ['file_id', file_id] as const)
  return [['change_id', change_id], ['view_id', view_id], ...ids, ['job_id', job.id]] as const
}

/** An ID of every kind from the other workspace. */
const idsOfTheirs = (): readonly string[] => {
  const { rich, workspace, users, colleague } = theirs
  const parts = [rich.fields, rich.questions, rich.properties, rich.vectors].flatMap((ids) => Object.values(ids).slice(0, 1))
  const inside = [
    foreign.id,
    ...(foreign.suggestions ?? []).map(({ id }) => id),
    ...(foreign.responses ?? []).map(({ id }) => id),
  ]
  return [workspace.id, users.adminIn.id, colleague.id, rich.dataset.id, ...parts, ...inside, ...more.map(([, one]) => one)]
}

const naming = matrix.filter(({ missing, id }) => missing !== undefined && endpointOf(id).access === 'user')

test.each(naming.map((action) => [action.id, action] as const))(
  '%s can’t use any ID of the other workspace',
  async (id, action) => {
    const { params: own = {}, ...sent } = await action.request(ours, 'owner')
    // The name of a stored file is not an ID: it is derived from its content.
    const names = paramsOf(endpointOf(id)).filter((name) => name !== 'name')
    for (const given of idsOfTheirs()) {
      for (const name of names) {
        const attack: Sent = {
          ...sent,
          params: { ...Object.fromEntries(names.map((one) => [one, given])), ...own, [name]: given },
        }
        for (const who of attackers) {
          const answer = await send(ours.as(who), id, attack)
          const refused = [403, 404].includes(answer.status)
          expect([who, given, refused, answer.status]).toEqual([who, given, true, answer.status])
          expect(JSON.stringify([answer.body, [...answer.headers]])).not.toContain(canary)
        }
      }
    }
  },
)

it('hides the other workspace’s files by name, under either dataset and by link', async () => {
  const { name } = await storedImage(theirs, canary)
  const ask = (client: Client, id: string, { rich }: ApiFixture) =>
    send<{ path: string }>(client, id, { params: { dataset_id: rich.dataset.id, name } })
  expect((await ask(theirs.as('annotatorIn'), 'files.stored', theirs)).status).toBe(200)
  for (const who of attackers) {
    const client = ours.as(who)
    for (const id of ['files.stored', 'files.link']) {
      expect([who, id, (await ask(client, id, theirs)).status]).toEqual([who, id, 403])
    }
    expect((await ask(client, 'files.stored', ours)).status).toBe(404)
    // The server creates a link for any file name in the caller's own dataset. The link can't be used for another dataset,
    // because the dataset is part of the signed data.
    const { path } = must(await ask(client, 'files.link', ours))
    expect((await fetch(`${server.url}${path}`)).status).toBe(404)
    const elsewhere = path.replace(ours.rich.dataset.id, theirs.rich.dataset.id)
    expect((await fetch(`${server.url}${elsewhere}`)).status).toBe(403)
  }
})

describe('a request for our dataset that names their objects', () => {
  const inOurs = () => ({ dataset_id: ours.rich.dataset.id })
  type Case = { readonly id: string; readonly status: number; readonly sent: () => Sent; readonly who?: Who }
  const suggestionOfTheirs = () => foreign.suggestions?.[0]?.id ?? ''
  const questionOfTheirs = () => theirs.rich.questions[`${canary}-stars`] ?? ''
  const cases: readonly (readonly [string, Case])[] = [
    [
      'an upsert with the ID of their record creates a record in our dataset',
      {
        id: 'records.bulk_upsert',
        status: 200,
        sent: () => ({ params: inOurs(), body: { items: [{ id: foreign.id, fields: richFields('ours'), metadata: {} }] } }),
      },
    ],
    [
      'an upsert with the external ID of their record creates a record in our dataset',
      {
        id: 'records.bulk_upsert',
        status: 200,
        sent: () => ({ params: inOurs(), body: { items: [{ external_id: '{EXTERNAL}', fields: richFields('ours') }] } }),
      },
    ],
    [
      'an upsert of their record without fields is refused like a new record without fields',
      { id: 'records.bulk_upsert', status: 422, sent: () => ({ params: inOurs(), body: { items: [{ id: foreign.id }] } }) },
    ],
    [
      'a deletion of records skips their record',
      { id: 'records.delete_many', status: 204, sent: () => ({ params: inOurs(), query: { ids: foreign.id } }) },
    ],
    [
      'a deletion of suggestions skips their suggestion',
      {
        id: 'suggestions.delete_many',
        status: 204,
        sent: () => ({ params: { record_id: record.id }, query: { ids: suggestionOfTheirs() } }),
      },
    ],
    [
      'a suggestion for their question is refused',
      {
        id: 'suggestions.put',
        status: 422,
        sent: () => ({ params: { record_id: record.id }, body: { question_id: questionOfTheirs(), value: 1 } }),
      },
    ],
    [
      'a new record with a suggestion for their question is refused',
      {
        id: 'records.bulk_create',
        status: 422,
        sent: () => ({
          params: inOurs(),
          body: { items: [{ fields: richFields('ours'), suggestions: [{ question_id: questionOfTheirs(), value: 1 }] }] },
        }),
      },
    ],
    [
      'an update of a record with a suggestion for their question is refused',
      {
        id: 'records.update',
        status: 422,
        sent: () => ({
          params: { record_id: record.id },
          body: { suggestions: [{ question_id: questionOfTheirs(), value: 1 }] },
        }),
      },
    ],
    [
      'their member is not a member of our workspace',
      {
        id: 'workspaces.remove_user',
        status: 404,
        sent: () => ({ params: { workspace_id: ours.workspace.id, user_id: theirs.colleague.id } }),
      },
    ],
    [
      'a dataset can’t be created in their workspace',
      { id: 'datasets.create', status: 403, sent: () => ({ body: { name: 'x', workspace_id: theirs.workspace.id } }) },
    ],
    [
      'a dataset can’t be moved to their workspace',
      {
        id: 'datasets.update',
        status: 200,
        sent: () => ({ params: inOurs(), body: { workspace_id: theirs.workspace.id, id: theirs.rich.dataset.id } }),
      },
    ],
    [
      'a field can’t be moved to their dataset',
      {
        id: 'fields.update',
        status: 200,
        sent: () => ({ params: { field_id: ours.rich.fields['ours-text'] ?? '' }, body: { dataset_id: theirs.rich.dataset.id } }),
      },
    ],
    [
      'a search for records similar to their record is refused',
      {
        id: 'search.my_records',
        status: 422,
        who: 'annotatorIn',
        sent: () => ({ params: inOurs(), body: { query: { vector: { name: 'ours-vector', record_id: foreign.id } } } }),
      },
    ],
    [
      'a filter by the IDs of their records finds nothing',
      {
        id: 'search.my_records',
        status: 200,
        who: 'annotatorIn',
        sent: () => ({
          params: inOurs(),
          body: {
            filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'id' }, values: [foreign.id] }] },
          },
        }),
      },
    ],
    [
      'a search for words in their records finds nothing',
      {
        id: 'search.my_records',
        status: 200,
        who: 'annotatorIn',
        sent: () => ({ params: inOurs(), query: { include: 'suggestions,vectors' }, body: { query: { text: { q: 'can*' } } } }),
      },
    ],
    [
      'an answer to their record is refused, with an error in its item',
      {
        id: 'responses.bulk',
        status: 200,
        who: 'annotatorIn',
        sent: () => ({ body: { items: [{ record_id: foreign.id, status: 'draft' }] } }),
      },
    ],
  ]

  test.each(cases)('%s', async (_name, { id, status, sent, who = 'adminIn' }) => {
    const { body, ...rest } = sent()
    const request = { ...rest, ...(body !== undefined && { body: fill(body) }) }
    const answer = await send<{ items?: readonly { id?: string }[] }>(ours.as(who), id, request)
    expect([answer.status, answer.body]).toEqual([status, answer.body])
    const text = JSON.stringify(answer.body ?? null).replaceAll(foreign.external_id ?? '', '')
    expect(text).not.toContain(canary)
    for (const item of answer.body?.items ?? []) expect(item.id).not.toBe(foreign.id)
  })

  const fill = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replaceAll('{EXTERNAL}', foreign.external_id ?? ''))
})

it('changes nothing in the other workspace', async () => {
  expect(await snapshot()).toEqual(before)
})

it('a search that finds none of their records doesn’t count them in its total', async () => {
  const body = { query: { text: { q: 'can*' } } }
  const params = { dataset_id: ours.rich.dataset.id }
  for (const id of ['search.records', 'search.my_records']) {
    expect((await send(ours.as('adminIn'), id, { params, body })).body).toEqual({ items: [], total: 0 })
  }
})
