import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from '../../scripts/pack.mjs'
import { emptyPlace, OWNER, startServer } from '../harness/server.ts'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'postil installed '))
const launcher = join(home, 'node_modules', '.bin', 'postil')

beforeAll(async () => {
  const tarball = await pack()
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], { cwd: home })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

test('the package contains the page and no sources', () => {
  const files = execFileSync('find', [join(home, 'node_modules', 'postil'), '-type', 'f'], { encoding: 'utf8' })
  expect(files).not.toMatch(/\.tsx?$/m)
  expect(files).toMatch(/dist\/page\/index\.html$/m)
  expect(files).toMatch(/NOTICES\.txt$/m)
})

test('the installed package starts, serves the page, answers the API and stops cleanly', async () => {
  const place = await emptyPlace('sqlite')
  const server = await startServer({ place, program: [process.execPath, launcher] })
  try {
    const page = await fetch(`${server.url}/sign-in`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<script')
    const me = await fetch(`${server.url}/api/v1/me`, { headers: { 'X-Argilla-Api-Key': server.apiKey } })
    expect(await me.json()).toMatchObject({ username: OWNER.username, role: 'owner' })
    expect(existsSync(join(place.dataDir, 'postil.db'))).toBe(true)
  } finally {
    expect(await server.stop()).toBe(0)
    await place.drop()
  }
})

test('an older Node.js version is refused with one sentence', async () => {
  const fake = join(home, 'old-node.cjs')
  mkdirSync(join(home, 'data'))
  writeFileSync(fake, "Object.defineProperty(process.versions, 'node', { value: '22.1.0' })\n")
  const failed = await run(process.execPath, ['--require', fake, launcher, 'start']).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 1, stderr: 'Postil needs Node.js 24 or newer, but this is Node.js 22.1.0.\n' })
})
