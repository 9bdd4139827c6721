import type { Gold } from '@postil/contract/gold.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Comparison, GoldJobInput } from '@postil/contract/review.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { expect } from 'vitest'
import { bootIdleServer } from '#features/jobs/testing/idle-server.ts'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { changeAnswers } from '../../answers/job.ts'
import { fillGold, fillGoldByModel } from '../job.ts'

const HOLD = 60_000_000

const options = ['yes', 'no', 'maybe'].map((value) => ({ value, text: value }))
const labelAndNote = [
  { name: 'label', required: true, settings: { type: 'label_selection', options } },
  { name: 'note', settings: { type: 'text' } },
]

type Question = { readonly name: string; readonly [key: string]: unknown }
type Labels = readonly (readonly (string | null)[])[]

/** A server on which jobs that store final answers or change answers run only when a test calls `steps`. */
export const bootFillingServer = async () => {
  const idle = await bootIdleServer(new URL('../../../jobs/testing/operations.ts', import.meta.url))
  const { server } = idle
  const { ctx } = server.app
  const kinds = [fillGold, fillGoldByModel, changeAnswers]

  /**
   * Runs up to `max` steps of the oldest job. If the job isn't finished, the next call continues it, as if a process had died
   * between two steps.
   */
  const steps = async (max = Number.POSITIVE_INFINITY): Promise<string> => {
    await idle.tool.write(releaseAll, {})
    const [job] = await ctx.store.write(takeJobs, { kinds: kinds.map(({ kind }) => kind), limit: 1, hold: HOLD })
    const kind = kinds.find((one) => one.kind === job?.kind)
    if (job === undefined || kind === undefined) throw new Error('there is no job')
    let { until } = job
    for (let done = 1; ; done += 1) {
      const input = await kind.outsideWork?.prepare(ctx, job.id)
      const result = await ctx.store.write(kind.step, { id: job.id, until, hold: HOLD, input })
      if (result.state !== 'started') await kind.outsideWork?.ended(ctx, job.id)
      if (result.state !== 'started' || done >= max) return result.state
      until = result.until
    }
  }

  /** @param labels the answers of each record, by annotator; null for none */
  const createTeam = async (labels: Labels, questions: readonly Question[] = labelAndNote) => {
    const { id: dataset, workspace_id: workspace } = await server.createDataset({
      questions,
      distribution: { strategy: 'overlap', min_submitted: 3 },
    })
    const users: TestUser[] = []
    while (users.length < 3) users.push(await server.createUser({ workspaces: [workspace] }))
    const owner = server.clientFor(server.owner)
    const ids: string[] = []
    for (let from = 0; from < labels.length; from += 500) {
      const items = labels.slice(from, from + 500).map((given) => ({
        fields: { text: 'text' },
        responses: given.flatMap((value, i) =>
          value === null ? [] : [{ user_id: users[i]?.id, status: 'submitted', values: { label: { value } } }],
        ),
      }))
      const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
      ids.push(...made.items.map(({ id }) => id))
    }
    const path = `/datasets/${dataset}/gold/jobs`
    const goldOf = async (i: number) => must(await owner.get<Comparison>(`/records/${ids[i]}/comparison`)).gold
    return {
      dataset,
      workspace,
      users,
      owner,
      ids,
      path,
      goldOf,
      start: async (body: Partial<GoldJobInput> = {}) =>
        must(await owner.post<Job>(path, { search: {}, rule: 'majority', ...body })),
      undo: async ({ id }: Job) => must(await owner.post<Job>(`${path}/${id}/undo`)),
      current: async ({ id }: Job) => must(await owner.get<Job>(`/jobs/${id}`)),
      answer: async (user: number, record: number, values: object) =>
        must(
          await server
            .clientFor(users[user]!)
            .post('/me/responses/bulk', { items: [{ record_id: ids[record], status: 'submitted', values }] }),
        ),
      review: async (i: number, value: string, base_version: number | null = null, final = true) =>
        must(
          await owner.put<Gold>(`/records/${ids[i]}/gold`, {
            mutation_id: crypto.randomUUID(),
            base_version,
            values: { label: { value, source: 'adjudicated' } },
            final,
          }),
        ),
      values: async () => {
        const found: (string | null)[] = []
        for (const i of ids.keys()) found.push(((await goldOf(i))?.values['label']?.value as string | undefined) ?? null)
        return found
      },
    }
  }

  const close = async (): Promise<void> => {
    expect(await recount(ctx)).toEqual([])
    await idle.close()
  }
  return { server, steps, createTeam, close }
}
export type FillingServer = Awaited<ReturnType<typeof bootFillingServer>>
