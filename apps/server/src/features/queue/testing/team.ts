import type { QueueResult } from '@postil/contract/queue.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'

/** Lease duration in milliseconds: long enough for a test's actions, and short enough to wait for. */
export const SHORT_MS = 2000
export const SHORT = { POSTIL_LEASE_MINUTES: String(SHORT_MS / 60_000) }

export type Annotator = {
  readonly user: TestUser
  readonly client: Client
  readonly next: (limit?: number, body?: object) => Promise<{ readonly ids: string[]; readonly left: number }>
  readonly answer: (record: string, status?: string) => Promise<string>
  readonly release: (...ids: string[]) => Promise<void>
  /** Returns the records whose leases were renewed. */
  readonly renew: (...ids: string[]) => Promise<string[]>
}

export type Team = {
  readonly server: TestServer
  readonly dataset: string
  readonly ids: readonly string[]
  readonly members: readonly Annotator[]
  readonly progress: () => Promise<{ readonly completed: number; readonly surplus: number }>
}

export const must = <T>({ status, body }: Response<T>): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

const annotator = (client: Client, user: TestUser, dataset: string): Annotator => {
  const path = `/me/datasets/${dataset}/queue`
  return {
    user,
    client,
    next: async (limit = 10, body = {}) => {
      const { items, left } = must(await client.post<QueueResult>(path, { limit, ...body }))
      return { ids: items.map(({ record }) => record.id), left }
    },
    answer: async (record, status = 'submitted') =>
      must(await client.post<{ id: string }>(`/records/${record}/responses`, { status, values: { label: { value: 'yes' } } })).id,
    release: async (...ids) => {
      must(await client.delete(`${path}/leases${ids.length === 0 ? '' : `?ids=${ids.join(',')}`}`))
    },
    renew: async (...ids) => {
      type QueuePage = { items: { record_id: string; lease: object | null }[] }
      const { items } = must(await client.put<QueuePage>(`${path}/leases`, { record_ids: ids }))
      return items.filter(({ lease }) => lease !== null).map(({ record_id }) => record_id)
    },
  }
}

/** The dataset, records and annotators to create. */
type TeamOptions = {
  readonly records: number
  readonly target: number
  readonly members: number
  /** Metadata properties to create. */
  readonly metadata?: readonly object[]
  /** Vector settings to create. */
  readonly vectors?: readonly object[]
  /** Returns the parts of a record other than its text. Called after the `members` are created. */
  readonly extra?: (index: number, members: readonly TestUser[], questionId: string) => object
  /** Whether each member has their own order. */
  readonly shuffled?: boolean
}

export const makeTeam = async (
  server: TestServer,
  { records, target, members, metadata = [], vectors = [], extra = () => ({}), shuffled = false }: TeamOptions,
): Promise<Team> => {
  const { id, workspace_id } = await server.createDataset({
    distribution: { strategy: 'overlap', min_submitted: target },
  })
  const owner = server.clientFor(server.owner)
  if (shuffled) must(await owner.put(`/datasets/${id}/queue-settings`, { shuffled }))
  const users: TestUser[] = []
  while (users.length < members) users.push(await server.createUser({ workspaces: [workspace_id] }))
  for (const property of metadata) must(await owner.post(`/datasets/${id}/metadata-properties`, property))
  for (const setting of vectors) must(await owner.post(`/datasets/${id}/vectors-settings`, setting))
  const [question] = must(await owner.get<{ items: { id: string }[] }>(`/datasets/${id}/questions`)).items
  const ids: string[] = []
  while (ids.length < records) {
    const items = Array.from({ length: Math.min(500, records - ids.length) }, (_, i) => ({
      fields: { text: `text ${ids.length + i}` },
      ...extra(ids.length + i, users, question?.id ?? ''),
    }))
    const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items }))
    ids.push(...made.items.map((record) => record.id))
  }
  return {
    server,
    dataset: id,
    ids,
    members: users.map((user) => annotator(server.clientFor(user), user, id)),
    progress: async () => must(await owner.get(`/datasets/${id}/progress`)),
  }
}

export const bootQueue = (env: { readonly [name: string]: string } = {}): Promise<TestServer> =>
  bootServer({ delivery: null, env })
