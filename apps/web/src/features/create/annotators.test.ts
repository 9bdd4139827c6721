import { expect, it } from 'vitest'
import { annotatorsOf, isMapped, storedChoices } from './annotators.ts'

const person = (id: string, username: string) => ({ id, username, first_name: username, last_name: null })
const people = [person('1', 'ann'), person('2', 'ben')]
const contents = {
  rows: 1,
  whole: true,
  annotators: 3,
  annotations: ['ann@example.org', 'ben', 'eve', ''].map((name) => ({ name, annotations: 1 })),
  left_out: [],
}

it('proposes answers of the users whose names match, and suggestions for others', () => {
  const annotators = annotatorsOf({ contents }, {}, people)
  expect(annotators).toEqual([
    { name: 'ann@example.org', as: 'answers', user_id: '1' },
    { name: 'ben', as: 'answers', user_id: '2' },
    { name: 'eve', as: 'suggestions' },
    { name: '', as: 'suggestions' },
  ])
  expect([isMapped(annotators), isMapped(annotatorsOf({ contents }, {}, []))]).toEqual([true, false])
})

it('keeps choices, except of people who are no longer there, and reads them from a stored mapping', () => {
  const choices = { ben: 'nothing', eve: 'user:1', '': 'user:9' } as const
  const annotators = annotatorsOf({ contents }, choices, people)
  expect(annotators.slice(1)).toEqual([
    { name: 'ben', as: 'nothing' },
    { name: 'eve', as: 'answers', user_id: '1' },
    { name: '', as: 'suggestions' },
  ])
  expect(annotatorsOf({ contents }, storedChoices({ annotators }), people)).toEqual(annotators)
  expect(storedChoices({ annotators: [null, { name: 1 }, { name: 'x', as: 'answers' }] })).toEqual({})
})
