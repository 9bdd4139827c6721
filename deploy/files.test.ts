import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { expect, it } from 'vitest'
import { which } from '../scripts/lib/run.mjs'

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')

it('has a valid Dockerfile', () => {
  expect(validate(read('docker/Dockerfile'))).toEqual([])
})

it.each([
  ['', '/health/ready', 0],
  ['annotate/', '/annotate/health/ready', 0],
  ['/annotate', '/health/ready', 1],
])('checks the health of the image under POSTIL_BASE_URL=%j', async (base, ready, code) => {
  const server = createServer((request, response) => response.writeHead(request.url === ready ? 200 : 404).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const check = /^HEALTHCHECK[^[]*(\[.*\])$/m.exec(read('docker/Dockerfile').replaceAll('\\\n', ''))?.[1] ?? '[]'
  const [program = '', ...args] = JSON.parse(check) as string[]
  const { port } = server.address() as AddressInfo
  const checking = spawn(program, args, { env: { ...process.env, POSTIL_PORT: `${port}`, POSTIL_BASE_URL: base } })
  expect(await once(checking, 'exit')).toEqual([code, null])
  server.close()
})

it('has a valid compose file', () => {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
  const found = linter.lintFiles([join(import.meta.dirname, 'docker', 'compose.yaml')], false)
  expect(found.flatMap(({ messages }: { readonly messages: readonly unknown[] }) => messages)).toEqual([])
})

it('copies only what the build needs into the image', () => {
  expect(read('docker/Dockerfile.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['.git', '.cache', '**/node_modules']),
  )
})

it.skipIf(which('systemd-analyze') === null)('has systemd units that are valid', () => {
  const folder = join(import.meta.dirname, 'systemd')
  const units = readdirSync(folder).map((name) => join(folder, name.replace('@.', '@6901.')))
  expect(units.length).toBeGreaterThan(1)
  const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  })
  expect([status, ...`${stdout}${stderr}`.split('\n').filter((line) => line.includes('postil'))]).toEqual([0])
})

it.each(['postil@.service', 'postil-worker.service'])('restarts %s for as long as its database is unreachable', (unit) => {
  const [before = ''] = read(`systemd/${unit}`).split('[Service]')
  expect(before).toMatch(/^StartLimitIntervalSec=0$/m)
})
