import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onBothEngines } from './on-both-engines.ts'

// NOTE: a runner leaves out a file that it does not find, and says nothing of it
test('every test that is named for both engines is there', () => {
  const root = join(import.meta.dirname, '..', '..')
  expect(onBothEngines.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
