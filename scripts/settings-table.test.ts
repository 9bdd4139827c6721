import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsPage, withTable } from './settings-table.ts'

const root = join(import.meta.dirname, '..')

test('docs/settings.md contains the table that the settings generate', () => {
  const page = readFileSync(settingsPage, 'utf8')
  expect(page, "run 'npx node scripts/settings-table.ts'").toBe(withTable(page))
})

test('CI runs the test command named in the README', () => {
  const ci = readFileSync(join(root, '.ci', 'run'), 'utf8')
  expect(ci).toMatch(/^exec npm test$/m)
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toMatch(/^npm test$/m)
})

test('the version is the same everywhere', async () => {
  const { VERSION } = await import('../apps/server/src/platform/version.ts')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(VERSION).toBe(version)
})
