import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'postil folder '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('creates a folder and its parents for this user only, and keeps an existing folder', () => {
  const path = join(folder, 'a', 'b')
  makeFolder(path)
  makeFolder(path)
  for (const made of [path, join(folder, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700)
})

it("reports a folder that can't be created", () => {
  writeFileSync(join(folder, 'file'), '')
  const below = join(folder, 'file', 'folder')
  expect(() => makeFolder(below)).toThrow(`Cannot create the folder ${below}: `)
  if (existsSync('/proc/self'))
    expect(() => makeFolder('/proc/postil/data')).toThrow('Cannot create the folder /proc/postil/data: ')
})
