import type { AnswerJobInput } from '@postil/contract/answer-jobs.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as PrintedRecord } from '@postil/contract/records.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { bootFillingServer, type FillingServer } from '../filling/testing/filling-server.ts'

let filling: FillingServer
beforeAll(async () => {
  filling = await bootFillingServer()
})
afterAll(() => filling.close())

/** A dataset whose records need three answers. Each list in `labels` contains the three people's answers to a record. */
const createTeam = async (labels: readonly (readonly (string | null)[])[]) => {
  const team = await filling.createTeam(labels)
  const path = `/datasets/${team.dataset}/answers/jobs`
  const recordOf = async (i: number) => must(await team.owner.get<PrintedRecord>(`/records/${team.ids[i]}`))
  return {
    ...team,
    change: async (body: Partial<AnswerJobInput>) => must(await team.owner.post<Job>(path, { search: {}, ...body })),
    undoChange: async ({ id }: Job) => must(await team.owner.post<Job>(`${path}/${id}/undo`)),
    tryUndo: ({ id }: Job) => team.owner.post<Job>(`${path}/${id}/undo`),
    tryChange: (body: object) => team.owner.post<Job>(path, body),
    recordOf,
    statuses: async (i: number) => {
      const { status, responses } = await recordOf(i)
      const of = (user: string) => responses?.find(({ user_id }) => user_id === user)?.status ?? null
      return [status, ...team.users.map(({ id }) => of(id))]
    },
    draftsOf: async (user: number) => {
      const client = filling.server.clientFor(team.users[user]!)
      const sent = { limit: 10, drafts: false, purpose: 'work' }
      const { items } = must(
        await client.post<{ items: { record: { id: string } }[] }>(`/me/datasets/${team.dataset}/queue`, sent),
      )
      return items.map(({ record }) => team.ids.indexOf(record.id))
    },
  }
}

describe('a change to many answers', () => {
  it('returns answers with a comment and submits them again when it is undone', async () => {
    const team = await createTeam([
      ['yes', 'yes', 'no'],
      ['yes', null, null],
      [null, null, null],
    ])
    const job = await team.change({ change: 'return', comment: 'New guidelines' })
    expect(job).toMatchObject({ status: 'queued', total: 3 })
    expect(await filling.steps()).toBe('finished')
    expect(await team.current(job)).toMatchObject({ done: 3, answers: { stored: 4, invalid: 0, gone: 0 } })
    expect(await team.statuses(0)).toEqual(['pending', 'draft', 'draft', 'draft'])
    expect(await team.statuses(1)).toEqual(['pending', 'draft', null, null])
    const [first] = (await team.recordOf(0)).responses ?? []
    const by = expect.objectContaining({ username: filling.server.owner.username })
    expect(first).toMatchObject({ version: 2, values: { label: { value: 'yes' } }, returned: { by, comment: 'New guidelines' } })
    expect(await team.draftsOf(0)).toEqual([0, 1, 2])
    expect(await recount(filling.server.app.ctx)).toEqual([])

    const undone = await team.undoChange(job)
    expect(await filling.steps()).toBe('finished')
    expect(await team.current(undone)).toMatchObject({ answers: { stored: 4 } })
    expect(await team.statuses(0)).toEqual(['completed', 'submitted', 'submitted', 'submitted'])
    expect((await team.recordOf(0)).responses?.[0]).toMatchObject({ version: 3, returned: null })
    expect(await recount(filling.server.app.ctx)).toEqual([])
  })

  it('discards the answers of the chosen people only', async () => {
    const team = await createTeam([['yes', 'no', 'no']])
    const job = await team.change({ change: 'discard', user_ids: [team.users[0]!.id] })
    await filling.steps()
    expect(await team.statuses(0)).toEqual(['pending', 'discarded', 'submitted', 'submitted'])
    await team.undoChange(job)
    await filling.steps()
    expect(await team.statuses(0)).toEqual(['completed', 'submitted', 'submitted', 'submitted'])
  })

  it('leaves answers alone that have changed since when it is undone', async () => {
    const team = await createTeam([
      ['yes', 'yes', 'yes'],
      ['no', 'no', 'no'],
    ])
    const job = await team.change({ change: 'return', comment: 'Look again' })
    await filling.steps()
    await team.answer(0, 0, { label: { value: 'maybe' } })
    const undone = await team.undoChange(job)
    await filling.steps()
    expect(await team.current(undone)).toMatchObject({ answers: { stored: 5, changed: 1 } })
    expect((await team.recordOf(0)).responses?.[0]).toMatchObject({ version: 3, values: { label: { value: 'maybe' } } })
    expect(await team.statuses(0)).toEqual(['completed', 'submitted', 'submitted', 'submitted'])
  })

  it('resumes after the process is killed, without changing an answer twice', async () => {
    const team = await createTeam(Array.from({ length: 120 }, () => ['yes', 'yes', 'no']))
    const job = await team.change({ change: 'return', comment: 'Look again' })
    expect(await filling.steps(1)).toBe('started')
    expect(await team.current(job)).toMatchObject({ done: 50, answers: { stored: 150 } })
    expect(await filling.steps()).toBe('finished')
    expect(await team.current(job)).toMatchObject({ done: 120, answers: { stored: 360 } })
    for (const i of [0, 49, 50, 119]) expect((await team.recordOf(i)).responses?.map(({ version }) => version)).toEqual([2, 2, 2])
    expect(await recount(filling.server.app.ctx)).toEqual([])
  })

  it('needs a comment to return answers, and something to undo', async () => {
    const team = await createTeam([['yes', null, null]])
    const refused = await team.tryChange({ search: {}, change: 'return' })
    expect(refused).toMatchObject({ status: 422 })
    expect(JSON.stringify(refused.body)).toContain("need a 'comment'")
    const job = await team.change({ change: 'discard', user_ids: [crypto.randomUUID()] })
    expect(await team.tryUndo(job)).toMatchObject({ status: 422 })
    await filling.steps()
    expect(await team.tryUndo(job)).toMatchObject({ status: 422 })
    const asAnnotator = filling.server.clientFor(team.users[0]!)
    expect(await asAnnotator.post(`/datasets/${team.dataset}/answers/jobs`, { search: {}, change: 'discard' })).toMatchObject({
      status: 403,
    })
  })
})
