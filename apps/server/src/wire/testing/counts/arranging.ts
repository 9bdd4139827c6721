import type { Job } from '@postil/contract/jobs.ts'
import fc from 'fast-check'
import { must } from '../stage.ts'
import { type Crowd, type Deed, NOBODY } from './crowd.ts'
import { bodyOf, deed, label, record, status, who } from './deed.ts'

/* What is done less often than answering: leases, answers by the thousand, people who come and go, properties. */

const visits = { items: fc.array(fc.record({ record, status, label }), { minLength: 1, maxLength: 3 }) }
type Visit = { readonly items: readonly { record: number; status: string; label: string }[] }

/** Somebody who answers and then is no longer there. */
const visit = (what: string, end: (visitor: Awaited<ReturnType<Crowd['visitor']>>) => Promise<unknown>): fc.Arbitrary<Deed> =>
  fc.record(visits).map((one: Visit) =>
    deed(what, one, async (crowd) => {
      const visitor = await crowd.visitor()
      for (const item of one.items) await visitor.client.post(`${crowd.record(item.record)}/responses`, bodyOf(item))
      return end(visitor)
    }),
  )

export const arranging: readonly fc.Arbitrary<Deed>[] = [
  visit('answers as somebody who is deleted then', ({ leave }) => leave()),
  visit('answers as somebody who leaves the workspace then', ({ part }) => part()),
  visit('answers as somebody who is deactivated then', ({ rest }) => rest()),
  fc
    .record({ who, record })
    .map((one) =>
      deed('keeps a record in hand', one, (crowd) =>
        crowd.as(one.who).put(`/me${crowd.dataset}/queue/leases`, { record_ids: [crowd.id(one.record)] }),
      ),
    ),
  fc
    .record({ who })
    .map((one) => deed('gives all back', one, (crowd) => crowd.as(one.who).delete(`/me${crowd.dataset}/queue/leases`))),
  fc
    .record({ record })
    .map((one) =>
      deed('takes a suggestion back', one, (crowd) => crowd.admin().delete(`/suggestions/${crowd.suggestion(one.record)}`)),
    ),
  fc
    .record({ record })
    .map((one) =>
      deed('takes all suggestions back', one, (crowd) =>
        crowd
          .admin()
          .delete(`${crowd.record(one.record)}/suggestions?ids=${[NOBODY, ...crowd.suggestions(one.record)].join(',')}`),
      ),
    ),
  fc.record({ who, status, label, limit: fc.integer({ min: 1, max: 30 }) }).map((one) =>
    deed('answers what a search finds', one, async (crowd) => {
      const client = crowd.as(one.who)
      const pending = { type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['pending'] }
      const body = { search: { filters: { and: [pending] } }, limit: one.limit, ...bodyOf(one) }
      const { id } = must(await client.post<Job>(`/me${crowd.dataset}/responses/bulk-jobs`, body))
      await crowd.untilAnswered(client, id)
    }),
  ),
  fc.record({ who, status, label, limit: fc.integer({ min: 1, max: 10 }) }).map((one) =>
    deed('answers what a search finds, and takes it back', one, async (crowd) => {
      const client = crowd.as(one.who)
      const jobs = `/me${crowd.dataset}/responses/bulk-jobs`
      const { id } = must(await client.post<Job>(jobs, { search: {}, limit: one.limit, ...bodyOf(one) }))
      const stored = await crowd.untilAnswered(client, id)
      if (stored === 0) return
      const undo = await client.post<Job>(`${jobs}/${id}/undo`)
      // NOTE: others may have deleted all of these records meanwhile, and their answers with them
      if (undo.status !== 422) await crowd.untilAnswered(client, must(undo).id)
    }),
  ),
  fc.record({ record, value: fc.constantFrom('a', 'b') }).map((one) =>
    deed('gives the records a property for a while', one, async (crowd) => {
      const name = `p${crypto.randomUUID().slice(0, 8)}`
      const path = `${crowd.dataset}/metadata-properties`
      const { id } = must(await crowd.admin().post<{ id: string }>(path, { name, title: name, settings: { type: 'terms' } }))
      await crowd.admin().patch(crowd.record(one.record), { metadata: { [name]: one.value } })
      return crowd.admin().delete(`/metadata-properties/${id}`)
    }),
  ),
]
