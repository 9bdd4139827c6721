import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onBothEngines, repeatedInFullRuns } from './on-both-engines.ts'

// A test runner silently skips a file that it doesn't find.
test('every test listed for both engines exists', () => {
  const root = join(import.meta.dirname, '..', '..')
  expect([...onBothEngines, ...repeatedInFullRuns].filter((path) => !existsSync(join(root, path)))).toEqual([])
})
