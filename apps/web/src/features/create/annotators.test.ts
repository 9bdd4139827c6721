import type { Import, ImportFile } from '@postil/contract/files/imports.ts'
import { expect, it } from 'vitest'
import { annotatorsOf, isMapped, storedChoices, withLatePeople } from './annotators.ts'

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

it('adds people whom an earlier import of the same file found late', () => {
  const importOf = (name: string, late: string): Import => ({
    file: { id: '1', name, size: 1 },
    job: {
      id: '1',
      status: 'finished',
      done: 1,
      total: 1,
      reason: null,
      import: {
        rows: 1,
        created: 1,
        updated: 0,
        failed: 0,
        answers: {
          stored: 0,
          kept: 0,
          invalid: 0,
          left_out: 0,
          unmapped: 1,
          unmapped_annotators: [{ name: late, annotations: 7 }],
        },
      },
    },
    inserted_at: '2024-01-01T00:00:00',
  })
  const fileOf = (whole: boolean) => ({ name: 'tasks.json', contents: { ...contents, whole } })
  const imports = [importOf('tasks.json', 'zoe'), importOf('tasks.json', 'ben'), importOf('other.json', 'max')]
  const namesIn = ({ contents: found }: Pick<ImportFile, 'contents'>) => found?.annotations.map(({ name }) => name)
  expect(namesIn(withLatePeople(fileOf(false), imports))).toEqual(['ann@example.org', 'ben', 'eve', '', 'zoe'])
  expect(namesIn(withLatePeople(fileOf(true), imports))).toEqual(['ann@example.org', 'ben', 'eve', ''])
})
