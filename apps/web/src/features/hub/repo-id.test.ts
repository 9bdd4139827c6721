import { expect, test } from 'vitest'
import { repoIdOf } from './repo-id.ts'

test.each([
  ['org/name', 'org/name'],
  ['  org/name.v2_x ', 'org/name.v2_x'],
  ['datasets/org/name', 'org/name'],
  ['org/name/', 'org/name'],
  ['https://huggingface.co/datasets/org/name', 'org/name'],
  ['https://huggingface.co/datasets/org/name/viewer/default/train?row=3', 'org/name'],
  ['http://hub.example.org/base/datasets/org/name#card', 'org/name'],
])('%s is read as %s', (text, id) => {
  expect(repoIdOf(text)).toBe(id)
})

test.each(['', 'name', 'a/b/c', '../x', 'a/..', 'org/na me', 'https://huggingface.co/org/model', 'javascript:alert(1)', '-a/b'])(
  'not an ID: %s',
  (text) => {
    expect(repoIdOf(text)).toBeNull()
  },
)
