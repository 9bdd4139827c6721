/**
 * `npm run seed`: runs a demo instance in `.cache/seed`, with a real dataset that a team is working on and a small dataset with
 * every type of field and question. Runs until it is interrupted. A second call starts the same instance with its data.
 *
 * npm run seed -- [--port 6900] [--records 2000]
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import { dataset } from './data/packages.ts'
import { Client } from './lib/http.ts'
import { createDatasetIn, createTeam, fillPackages, fillShowcase } from './seed/fill.ts'
import { showcaseRecords, showcaseSettings } from './seed/showcase.ts'

const folder = join(import.meta.dirname, '..', '.cache', 'seed')
const secretsFile = join(folder, 'owner.json')

type Owner = { readonly password: string; readonly apiKey: string }

/** The owner's password and API key. The first call creates them; later calls reuse them. */
const ownerOf = (): { readonly owner: Owner; readonly isNew: boolean } => {
  if (existsSync(secretsFile)) return { owner: JSON.parse(readFileSync(secretsFile, 'utf8')) as Owner, isNew: false }
  const secret = (bytes: number) => randomBytes(bytes).toString('base64url')
  return { owner: { password: secret(12), apiKey: secret(32) }, isNew: true }
}

const { values: flags } = parseArgs({
  options: { port: { type: 'string', default: '6900' }, records: { type: 'string', default: '2000' } },
})
await prepare()
mkdirSync(folder, { recursive: true, mode: 0o700 })
const { owner, isNew } = ownerOf()
const server = await startServer({
  place: { dataDir: folder, databaseUrl: undefined, drop: async () => undefined },
  args: ['--port', flags.port],
  env: { POSTIL_OWNER_PASSWORD: owner.password, POSTIL_OWNER_API_KEY: owner.apiKey },
})

if (isNew) {
  console.log('Adding demo data …')
  const client = new Client(server.url, owner.apiKey, 4)
  const data = await dataset(Number(flags.records))
  const team = await createTeam(client, server.url, owner.password)
  const packages = await createDatasetIn(client, team.workspaceId, 'debian-packages', data.settings, 2)
  await fillPackages(client, packages, data, team)
  const showcase = await createDatasetIn(client, team.workspaceId, 'showcase', showcaseSettings, 1)
  await fillShowcase(client, showcase, showcaseRecords, team)
  client.close()
  writeFileSync(secretsFile, JSON.stringify(owner), { mode: 0o600 })
}

console.log(`Running at ${server.url}
Owner     owner, password ${owner.password}
API key   ${owner.apiKey}
Team      ann (admin), bob and eve (annotators), with the owner's password`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.stop().then((code) => process.exit(code ?? 1))
  })
}
