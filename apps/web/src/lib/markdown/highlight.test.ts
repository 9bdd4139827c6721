import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

test('code gets its colours, and that of a language nobody knows none', () => {
  expect(highlight('const a = 1\n'.repeat(1000), 'typescript')).toContain('hljs-keyword')
  expect(highlight('const a = 1', 'nothing')).toBeNull()
})

test.each([
  ['a word', 'java', '$'.repeat(19_000)],
  ['a line', 'csharp', 'import '.repeat(2700)],
  ['a gap', 'ruby', '\n'.repeat(19_000)],
  ['code', 'java', 'int a = 1;\n'.repeat(2000)],
])('%s without end is left plain: its colours would hold up the page', (_, language, code) => {
  const began = performance.now()
  expect(highlight(code, language)).toBeNull()
  expect(performance.now() - began).toBeLessThan(1000)
})
