import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testEngine } from '@postil/testkit/store.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import { emptyPlace, type Place } from '../harness/server.ts'

let place: Place
beforeEach(async () => {
  place = await emptyPlace()
})
afterEach(() => place.drop())

const commands: readonly (readonly string[])[] = [
  ['users', 'list'],
  ['database', 'users', 'update', 'ann', '--role', 'admin'],
  ['workspaces', 'list'],
  ['export', 'reviews'],
  ['import', 'rows.csv', '--dataset', 'reviews'],
  ['doctor'],
  ...(testEngine() === 'sqlite' ? [['database', 'compact']] : []),
]

test('no command upgrades a store of an older version', async () => {
  expect(await postil(place, ['database', 'migrate', '--revision', '0025-failed-sign-ins'])).toMatchObject({ code: 0 })
  writeFileSync(join(place.dataDir, 'rows.csv'), 'text\none\n')
  const revisions = () => postil(place, ['database', 'revisions'])
  const before = await revisions()
  expect(before.stdout).toContain('not applied')
  for (const args of commands) {
    const { code, stdout, stderr } = await postil(place, args)
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(stderr).toMatch(/^The database was last used by an older version of Postil \(0025-failed-sign-ins\), .*\n$/)
  }
  const { stdout } = await postil(place, ['users', 'list', '--json'])
  expect(JSON.parse(stdout)).toEqual({ ok: false, problem: expect.stringContaining('an older version') })
  expect(await revisions()).toEqual(before)
  expect(await postil(place, ['database', 'migrate'])).toMatchObject({ code: 0 })
  expect(await postil(place, ['users', 'list'])).toMatchObject({ code: 0, stdout: 'There are no users.\n' })
})

test.runIf(testEngine() === 'postgres')('a database without Postil data does not pass the doctor', async () => {
  const revisions = () => postil(place, ['database', 'revisions'])
  const before = await revisions()
  const expected = { code: 1, stderr: expect.stringContaining('The database contains no Postil data.') }
  expect(await postil(place, ['doctor'])).toMatchObject(expected)
  expect(await revisions()).toEqual(before)
})
