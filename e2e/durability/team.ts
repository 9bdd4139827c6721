import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories, type Factories } from '@postil/testkit/factories.ts'
import { expect } from 'vitest'
import type { Place } from '#harness/server.ts'
import { OWNER } from '#harness/server.ts'
import { differences } from './inspect.ts'
import { Writer } from './writers.ts'

export const owner = { api_key: OWNER.apiKey }
const WRITERS = 6
const RECORDS = 60

const LABEL = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }
const STARS = { type: 'rating', options: [{ value: 1 }, { value: 2 }] }
const questions = [
  { name: 'label', required: true, settings: LABEL },
  { name: 'stars', settings: STARS },
]
const AT_ONCE = 500

/** A dataset whose records want two answers each. @param factories those of the server, when it has things by other tests */
export const makeDataset = async (
  url: string,
  records: number,
  factories: Factories = createFactories(createClient(url, owner)),
) => {
  const client = createClient(url, owner)
  const workspace = await factories.createWorkspace()
  const distribution = { strategy: 'overlap', min_submitted: 2 } as const
  const dataset = await factories.createDataset({ workspace_id: workspace.id, distribution, questions })
  const ids: string[] = []
  while (ids.length < records) {
    const items = Array.from({ length: Math.min(AT_ONCE, records - ids.length) }, (_, i) => ({ fields: { text: `text ${i}` } }))
    const { body } = await client.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
    ids.push(...body.items.map(({ id }) => id))
  }
  return { factories, workspace, dataset, ids }
}

/** A dataset and some users who write answers into it. */
export const makeWriters = async (url: string, given?: Factories) => {
  const { factories, workspace, dataset, ids } = await makeDataset(url, RECORDS, given)
  const users = await Promise.all(Array.from({ length: WRITERS }, () => factories.createUser({ workspaces: [workspace.id] })))
  return { dataset, writers: users.map((user) => new Writer(user, ids)) }
}

/** Every answer that was confirmed is there as it was, and every number that is kept beside them is right. */
export const compare = async (url: string, place: Place, dataset: string, writers: readonly Writer[]): Promise<void> => {
  const client = createClient(url, owner)
  const { body } = await client.get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?limit=1000&include=responses`)
  const stored = new Map<string, Map<string, Response>>(writers.map(({ user }) => [user.id, new Map()]))
  for (const { id, responses = [] } of body.items) {
    for (const response of responses) stored.get(response.user_id)?.set(id, response)
  }
  for (const writer of writers) writer.settle(stored.get(writer.user.id) ?? new Map())
  expect(await differences(place)).toEqual([])
}

/** @param during what happens while they write; what was left unsure before is repeated first */
export const writeWhile = async (url: string, writers: readonly Writer[], during: () => Promise<void>): Promise<void> => {
  const working = writers.map((writer) => ({ writer, client: createClient(url, writer.user) }))
  await Promise.all(working.map(({ writer, client }) => writer.repeat(client)))
  const stop = new AbortController()
  const done = Promise.all(working.map(({ writer, client }) => writer.work(client, stop.signal)))
  try {
    await Promise.race([during(), done])
  } finally {
    stop.abort()
  }
  await done
}
