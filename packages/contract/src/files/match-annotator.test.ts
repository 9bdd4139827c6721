import { expect, test } from 'vitest'
import { matchAnnotator } from './match-annotator.ts'

const people = [
  { username: 'ana', first_name: 'Ana', last_name: 'Gil' },
  { username: 'ben@example.org', first_name: 'Ben', last_name: null },
  { username: 'ben', first_name: 'Benjamin', last_name: 'Roth' },
  { username: 'eva@example.org', first_name: 'Eva', last_name: 'Gil' },
  { username: 'eva@example.com', first_name: 'Eva', last_name: 'Gil' },
]

test.each([
  ['Ana', 'ana'],
  ['ana@example.org', 'ana'],
  ['ben@example.org', 'ben@example.org'],
  ['Benjamin Roth', 'ben'],
  ['ner_news-ana', 'ana'],
  ['eva', null],
  ['Ben', 'ben'],
  ['user 1', null],
  ['', null],
])('matches %s to %s', (name, username) => {
  expect(matchAnnotator(name, people)?.username ?? null).toBe(username)
})
