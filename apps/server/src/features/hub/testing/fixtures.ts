import type { Dataset } from '@postil/contract/datasets.ts'
import type { Import } from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { type StandInHub, startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { recount } from '#features/records/service.ts'
import { findKind } from '#platform/jobs/kinds.ts'
import { recordFailure, takeJobs } from '#platform/jobs/operations.ts'

type HubFixture = IdleServer & { readonly hub: StandInHub }
const HOLD = 60_000_000

/** Boots a server with a fake Hub. Verifies all counts after the tests. */
export const setUpHub = (env: { readonly [name: string]: string } = {}): HubFixture => {
  const fixture = {} as { -readonly [K in keyof HubFixture]: HubFixture[K] }
  beforeAll(async () => {
    const hub = await startStandInHub()
    const settings = { HF_ENDPOINT: hub.url, POSTIL_DATASETS_SERVER: hub.url, POSTIL_HUB_TIMEOUT: '0.5', ...env }
    Object.assign(fixture, await bootIdleServer(new URL('./operations.ts', import.meta.url), settings), { hub })
  })
  afterEach(() => fixture.hub.intercept(null))
  afterAll(async () => {
    expect(await recount(fixture.server.app.ctx)).toEqual([])
    await fixture.close()
    await fixture.hub.close()
  })
  return fixture
}

type Body = { readonly [key: string]: unknown }

/** A worker for one job kind, so that the test can run the jobs itself, step by step. */
export const worker = (server: TestServer, kind: 'hub.import' | 'hub.export') => {
  const { ctx } = server.app
  const { step: command, outsideWork } = findKind(kind) ?? {}
  if (command === undefined || outsideWork === undefined) throw new Error('no such kind')
  const take = async () => (await ctx.store.write(takeJobs, { kinds: [kind], limit: 1, hold: HOLD }))[0]
  type JobKey = { readonly id: string; readonly until: number }
  const step = async ({ id, until }: JobKey) => {
    const input = await outsideWork.prepare(ctx, id)
    return ctx.store.write(command, { id, until, hold: HOLD, input })
  }
  return {
    take,
    step,
    /** Runs the waiting job, or the job with this ID, until its current attempt ends. @returns the job's state */
    run: async (id?: string): Promise<string> => {
      let held: JobKey | undefined = await take()
      while (id !== undefined && held !== undefined && held.id !== id) held = await take()
      if (held === undefined) throw new Error('no job waits')
      for (;;) {
        try {
          const result = await step(held)
          if (result.state !== 'started') {
            await outsideWork.ended(ctx, held.id)
            return result.state
          }
          held = { ...held, until: result.until }
        } catch (error) {
          return ctx.store.write(recordFailure, { id: held.id, until: held.until, reason: (error as Error).message })
        }
      }
    },
  }
}

export const importing = (server: TestServer, dataset: Dataset) => {
  const client = server.clientFor(server.owner)
  const base = `/datasets/${dataset.id}`
  return {
    ...worker(server, 'hub.import'),
    start: (body: Body) => client.post<Job>(`${base}/import`, body),
    job: async (id: string) => (await client.get<Job>(`/jobs/${id}`)).body,
    imports: async () => (await client.get<{ items: Import[] }>(`${base}/imports`)).body.items,
    report: async (): Promise<readonly { row: number; column: string | null; reason: string }[]> => {
      const [last] = (await client.get<{ items: Import[] }>(`${base}/imports`)).body.items
      const text = (await client.get<string>(`${base}/imports/files/${last?.file.id}/report`)).body ?? ''
      return (typeof text === 'string' ? text : JSON.stringify(text))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
    records: async () => (await client.get<{ items: WireRecord[] }>(`${base}/records?limit=1000&include=suggestions`)).body.items,
  }
}
