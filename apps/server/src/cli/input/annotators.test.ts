import type { ForeignContents } from '@postil/contract/files/foreign-formats.ts'
import { expect, it } from 'vitest'
import { CommandError } from '../command.ts'
import { chooseAnnotators, wantedAnnotators } from './annotators.ts'

const person = (username: string) => ({ id: `id of ${username}`, username, first_name: username, last_name: null })
const people = [person('ann'), person('ben')]
const contentsOf = (whole: boolean): ForeignContents => ({
  rows: 10,
  whole,
  annotators: 1,
  annotations: [{ name: 'ann@example.org', annotations: 10 }],
  left_out: [],
})

it('can name people whose annotations appear after the rows that were read, but not people who are not in the file', () => {
  const wanted = wantedAnnotators(undefined, 'zoe=ben')
  expect(chooseAnnotators(wanted, contentsOf(false), people)).toEqual([
    { name: 'ann@example.org', as: 'answers', user_id: 'id of ann' },
    { name: 'zoe', as: 'answers', user_id: 'id of ben' },
  ])
  expect(() => chooseAnnotators(wanted, contentsOf(true), people)).toThrow(CommandError)
})
