import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { FileCheck, ImportFile } from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { recount } from '#features/records/service.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { importFile } from '../store/job.ts'

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))

export const spec: DatasetSpec = {
  allow_extra_metadata: false,
  fields: [
    { name: 'text', required: true, settings: { type: 'text' } },
    { name: 'talk', settings: { type: 'chat' } },
  ],
  questions: [
    { name: 'label', required: true, settings: { type: 'label_selection', options: options('yes', 'no') } },
    { name: 'tags', settings: { type: 'multi_label_selection', options: options('x', 'y') } },
    { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
  ],
  metadata_properties: [
    { name: 'source', settings: { type: 'terms' } },
    { name: 'size', settings: { type: 'integer' } },
  ],
}
export const same = (...names: readonly string[]) => names.map((name) => ({ source: name, target: name }))

const HOLD = 60_000_000

/** A client for a server whose background jobs the test runs itself, step by step. */
export const importer = (server: TestServer, dataset: Dataset, user: { readonly api_key: string } = server.owner) => {
  const client = server.clientFor(user)
  const base = `/datasets/${dataset.id}/imports/files`
  const { ctx } = server.app
  const take = async () => (await ctx.store.write(takeJobs, { kinds: [importFile.kind], limit: 1, hold: HOLD }))[0]
  const step = async ({ id, until }: { readonly id: string; readonly until: number }) => {
    const input = await importFile.outsideWork?.prepare(ctx, id)
    return ctx.store.write(importFile.step, { id, until, hold: HOLD, input })
  }
  return {
    upload: (name: string, content: string | Uint8Array) =>
      client.post<ImportFile & { detail: string }>(`${base}?name=${encodeURIComponent(name)}`, content, {
        'content-type': 'application/octet-stream',
      }),
    sheet: (id: string, sheet: string) => client.post<ImportFile & { detail: string }>(`${base}/${id}/sheet`, { sheet }),
    check: (id: string, mapping: object) => client.post<FileCheck>(`${base}/${id}/check`, { mapping }),
    start: (id: string, mapping: object) => client.post<Job & { detail: string }>(`${base}/${id}/start`, { mapping }),
    job: async (id: string) => (await client.get<Job>(`/jobs/${id}`)).body,
    report: async (id: string, format = 'jsonl') =>
      (await client.get<string | undefined>(`${base}/${id}/report?format=${format}`)).body ?? '',
    records: async () => {
      const all: WireRecord[] = []
      for (let page: WireRecord[] | null = null; page === null || page.length > 0; all.push(...page)) {
        const path = `/datasets/${dataset.id}/records?limit=1000&offset=${all.length}&include=suggestions`
        page = (await client.get<{ items: WireRecord[] }>(path)).body.items
      }
      return all
    },
    take,
    step,
    /** Runs all jobs to completion. */
    finish: async () => {
      for (let held = await take(); held !== undefined; ) {
        const result = await step(held)
        if (result.state !== 'started') await importFile.outsideWork?.ended(ctx, held.id)
        held = result.state === 'started' ? { ...held, until: result.until } : await take()
      }
    },
  }
}

/** Boots a server for a test file. Verifies all counts after the tests. */
export const setUpImports = (): IdleServer => {
  const idleServer = {} as { -readonly [K in keyof IdleServer]: IdleServer[K] }
  beforeAll(async () => {
    Object.assign(idleServer, await bootIdleServer(new URL('./operations.ts', import.meta.url)))
  })
  afterAll(async () => {
    expect(await recount(idleServer.server.app.ctx)).toEqual([])
    await idleServer.close()
  })
  return idleServer
}

/** Names of the files that are waiting to be imported. */
export const uploadsOf = ({ app }: TestServer): Promise<string[]> => readdir(join(app.ctx.config.dataDir, 'uploads'))
