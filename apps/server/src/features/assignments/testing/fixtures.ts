import { setTimeout } from 'node:timers/promises'
import type { AssigneeSummary, AssignInput, OwnAssignments, RecordAssignments } from '@postil/contract/assignments.ts'
import type { Home } from '@postil/contract/home.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { must } from '#features/queue/testing/team.ts'

const POLL_MS = 20

export type Left = { readonly home: number; readonly metrics: number; readonly queue: number }

export const createTeam = async (server: TestServer, options: { records: number; people?: number; overlap?: number }) => {
  const { records, people = 3, overlap = 1 } = options
  const { id: dataset, workspace_id: workspace } = await server.createDataset({
    distribution: { strategy: 'overlap', min_submitted: overlap },
  })
  const owner = server.clientFor(server.owner)
  const users: TestUser[] = []
  while (users.length < people) users.push(await server.createUser({ workspaces: [workspace] }))
  const ids: string[] = []
  const addRecords = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 500) {
      const items = Array.from({ length: Math.min(500, left) }, (_, i) => ({ fields: { text: `text ${ids.length + i}` } }))
      const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
      ids.push(...made.items.map(({ id }) => id))
    }
  }
  await addRecords(records)
  const path = `/datasets/${dataset}/assignments`
  const as = (user: TestUser) => server.clientFor(user)
  return {
    dataset,
    workspace,
    owner,
    users,
    ids,
    path,
    as,
    addRecords,
    assign: async (body: AssignInput) => must(await owner.post<Job>(path, body)),
    /** Waits until a job has ended. */
    finished: async (job: Job): Promise<Job> => {
      let current = job
      while (!['finished', 'failed'].includes(current.status)) {
        await setTimeout(POLL_MS)
        current = must(await owner.get<Job>(`/jobs/${job.id}`))
      }
      return current
    },
    unassign: async (body: object) => must(await owner.post<Job>(`${path}/remove`, body)),
    move: async (from: TestUser, ...to: readonly TestUser[]) =>
      must(await owner.post<Job>(`${path}/move`, { from_user_id: from.id, to_user_ids: to.map(({ id }) => id) })),
    undo: async (job: Job) => must(await owner.post<Job>(`${path}/${job.id}/undo`)),
    summary: async () => must(await owner.get<{ items: AssigneeSummary[] }>(path)).items,
    /** The positions of the records that are assigned to each user. */
    assigned: async (): Promise<readonly number[][]> => {
      const found = users.map((): number[] => [])
      for (let from = 0; from < ids.length; from += 100) {
        const some = ids.slice(from, from + 100)
        const { items } = must(await owner.get<{ items: RecordAssignments[] }>(`${path}/records?ids=${some.join(',')}`))
        for (const item of items)
          for (const user of item.users) found[users.findIndex(({ id }) => id === user.id)]?.push(ids.indexOf(item.record_id))
      }
      return found.map((list) => list.sort((a, b) => a - b))
    },
    mine: async (user: TestUser) => must(await as(user).get<{ items: OwnAssignments[] }>('/me/assignments')).items,
    setOthersAnswer: async (others_answer_assigned: boolean, rest: object = {}) =>
      must(await owner.put(`/datasets/${dataset}/queue-settings`, { ...rest, others_answer_assigned })),
    /** The positions of a user's next records. Releases the user's leases afterwards, unless `keep` is true. */
    next: async (user: TestUser, limit = 100, { keep = false } = {}): Promise<{ next: readonly number[]; left: number }> => {
      const queue = `/me/datasets/${dataset}/queue`
      const { items, left } = must(await as(user).post<QueueResult>(queue, { limit }))
      if (!keep) must(await as(user).delete(`${queue}/leases`))
      return { next: items.map(({ record }) => ids.indexOf(record.id)), left }
    },
    left: async (user: TestUser): Promise<Left> => {
      const home = must(await as(user).get<Home>('/me/home')).datasets.find((one) => one.dataset.id === dataset)
      const metrics = must(await as(user).get<{ responses: { left: number } }>(`/me/datasets/${dataset}/metrics`))
      const { left } = must(await as(user).post<QueueResult>(`/me/datasets/${dataset}/queue`, { limit: 1 }))
      must(await as(user).delete(`/me/datasets/${dataset}/queue/leases`))
      return { home: home?.metrics.left ?? -1, metrics: metrics.responses.left, queue: left }
    },
    answer: async (user: TestUser, place: number, status = 'submitted') =>
      must(await as(user).post(`/records/${ids[place]}/responses`, { status, values: { label: { value: 'yes' } } })),
    find: async (...values: readonly string[]): Promise<readonly number[]> => {
      const filter = { type: 'terms', scope: { entity: 'record', property: 'assigned_to' }, values }
      const search = { filters: { and: [filter] } }
      const { items, total } = must(await owner.post<SearchResult>(`/datasets/${dataset}/records/search?limit=1000`, search))
      if (items.length !== total) throw new Error(`found ${items.length} of ${total}`)
      return items.map(({ record }) => ids.indexOf(record.id)).sort((a, b) => a - b)
    },
  }
}
