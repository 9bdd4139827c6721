import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onBothEngines, onlyInFullRuns, repeatedInFullRuns } from './file-lists.ts'

// A test runner silently skips a file that it doesn't find.
test('every listed test exists', () => {
  const root = join(import.meta.dirname, '..', '..')
  expect([...onBothEngines, ...onlyInFullRuns, ...repeatedInFullRuns].filter((path) => !existsSync(join(root, path)))).toEqual([])
})
