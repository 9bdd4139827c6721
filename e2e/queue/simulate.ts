import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatasetProgress } from '@postil/contract/progress.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { createClient } from '@postil/testkit/client.ts'
import { ExclusiveGate } from '@postil/testkit/exclusive-gate.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import type { Place } from '#harness/server.ts'
import { OWNER } from '#harness/server.ts'
import { type Annotator, type RunLog, workThrough } from './annotator.ts'
import { startServerGroup } from './server-group.ts'

export type Plan = {
  readonly annotators: number
  readonly processes: number
  readonly records: number
  /** Number of answers that complete a record. */
  readonly target: number
  readonly kills: number
  readonly leaseMs: number
  /** The maximum number of records per request. */
  readonly most: number
  /** The mean time to read and answer a record, in milliseconds. Actual times are between 0.5 and 1.5 times the mean. */
  readonly thinkMs: number
}
export type Outcome = RunLog & {
  readonly dataset: string
  readonly seconds: number
  readonly kills: number
  readonly progress: DatasetProgress
  /** The users who answered each record, keyed by record ID. A user occurs once per submitted answer. */
  readonly submittedBy: ReadonlyMap<string, readonly string[]>
}

const owner = { api_key: OWNER.apiKey }

const createWork = async (url: string, { annotators, records, target }: Plan) => {
  const client = createClient(url, owner)
  const { createWorkspace, createDataset, createUser } = createFactories(client)
  const workspace = await createWorkspace()
  const distribution = { strategy: 'overlap', min_submitted: target } as const
  const { id } = await createDataset({ workspace_id: workspace.id, distribution })
  for (let made = 0; made < records; made += 500) {
    const items = Array.from({ length: Math.min(500, records - made) }, (_, i) => ({ fields: { text: `text ${made + i}` } }))
    const { status, body } = await client.post(`/datasets/${id}/records/bulk`, { items })
    if (status >= 300) throw new Error(JSON.stringify(body))
  }
  const people: Annotator[] = []
  while (people.length < annotators) people.push(await createUser({ workspaces: [workspace.id] }))
  return { dataset: id, people }
}

const answersOf = async (url: string, dataset: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const client = createClient(url, owner)
  const found = new Map<string, string[]>()
  for (;;) {
    const path = `/datasets/${dataset}/records?limit=1000&offset=${found.size}&include=responses`
    const { body } = await client.get<{ items: RecordPayload[] }>(path)
    if (body.items.length === 0) return found
    for (const { id, responses = [] } of body.items) {
      found.set(
        id,
        responses.filter(({ status }) => status === 'submitted').map(({ user_id }) => user_id),
      )
    }
  }
}

/**
 * Simulates a team that works through a dataset. Several server processes share one database. They are killed at moments that are
 * spread over the run.
 */
export const simulate = async (place: Place, plan: Plan): Promise<Outcome> => {
  const serverGroup = await startServerGroup(place, plan.processes, {
    POSTIL_LEASE_MINUTES: String(plan.leaseMs / 60_000),
    POSTIL_DATABASE_POSTGRESQL_POOL_SIZE: '10',
    POSTIL_DATABASE_POSTGRESQL_MAX_OVERFLOW: '0',
  })
  try {
    const { dataset, people } = await createWork(await serverGroup.anyUrl(), plan)
    const log: RunLog = { asks: [], submits: [], answers: 0, repeated: 0, lost: 0, waits: 0 }
    const total = plan.records * plan.target
    let isOver = false
    let kills = 0
    const killing = (async () => {
      while (kills < plan.kills && !isOver) {
        const due = ((kills + Math.random()) / plan.kills) * total * 0.95
        while (log.answers < due && !isOver) await pause(5)
        if (isOver) return
        kills += 1
        await serverGroup.crash(randomInt(plan.processes))
      }
    })()
    const began = performance.now()
    const work = { dataset, leaseMs: plan.leaseMs, most: plan.most, thinkMs: plan.thinkMs, floor: new ExclusiveGate() }
    let seconds = 0
    const working = Promise.all(people.map((person) => workThrough(serverGroup, person, work, log))).finally(() => {
      isOver = true
      seconds = (performance.now() - began) / 1000
    })
    await Promise.all([working, killing])
    const url = await serverGroup.anyUrl()
    const { body: progress } = await createClient(url, owner).get<DatasetProgress>(`/datasets/${dataset}/progress`)
    return { ...log, dataset, seconds, kills, progress, submittedBy: await answersOf(url, dataset) }
  } finally {
    await serverGroup.stop()
  }
}
