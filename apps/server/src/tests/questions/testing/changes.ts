import type { Job } from '@postil/contract/jobs.ts'
import type { Response } from '@postil/contract/responses.ts'
import { expect } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import type { Features } from './feature.ts'
import { NEW_LABEL } from './kinds.ts'
import { complete, given, rowsOf, skipping } from './team.ts'

/** What happens to answers when labels and questions change. */
export const changeFeatures: Features = {
  'a renamed label, and answers that arrive late with the old one': async (team) => {
    const { sample, users, answer, suggest, gold, goldOf, idOf, plan, apply, records, owner, path, finished } = team
    if (sample.renamed === undefined) return
    const [ann, bob, cy] = users
    const { value, renamed } = sample
    const retired = { retired: { value } }
    must(await answer(ann, 0, { ...complete(sample), ...retired }))
    must(await answer(bob, 0, given({ gate: 'skip', asked: value, conditional: value }), 'draft'))
    must(await suggest(0, 'asked', value))
    must(await gold(0, complete(sample)))
    const changes = ['asked', 'conditional', 'retired'].map(
      (name) =>
        ({
          type: 'rename_label',
          question_id: idOf(name),
          label: renamed.label,
          value: NEW_LABEL,
          text: NEW_LABEL,
        }) as const,
    )
    const { token, affected, refused } = await plan(...changes)
    expect(refused).toEqual([])
    expect(affected).toMatchObject({ answers: 2, suggestions: 1, gold: 1 })
    await apply(token)
    const now = given({ gate: 'ask', asked: renamed.value, conditional: renamed.value })
    const [first] = await records()
    const of = (user: { readonly id: string }, i = 0, from = [first]) =>
      from[i]?.responses?.find(({ user_id }) => user_id === user.id)?.values
    expect(of(ann)).toEqual({ ...now, retired: { value: renamed.value } })
    expect(of(bob)).toEqual({ ...now, ...given({ gate: 'skip' }) })
    expect(first?.suggestions?.[0]?.value).toEqual(renamed.value)
    expect(await goldOf(0)).toMatchObject({ stale: false, values: now })

    // Answers with the old label arrive late from devices that were offline, from scripts and from files.
    expect(must(await answer(cy, 0, { ...complete(sample), ...retired })).values).toEqual({
      ...now,
      retired: { value: renamed.value },
    })
    expect((await answer(cy, 1, { ...complete(sample), ...given({ gate: 'skip' }) })).status).toBe(200 + 1)
    must(await suggest(1, 'asked', value))
    must(await gold(1, complete(sample)))
    expect(await goldOf(1)).toMatchObject({ values: now })
    const bulk = { status: 'submitted', values: complete(sample), search: {} }
    await finished(must(await team.as(bob).post<Job>(`/me${path}/responses/bulk-jobs`, bulk)))
    const after = await records()
    expect(after.map((_, i) => of(bob, i, after))).toEqual([now, now, now])
    expect(after[1]?.suggestions?.[0]?.value).toEqual(renamed.value)
    const sent = {
      external_id: 'late',
      fields: first?.fields,
      responses: [{ user_id: ann.id, status: 'submitted', values: complete(sample) }],
    }
    must(await owner.post(`${path}/records/bulk`, { items: [sent] }))
    const last = await records()
    expect(of(ann, 3, last)).toEqual(now)
  },

  'a snapshot before a label is renamed': async (team) => {
    const {
      sample,
      users: [ann],
      answer,
      owner,
      path,
      download,
      idOf,
      plan,
      apply,
      gold,
    } = team
    must(await answer(ann, 0, complete(sample)))
    must(await gold(0, complete(sample)))
    const read = async (at: string) =>
      rowsOf(await download(`shape=long${at}`)).map((row) => [row['response.asked'], row['response.conditional']])
    const before = await read('')
    const printed = sample.printed ?? sample.value
    expect(before).toEqual([[printed, printed]])
    must(await owner.post(`${path}/snapshots`, { name: 'before' }))
    must(await answer(ann, 0, given({ gate: 'skip', asked: sample.other }), 'submitted', 1))
    if (sample.renamed !== undefined) {
      const label = { label: sample.renamed.label, value: NEW_LABEL, text: NEW_LABEL }
      const { token } = await plan({ type: 'rename_label', question_id: idOf('asked'), ...label })
      await apply(token)
    }
    expect(await read('&at=before')).toEqual(before)
    expect(await read('')).not.toEqual(before)
  },

  'a question that is retired and restored': async ({
    sample,
    users: [ann, bob],
    answer,
    owner,
    idOf,
    as,
    record,
    goldOf,
    gold,
  }) => {
    must(await answer(ann, 0, complete(sample)))
    must(await owner.patch(`/questions/${idOf('asked')}`, { shown_when: { any: [] } }))
    must(await answer(bob, 0, given({ gate: 'skip' })))
    must(await gold(0, given({ gate: 'skip' })))
    expect(await goldOf(0)).toMatchObject({ final: true })
    // The values of a retired question stay valid, and a changed answer can keep them.
    const stored = must(await as(ann).get<{ responses: Response[] }>(`/records/${record(0)}?include=responses`)).responses
    must(await answer(ann, 0, { ...stored[0]?.values, ...given({ conditional: sample.other }) }, 'submitted', 1))
    must(await owner.patch(`/questions/${idOf('asked')}`, { shown_when: null }))
    expect((await answer(bob, 0, given({ gate: 'skip' }), 'submitted', 1)).status).toBe(422)
    must(await answer(bob, 0, skipping(sample), 'submitted', 1))
  },
}
