import { expect, test } from 'vitest'
import { isHubHost } from './hub-host.ts'

test.each([
  ['huggingface.co', true],
  ['team-postil.hf.space', true],
  ['TEAM.HF.SPACE', true],
  ['localhost', false],
  ['nothuggingface.co', false],
  ['hf.space.example.com', false],
])('%s is a host of the Hub: %s', (hostname, expected) => {
  expect(isHubHost(hostname)).toBe(expected)
})
