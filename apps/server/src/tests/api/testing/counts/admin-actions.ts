import type { Job } from '@postil/contract/jobs.ts'
import fc from 'fast-check'
import { must } from '../fixture.ts'
import { NOBODY, type Team, type TeamAction } from './team.ts'
import { bodyOf, label, record, status, teamAction, who } from './team-action.ts'

/* Actions that are rarer than answering. Users lease records, answer in bulk, change properties, or join and leave. */

const visits = { items: fc.array(fc.record({ record, status, label }), { minLength: 1, maxLength: 3 }) }
type Visit = { readonly items: readonly { record: number; status: string; label: string }[] }

/** A user who answers and then leaves. */
const visit = (
  what: string,
  end: (visitor: Awaited<ReturnType<Team['visitor']>>) => Promise<unknown>,
): fc.Arbitrary<TeamAction> =>
  fc.record(visits).map((one: Visit) =>
    teamAction(what, one, async (team) => {
      const visitor = await team.visitor()
      for (const item of one.items) await visitor.client.post(`${team.record(item.record)}/responses`, bodyOf(item))
      return end(visitor)
    }),
  )

export const adminActions: readonly fc.Arbitrary<TeamAction>[] = [
  visit('answers as a user who is then deleted', ({ leave }) => leave()),
  visit('answers as a user who then leaves the workspace', ({ part }) => part()),
  visit('answers as a user who is then deactivated', ({ rest }) => rest()),
  fc
    .record({ who, record })
    .map((one) =>
      teamAction('leases a record', one, (team) =>
        team.as(one.who).put(`/me${team.dataset}/queue/leases`, { record_ids: [team.id(one.record)] }),
      ),
    ),
  fc
    .record({ who })
    .map((one) => teamAction('gives all back', one, (team) => team.as(one.who).delete(`/me${team.dataset}/queue/leases`))),
  fc
    .record({ record })
    .map((one) =>
      teamAction('takes a suggestion back', one, (team) => team.admin().delete(`/suggestions/${team.suggestion(one.record)}`)),
    ),
  fc
    .record({ record })
    .map((one) =>
      teamAction('takes all suggestions back', one, (team) =>
        team.admin().delete(`${team.record(one.record)}/suggestions?ids=${[NOBODY, ...team.suggestions(one.record)].join(',')}`),
      ),
    ),
  fc.record({ who, status, label, limit: fc.integer({ min: 1, max: 30 }) }).map((one) =>
    teamAction('answers what a search finds', one, async (team) => {
      const client = team.as(one.who)
      const pending = { type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['pending'] }
      const body = { search: { filters: { and: [pending] } }, limit: one.limit, ...bodyOf(one) }
      const { id } = must(await client.post<Job>(`/me${team.dataset}/responses/bulk-jobs`, body))
      await team.untilAnswered(client, id)
    }),
  ),
  fc.record({ who, status, label, limit: fc.integer({ min: 1, max: 10 }) }).map((one) =>
    teamAction('answers what a search finds, and takes it back', one, async (team) => {
      const client = team.as(one.who)
      const jobs = `/me${team.dataset}/responses/bulk-jobs`
      const { id } = must(await client.post<Job>(jobs, { search: {}, limit: one.limit, ...bodyOf(one) }))
      const stored = await team.untilAnswered(client, id)
      if (stored === 0) return
      const undo = await client.post<Job>(`${jobs}/${id}/undo`)
      // The server rejects the undo if other actions have deleted all records or answers that the job changed.
      if (undo.status !== 422) await team.untilAnswered(client, must(undo).id)
    }),
  ),
  fc.record({ record, value: fc.constantFrom('a', 'b') }).map((one) =>
    teamAction('gives the records a property for a while', one, async (team) => {
      const name = `p${crypto.randomUUID().slice(0, 8)}`
      const path = `${team.dataset}/metadata-properties`
      const { id } = must(await team.admin().post<{ id: string }>(path, { name, title: name, settings: { type: 'terms' } }))
      await team.admin().patch(team.record(one.record), { metadata: { [name]: one.value } })
      return team.admin().delete(`/metadata-properties/${id}`)
    }),
  ),
]
