import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTable } from './settings-table.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the table of settings in the README is the one that the settings make', () => {
  expect(readme, "run 'npx node scripts/settings-table.ts'").toBe(withTable(readme))
})

test('CI calls exactly the test command that the README names', () => {
  const ci = readFileSync(join(root, '.ci', 'run'), 'utf8')
  expect(ci).toMatch(/^exec npm test$/m)
  expect(readme).toMatch(/^npm test$/m)
})

test('the version is the same everywhere', async () => {
  const { VERSION } = await import('../apps/server/src/platform/version.ts')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(VERSION).toBe(version)
})
