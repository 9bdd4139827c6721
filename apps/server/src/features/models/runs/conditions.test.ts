import type { Condition } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import { expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { allQuestions, createRunTeam, setUpModelServer } from '../testing/run-team.ts'

const on = setUpModelServer()

const conditions: { readonly [question: string]: Condition } = {
  tags: { all: [{ question: 'topic', in: ['sport'] }] },
  stars: { all: [{ metadata: 'lang', in: ['de'] }] },
}

const createTeam = async (texts: readonly string[], langs: readonly string[]) => {
  const team = await createRunTeam(on, { texts, questions: allQuestions })
  const path = `/datasets/${team.dataset}`
  must(await team.owner.post(`${path}/metadata-properties`, { name: 'lang', title: 'lang', settings: { type: 'terms' } }))
  for (const [i, id] of team.ids.entries()) must(await team.owner.patch(`/records/${id}`, { metadata: { lang: langs[i] } }))
  for (const { id, name } of must(await team.owner.get<{ items: Question[] }>(`${path}/questions`)).items)
    if (conditions[name] !== undefined) must(await team.owner.patch(`/questions/${id}`, { shown_when: conditions[name] }))
  const askedAbout = (text: string) =>
    on.model.asked
      .filter(({ record }) => record.includes(text))
      .map(({ body }) => Object.keys(body.response_format?.json_schema.schema.properties ?? {}))
  return { ...team, askedAbout }
}

it.each([1, 3])('leaves out hidden questions, and does not ask those that metadata hides (%i samples)', async (samples) => {
  const texts = [`about sport, long ${samples}`, `about money, short ${samples}`, `about sport, odd ${samples}`]
  const team = await createTeam(texts, ['de', 'de', 'en'])
  const run = await team.ended(await team.start({ questions: ['topic', 'tags', 'stars'], samples }))
  expect(run).toMatchObject({ state: 'finished', answered: 3, failed: 0 })
  expect(texts.map((text) => team.askedAbout(text)[0])).toEqual([
    ['topic', 'tags', 'stars'],
    ['topic', 'tags', 'stars'],
    ['topic', 'tags'],
  ])
  const values = (await team.items(run)).map((item) => Object.keys(item.values ?? {}))
  expect(values).toEqual([
    ['topic', 'tags', 'stars'],
    ['topic', 'stars'],
    ['topic', 'tags'],
  ])
})

it('does not ask about a record on which all questions are hidden', async () => {
  const texts = ['only german', 'only english']
  const team = await createTeam(texts, ['de', 'en'])
  const run = await team.ended(await team.start({ questions: ['stars'] }))
  expect(run).toMatchObject({ state: 'finished', answered: 2, failed: 0 })
  expect(texts.map((text) => team.askedAbout(text).length)).toEqual([1, 0])
  expect((await team.items(run)).map((item) => Object.keys(item.values ?? {}))).toEqual([['stars'], []])
  const published = await team.publish(run)
  expect(published.job).toMatchObject({ status: 'finished' })
  expect((await team.suggestions(0)).length).toBe(1)
  expect(await team.suggestions(1)).toEqual([])
  // Whether tags are shown depends on a question that the run doesn't ask, so the model is asked about tags.
  const tags = await team.ended(await team.start({ questions: ['tags'] }))
  expect((await team.items(tags)).map((item) => Object.keys(item.values ?? {}))).toEqual([['tags'], ['tags']])
})
