import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { createFactories, type Factories } from '@postil/testkit/factories.ts'
import { expect } from 'vitest'
import { OWNER, type Place } from '#harness/server.ts'
import { findDifferences } from './inspect.ts'
import { Writer } from './writers.ts'

/** The URL of a server and its data. */
type Server = { readonly url: string; readonly place: Place }

export const owner = { api_key: OWNER.apiKey }

const WRITERS = 6
const RECORDS = 60
const IN_BULK = 500

const LABEL = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }
const STARS = { type: 'rating', options: [{ value: 1 }, { value: 2 }] }
const questions = [
  { name: 'label', required: true, settings: LABEL },
  { name: 'stars', settings: STARS },
]

/**
 * Creates a dataset with short records. @param factories existing factories, if they have already created something on this
 * server
 */
export const seedDataset = async (
  server: Server,
  records: number,
  factories = createFactories(createClient(server.url, owner)),
) => {
  const client = createClient(server.url, owner)
  const workspace = await factories.createWorkspace()
  const distribution = { strategy: 'overlap', min_submitted: 2 } as const
  const dataset = await factories.createDataset({ workspace_id: workspace.id, distribution, questions })
  const ids: string[] = []
  while (ids.length < records) {
    const items = Array.from({ length: Math.min(IN_BULK, records - ids.length) }, (_, i) => ({ fields: { text: `text ${i}` } }))
    const { body } = await client.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
    ids.push(...body.items.map(({ id }) => id))
  }
  return { factories, workspace, dataset, ids }
}

export const seedWriters = async (server: Server, existingFactories?: Factories) => {
  const { factories, workspace, dataset, ids } = await seedDataset(server, RECORDS, existingFactories)
  const users = await Promise.all(Array.from({ length: WRITERS }, () => factories.createUser({ workspaces: [workspace.id] })))
  return { factories, dataset, writers: users.map((user) => new Writer(user, ids)) }
}

export const runWriters = async (server: Server, writers: readonly Writer[], signal: AbortSignal): Promise<void> => {
  await Promise.all(writers.map((writer) => writer.work(createClient(server.url, writer.user), signal)))
}

export const repeatUnsure = async (server: Server, writers: readonly Writer[]): Promise<void> => {
  await Promise.all(writers.map((writer) => writer.repeat(createClient(server.url, writer.user))))
}

/** Lets all writers answer during the callback. First repeats requests whose outcome is unknown. */
export const runWritersDuring = async (
  server: Server,
  writers: readonly Writer[],
  during: () => Promise<void>,
): Promise<void> => {
  await repeatUnsure(server, writers)
  const stop = new AbortController()
  const working = runWriters(server, writers, stop.signal)
  try {
    await Promise.race([during(), working])
  } finally {
    stop.abort()
  }
  await working
}

/** Checks that every confirmed answer is stored unchanged and that every stored count is correct. */
export const expectConfirmedAnswers = async (server: Server, dataset: string, writers: readonly Writer[]): Promise<void> => {
  const client: Client = createClient(server.url, owner)
  const { body } = await client.get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?limit=1000&include=responses`)
  const stored = new Map<string, Map<string, Response>>(writers.map(({ user }) => [user.id, new Map()]))
  for (const { id, responses = [] } of body.items) {
    for (const response of responses) stored.get(response.user_id)?.set(id, response)
  }
  for (const writer of writers) writer.settle(stored.get(writer.user.id) ?? new Map())
  expect(await findDifferences(server.place)).toEqual([])
}

/** The number of confirmed answers of all writers. */
export const countConfirmed = (writers: readonly Writer[]): number => writers.reduce((sum, { confirmed }) => sum + confirmed, 0)
