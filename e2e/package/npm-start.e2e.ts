import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const home = mkdtempSync(join(tmpdir(), 'postil fresh start '))
const clone = join(home, 'a clone')
const READY = /Postil is ready at (\S+)\s/

/** Copies the files that a clone would contain: all files that are or could be committed, in their current state. */
const copyRepository = () => {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  for (const file of list.split('\0').filter(Boolean)) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false })
    if (!stat?.isFile()) continue
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
}

/** Runs a command line in a shell, in the copied repository. When the server is ready, sends SIGTERM to the process group. */
const typed = (
  shell: string,
  line: string,
  env: { [name: string]: string },
): Promise<{ code: number | null; output: string; health: number }> =>
  new Promise((done, fail) => {
    const clean = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(OPTIONS|ENV)$|VITEST|POSTIL_)/.test(name))
    const child = spawn(shell, ['-c', line], {
      cwd: clone,
      env: { ...Object.fromEntries(clean), POSTIL_DATA_DIR: join(home, 'the data'), PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let health = 0
    const take = (chunk: string) => {
      const before = READY.test(output)
      output += chunk
      const url = READY.exec(output)?.[1]
      if (before || url === undefined) return
      void fetch(`${url}api/v1/status`).then((answer) => {
        health = answer.status
        process.kill(-(child.pid ?? 0), 'SIGTERM')
      }, fail)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.on('error', fail)
    child.on('close', (code) => done({ code, output, health }))
  })

beforeAll(copyRepository)
afterAll(() => rmSync(home, { recursive: true, force: true }))

detail('the first npm start installs, builds, creates an owner and starts, and the second rebuilds nothing', async () => {
  const first = await typed('sh', 'npm start', {})
  expect(first.output).toMatch(READY)
  expect(first.health).toBe(200)
  expect(first.output).toMatch(/Installing dependencies/)
  expect(first.output).toMatch(/Building the web app/)
  expect(first.output).toMatch(/Owner +owner\n/)
  expect(first.output).toMatch(/Password +\S{12,}\n/)
  expect(first.output).toMatch(/API key +\S{20,}\n/)
  expect(first.output).toMatch(/Sign in +http\S+\n/)

  const second = await typed('sh', 'npm start -- --port 0', { PORT: '1' })
  expect(second.health).toBe(200)
  expect(second.output).not.toMatch(/Installing|Building|Password|API key|Sign in/)
})

test('a Node.js version too old to install is refused with one sentence', async () => {
  const fake = join(home, 'old-node.cjs')
  writeFileSync(fake, "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })\n")
  const failed = await typed('sh', `node --require '${fake}' scripts/prestart.cjs`, {})
  expect(failed).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Postil needs Node\.js 20\.19 or newer .* 18\.20\.4\. .*\n$/),
  })
})
