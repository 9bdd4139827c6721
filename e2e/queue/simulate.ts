import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatasetProgress } from '@postil/contract/progress.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { Floor } from '@postil/testkit/floor.ts'
import type { Place } from '#harness/server.ts'
import { OWNER } from '#harness/server.ts'
import { type Log, type Person, workThrough } from './annotator.ts'
import { startFleet } from './fleet.ts'

export type Plan = {
  readonly annotators: number
  readonly processes: number
  readonly records: number
  /** Answers that complete a record. */
  readonly target: number
  readonly kills: number
  readonly leaseMs: number
  /** The most records that are asked for at a time. */
  readonly most: number
  /** What a person takes to read and answer a record, from half of it to half as much again, in milliseconds. */
  readonly thinkMs: number
}
export type Outcome = Log & {
  readonly dataset: string
  readonly seconds: number
  readonly kills: number
  readonly progress: DatasetProgress
  /** Who answered each record, by its id: users, as often as they have a submitted answer. */
  readonly submittedBy: ReadonlyMap<string, readonly string[]>
}

const owner = { api_key: OWNER.apiKey }

const makeWork = async (url: string, { annotators, records, target }: Plan) => {
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
  const people: Person[] = []
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
 * A team that works through a dataset over several processes on one store, which are killed meanwhile: at moments that are
 * spread over the work.
 */
export const simulate = async (place: Place, plan: Plan): Promise<Outcome> => {
  const fleet = await startFleet(place, plan.processes, {
    POSTIL_LEASE_MINUTES: String(plan.leaseMs / 60_000),
    POSTIL_DATABASE_POSTGRESQL_POOL_SIZE: '10',
    POSTIL_DATABASE_POSTGRESQL_MAX_OVERFLOW: '0',
  })
  try {
    const { dataset, people } = await makeWork(await fleet.anyUrl(), plan)
    const log: Log = { asks: [], submits: [], answers: 0, repeated: 0, lost: 0, waits: 0 }
    const total = plan.records * plan.target
    let isOver = false
    let kills = 0
    const killing = (async () => {
      while (kills < plan.kills && !isOver) {
        const due = ((kills + Math.random()) / plan.kills) * total * 0.95
        while (log.answers < due && !isOver) await pause(5)
        if (isOver) return
        kills += 1
        await fleet.crash(randomInt(plan.processes))
      }
    })()
    const began = performance.now()
    const work = { dataset, leaseMs: plan.leaseMs, most: plan.most, thinkMs: plan.thinkMs, floor: new Floor() }
    let seconds = 0
    const working = Promise.all(people.map((person) => workThrough(fleet, person, work, log))).finally(() => {
      isOver = true
      seconds = (performance.now() - began) / 1000
    })
    await Promise.all([working, killing])
    const url = await fleet.anyUrl()
    const { body: progress } = await createClient(url, owner).get<DatasetProgress>(`/datasets/${dataset}/progress`)
    return { ...log, dataset, seconds, kills, progress, submittedBy: await answersOf(url, dataset) }
  } finally {
    await fleet.stop()
  }
}
