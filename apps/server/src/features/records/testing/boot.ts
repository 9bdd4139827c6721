import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { BootOptions, TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import type { DatasetSpec, TestUser } from '@postil/testkit/factories.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { recount } from '../service.ts'
import './operations.ts'

const options = (...values: string[]) => values.map((value) => ({ value, text: value }))

/** A dataset with every kind of field, question and other part. */
export const spec: DatasetSpec = {
  fields: [
    { name: 'text', required: true, settings: { type: 'text' } },
    { name: 'note', settings: { type: 'text' } },
    { name: 'picture', settings: { type: 'image' } },
    { name: 'talk', settings: { type: 'chat' } },
    { name: 'more', settings: { type: 'custom', template: '' } },
  ],
  questions: [
    { name: 'label', required: true, settings: { type: 'label_selection', options: options('a', 'b', '1') } },
    { name: 'tags', settings: { type: 'multi_label_selection', options: options('x', 'y', 'z') } },
    { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }, { value: 3 }] } },
    { name: 'order', settings: { type: 'ranking', options: options('p', 'q') } },
    { name: 'words', settings: { type: 'span', field: 'text', options: options('s') } },
    { name: 'say', settings: { type: 'text' } },
  ],
  metadata_properties: [
    { name: 'lang', settings: { type: 'terms', values: ['en', 'de', 1] } },
    { name: 'free', settings: { type: 'terms' } },
    { name: 'size', settings: { type: 'integer', min: 0, max: 100 } },
    { name: 'ratio', visible_for_annotators: false, settings: { type: 'float', min: -1, max: 1 } },
  ],
  vectors_settings: [
    { name: 'v', dimensions: 3 },
    { name: 'w', dimensions: 2 },
  ],
}

export type Items = { items: WireRecord[] }
export type Refusal = { detail: unknown }

/** A published dataset built from `spec`, with fixtures for record tests. Webhook events stay in the outbox. */
export type Fixture = {
  readonly server: TestServer
  /** A second connection to the server's database that also provides the test operations. */
  readonly tool: Store
  readonly close: () => Promise<void>
  readonly workspace: string
  readonly dataset: string
  /** IDs of questions by name. */
  readonly questions: { readonly [name: string]: string }
  readonly admin: TestUser
  readonly ann: TestUser
  readonly bob: TestUser
  readonly post: (items: readonly object[], as?: TestUser) => Promise<Response<Items>>
  readonly put: (items: readonly object[], as?: TestUser) => Promise<Response<Items>>
  /** Creates a record from an item. */
  readonly make: (item?: object) => Promise<WireRecord>
  readonly get: (id: string, as?: TestUser) => Promise<Response<WireRecord>>
  /** Stored counts that differ from a recount. Empty unless there is a bug. */
  readonly differences: () => ReturnType<typeof recount>
}

export const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const bootFixture = async (overrides: DatasetSpec = {}, options: BootOptions = {}): Promise<Fixture> => {
  const server = await bootServer({ delivery: null, ...options })
  const { dataDir, databaseUrl } = server.app.ctx.config
  const operations = new URL('./operations.ts', import.meta.url).href
  const tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  const workspace = (await server.createWorkspace()).id
  const workspaces = [workspace]
  const admin = await server.createUser({ role: 'admin', workspaces })
  const dataset = (await server.createDataset({ ...spec, workspace_id: workspace, ...overrides })).id
  type Named = { items: { id: string; name: string }[] }
  const { items } = must(await server.clientFor(admin).get<Named>(`/datasets/${dataset}/questions`))
  const path = `/datasets/${dataset}/records/bulk`
  const post: Fixture['post'] = (list, as = admin) => server.clientFor(as).post(path, { items: list })
  return {
    server,
    tool,
    close: async () => {
      await tool.close()
      await server.close()
    },
    workspace,
    dataset,
    questions: Object.fromEntries(items.map(({ name, id }) => [name, id])),
    admin,
    ann: await server.createUser({ workspaces }),
    bob: await server.createUser({ workspaces }),
    post,
    put: (list, as = admin) => server.clientFor(as).put(path, { items: list }),
    make: async (item = {}) => must(await post([{ fields: { text: 'héllo 😀 world' }, ...item }])).items[0] as WireRecord,
    get: (id, as = admin) => server.clientFor(as).get(`/records/${id}`),
    differences: () => recount(server.app.ctx),
  }
}
