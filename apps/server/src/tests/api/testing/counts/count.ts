import type { Home } from '@postil/contract/home.ts'
import type { MetadataMetrics } from '@postil/contract/metadata-properties.ts'
import type { DatasetProgress, MyMetrics, UsersProgress } from '@postil/contract/progress.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import { expect } from 'vitest'
import { must } from '../fixture.ts'
import { MIN_SUBMITTED, type Team } from './team.ts'
import { LANGUAGES, QUESTIONS, WORDS } from './team-actions.ts'

type Counted = WireRecord & { readonly responses?: readonly Answer[] }
const answersOf = (record: Counted): readonly Answer[] => record.responses ?? []
const submittedOf = (record: Counted): number => answersOf(record).filter(({ status }) => status === 'submitted').length
const isComplete = (record: Counted): boolean => submittedOf(record) >= MIN_SUBMITTED
const none = () => ({ submitted: 0, discarded: 0, draft: 0 })

const statuses = (values: readonly string[]) => ({
  type: 'terms',
  scope: { entity: 'response', property: 'status' },
  values,
})

/** An annotator's own numbers, counted from the answers. */
const metricsOf = (records: readonly Counted[], userId: string): MyMetrics['responses'] => {
  const metrics = { total: records.length, submitted: 0, discarded: 0, draft: 0, pending: 0, left: 0 }
  for (const record of records) {
    const own = answersOf(record).find(({ user_id }) => user_id === userId)
    if (own) metrics[own.status] += 1
    else metrics.pending += 1
    if (!own && !isComplete(record)) metrics.left += 1
  }
  return metrics
}

const usersOf = (
  records: readonly Counted[],
  names: ReadonlyMap<string, string>,
): Map<string, UsersProgress['users'][number]> => {
  const users = new Map<string, UsersProgress['users'][number]>()
  for (const record of records) {
    for (const { user_id, status } of answersOf(record)) {
      const username = names.get(user_id) ?? user_id
      const user = users.get(username) ?? { username, completed: none(), pending: none() }
      user[isComplete(record) ? 'completed' : 'pending'][status] += 1
      users.set(username, user)
    }
  }
  return users
}

/** Checks that all numbers that the server reports agree with its records and answers. */
export const expectAllCounted = async (team: Team): Promise<void> => {
  const { server, dataset, people } = team
  const records: readonly Counted[] = await team.reload()
  expect(await server.recount(team.place.datasetNo)).toEqual([])

  for (const record of records)
    expect([record.id, record.status]).toEqual([record.id, isComplete(record) ? 'completed' : 'pending'])
  const completed = records.filter(isComplete)
  const counts = { total: records.length, completed: completed.length, pending: records.length - completed.length }
  const answers = {
    answers: records.reduce((sum, record) => sum + Math.min(submittedOf(record), MIN_SUBMITTED), 0),
    answers_needed: records.length * MIN_SUBMITTED,
  }
  const progress = must(await team.admin().get<DatasetProgress>(`${dataset}/progress`))
  expect(progress).toMatchObject({
    ...counts,
    surplus: completed.reduce((sum, record) => sum + submittedOf(record) - MIN_SUBMITTED, 0),
    ...answers,
  })
  const { users } = must(await team.admin().get<UsersProgress>(`${dataset}/users/progress`))
  expect(new Map(users.map((user) => [user.username, user]))).toEqual(usersOf(records, team.names))

  const languages = LANGUAGES.map((term) => ({
    term,
    count: records.filter(({ metadata }) => metadata?.['lang'] === term).length,
  }))
  const inUse = languages.filter(({ count }) => count > 0)

  for (const user of people) {
    const client = server.clientFor(user)
    const metrics = metricsOf(records, user.id)
    expect(must(await client.get<MyMetrics>(`/me${dataset}/metrics`)).responses).toEqual(metrics)
    const home = must(await client.get<Home>('/me/home'))
    expect(home.datasets.find((one) => one.dataset.id === team.place.datasetId)).toMatchObject({
      progress: { ...counts, ...answers },
      metrics,
    })
    const used = must(await client.get<MetadataMetrics>(`/metadata-properties/${team.place.language}/metrics`))
    const values = 'values' in used ? used.values.toSorted((a, b) => a.term.localeCompare(b.term)) : null
    expect(values).toEqual(inUse.toSorted((a, b) => a.term.localeCompare(b.term)))
    const totalOf = async (body: object) =>
      must(await client.post<SearchResult>(`/me${dataset}/records/search?limit=1`, body)).total
    for (const status of ['pending', 'draft', 'submitted', 'discarded'] as const)
      expect([status, await totalOf({ filters: { and: [statuses([status])] } })]).toEqual([status, metrics[status]])
    for (const word of WORDS) {
      const found = records.filter(({ fields }) => fields['text'] === word)
      expect([word, await totalOf({ query: { text: { q: word } } })]).toEqual([word, found.length])
      const submitted = found.filter((record) =>
        answersOf(record).some((one) => one.user_id === user.id && one.status === 'submitted'),
      )
      expect([word, await totalOf({ query: { text: { q: word } }, filters: { and: [statuses(['submitted'])] } })]).toEqual([
        word,
        submitted.length,
      ])
    }
    for (const lang of LANGUAGES) {
      const scope = { entity: 'metadata', metadata_property: 'lang' }
      const found = records.filter(({ metadata }) => metadata?.['lang'] === lang)
      expect([lang, await totalOf({ filters: { and: [{ type: 'terms', scope, values: [lang] }] } })]).toEqual([
        lang,
        found.length,
      ])
    }
    for (const [i, question] of QUESTIONS.entries()) {
      const suggested = { entity: 'suggestion', question, property: 'value' }
      const found = records.filter(({ suggestions }) =>
        suggestions?.some(({ question_id, value }) => question_id === team.question(i) && value === 'yes'),
      )
      expect([question, await totalOf({ filters: { and: [{ type: 'terms', scope: suggested, values: ['yes'] }] } })]).toEqual([
        question,
        found.length,
      ])
    }
  }
}
