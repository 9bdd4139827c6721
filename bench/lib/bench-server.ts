import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, Place, RunningServer } from '../../e2e/harness/server.ts'
import { OWNER, startServer } from '../../e2e/harness/server.ts'
import type { DataRecord } from '../data/make-records.ts'
import type { DataSettings } from '../data/settings.ts'
import { Client } from './http.ts'

const program = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')
/** The Node.js flags that `npm start` also uses. They limit the size of V8's young generation. */
const nodeFlags = ['--max-semi-space-size=8']
const probe = join(import.meta.dirname, 'loop-delay.mjs')

export type Probe = { readonly p50: number; readonly p99: number; readonly max: number; readonly rss: number }

export type BenchServer = RunningServer & {
  readonly owner: Client
  /** Event loop delay since the last call (ms), and the current memory of the process (bytes). */
  readonly look: () => Promise<Probe>
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Starts a server whose event loop and memory can be measured. */
export const startBenchServer = async (
  engine: Engine,
  place?: Place,
  more: { readonly [name: string]: string } = {},
): Promise<BenchServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'postil bench '))
  const file = join(folder, 'probe')
  const server = await startServer({
    engine,
    ...(place && { place }),
    env: { POSTIL_BENCH_PROBE: file, ...more },
    program: [process.execPath, ...nodeFlags, '--import', probe, program],
  })
  const lines = () => {
    try {
      // The last line may be incomplete.
      return readFileSync(file, 'utf8').split('\n').slice(0, -1)
    } catch {
      return []
    }
  }
  return {
    ...server,
    owner: new Client(server.url, OWNER.apiKey),
    look: async () => {
      const before = lines().length
      process.kill(server.pid, 'SIGUSR2')
      while (lines().length === before) await pause(5)
      return JSON.parse(lines().at(-1) ?? '') as Probe
    },
    stop: async () => {
      const code = await server.stop()
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  }
}

type Named = { readonly id: string; readonly name: string }

export type BenchDataset = {
  readonly id: string
  readonly workspaceId: string
  /** IDs of questions by name. */
  readonly questions: ReadonlyMap<string, string>
}

/**
 * Adds fields, questions, metadata properties and vectors to a dataset, and publishes it. @returns the IDs of the questions,
 * keyed by question name
 */
export const addSettings = async (owner: Client, id: string, settings: DataSettings): Promise<ReadonlyMap<string, string>> => {
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as Named
  for (const field of settings.fields) await post(`/datasets/${id}/fields`, field)
  const questions = new Map<string, string>()
  for (const question of settings.questions) questions.set(question.name, (await post(`/datasets/${id}/questions`, question)).id)
  for (const property of settings.metadata) await post(`/datasets/${id}/metadata-properties`, property)
  for (const vector of settings.vectors) await post(`/datasets/${id}/vectors-settings`, vector)
  await owner.call('PUT', `/datasets/${id}/publish`)
  return questions
}

export const createDataset = async (
  owner: Client,
  settings: DataSettings,
  name: string,
  minSubmitted: number,
): Promise<BenchDataset> => {
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as Named
  const { items } = (await owner.call('GET', '/me/workspaces')).body as { items: Named[] }
  const workspaceId = items[0]?.id ?? ''
  const distribution = { strategy: 'overlap', min_submitted: minSubmitted }
  const { guidelines } = settings
  const { id } = await post('/datasets', { name, workspace_id: workspaceId, guidelines, distribution })
  const questions = await addSettings(owner, id, settings)
  return { id, workspaceId, questions }
}

export const toWireRecord = (
  { external_id, fields, metadata, suggestions, vectors }: DataRecord,
  { questions }: BenchDataset,
) => ({
  external_id,
  fields,
  metadata,
  vectors,
  suggestions: suggestions.map(({ question, ...rest }) => ({ ...rest, question_id: questions.get(question) })),
})

/**
 * A careful annotator's answer, as sent to the server. Its span fits every text, so that the answer can be used for all
 * records.
 */
export const toWireValues = ({ answer }: DataRecord) => {
  const fitting = { ...answer, mentions: [{ label: 'program', start: 0, end: 1 }] }
  return Object.fromEntries(Object.entries(fitting).map(([name, value]) => [name, { value }]))
}

/**
 * Creates an annotator in the dataset's workspace. @param url the server that the annotator's client uses: this server, or
 * another one on the same database
 */
export const createAnnotator = async (
  server: Pick<BenchServer, 'owner' | 'url'>,
  { workspaceId }: BenchDataset,
  username: string,
  url = server.url,
): Promise<Client> => {
  const body = { username, first_name: username, role: 'annotator', password: 'a long password' }
  const user = (await server.owner.call('POST', '/users', body)).body as { id: string; api_key: string }
  await server.owner.call('POST', `/workspaces/${workspaceId}/users`, { user_id: user.id })
  return new Client(url, user.api_key)
}
