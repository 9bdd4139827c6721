import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type StandInHub, startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pythonWith } from '../../scripts/lib/python.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { type RunningServer, startServer, testEngine } from '../harness/server.ts'
import { type Given, given } from './given.ts'

let hub: StandInHub
let server: RunningServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postil api '))
  hub = await startStandInHub()
  const columnData = ['id', 'review', 'sentiment', 'language'].map((name) => ({ name, data: ['one', 'two'] }))
  const files = [new Uint8Array(parquetWriteBuffer({ columnData }))]
  hub.put('ada/reviews', [{ subset: 'default', split: 'train', features: {}, files }])
  server = await startServer({
    env: { HF_ENDPOINT: hub.url, POSTIL_DATASETS_SERVER: hub.url, POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true' },
  })
})
afterAll(async () => {
  await server?.stop()
  await hub?.close()
  await rm(folder, { recursive: true, force: true })
})

const table = (parameters: { readonly [name: string]: string }): string =>
  `{ ${Object.entries(parameters)
    .map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
    .join(', ')} }`

/** What Schemathesis is told about the server beside its document. */
const configuration = ({ everywhere, ofOperations }: Given): string =>
  [
    `parameters = ${table(everywhere)}`,
    // NOTE: it would make a user of its own and be that one; the owner may do more
    'auth.auto-signup = false',
    ...Object.entries(ofOperations).map(
      ([operation, parameters]) =>
        `[[operations]]\ninclude-operation-id = ${JSON.stringify(operation)}\nparameters = ${table({ ...everywhere, ...parameters })}`,
    ),
  ].join('\n')

/** Every answer is one that the document has: its status, its content type and its body; and none is a fault of the server. */
const CHECKS = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_schema_conformance']

/** Of its phases the one that takes every boundary of every schema runs on one engine: nearly all that it sends ends before the store. */
const PHASES = { sqlite: 'examples,coverage,fuzzing', postgres: 'examples,fuzzing' } as const

/** What takes a browser or another service to be there: their own tests have it. */
const WITHOUT_DATA = [
  'GET /api/v1/datasets/{dataset_id}/files/{name}',
  'GET /api/v1/datasets/{dataset_id}/files/{name}/linked',
  'GET /api/v1/oauth2/providers/{provider}/access-token',
  'GET /api/v1/oauth2/providers/{provider}/authentication',
  'POST /api/v1/session/oauth/{provider}',
  'POST /api/v1/session/oauth/{provider}/handover',
  'GET /api/v1/jobs/{job_id}',
  'GET /api/v1/me/datasets/{dataset_id}/responses/bulk-jobs/{job_id}/report',
  'POST /api/v1/me/datasets/{dataset_id}/responses/bulk-jobs/{job_id}/undo',
  'DELETE /api/v1/me/sessions/{session_id}',
  'POST /api/v1/jobs/{job_id}/cancel',
  'POST /api/v1/records/{record_id}/history/{change_id}/restore',
  'POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
]

type Report = {
  readonly operations: { readonly total: number; readonly tested: number }
  readonly warnings: { readonly missing_test_data: readonly string[] }
}
const total = (document: string): number =>
  Object.values(JSON.parse(document).paths).flatMap((path) => Object.keys(path as object)).length

/** Thousands of requests, one after the other: a crowded machine takes its time. */
const TIMEOUT = 1_200_000

it('answers to every operation as its document says, whatever is sent', { timeout: TIMEOUT }, async () => {
  const there = await given(server)
  let document = await (await fetch(`${server.url}/api/v1/openapi.json`)).text()
  for (const [example, id] of Object.entries(there.ids)) document = document.replaceAll(example, id)
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'schemathesis.toml'), configuration(there))
  const python = process.env.POSTIL_TEST_SCHEMATHESIS ?? (await pythonWith('api-venv', 'e2e/api/requirements.txt'))
  const args = [
    ...['--config-file', join(folder, 'schemathesis.toml'), '--no-color'],
    ...['run', join(folder, 'openapi.json'), '--url', server.url],
    ...['--header', `X-Argilla-Api-Key: ${server.apiKey}`],
    // What follows links would only find what the parameters name already.
    ...['--phases', PHASES[testEngine()], '--max-examples', '3'],
    ...['--generation-deterministic', '--max-redirects', '0', '--continue-on-failure'],
    ...['--checks', CHECKS.join(',')],
    ...['--report', 'json', '--report-json-path', join(folder, 'report.json')],
  ]
  const { code, output } = await run(join(dirname(python), 'schemathesis'), args, { cwd: folder, quiet: true })
  expect(code, `${output}\n${server.printed()}`).toBe(0)
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
  expect(report).toMatchObject({
    complete: true,
    failures: [],
    errors: [],
    operations: { selected: total(document), errored: 0, skipped: 0 },
  })
  expect(report.operations.tested).toBe(report.operations.total)
  for (const operation of report.warnings.missing_test_data) expect(WITHOUT_DATA).toContain(operation)
  const { status } = await fetch(`${server.url}/api/v1/users`, { headers: { 'x-argilla-api-key': server.apiKey } })
  expect(status, 'the owner is who it was').toBe(200)
})
