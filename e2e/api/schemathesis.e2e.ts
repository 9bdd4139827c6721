import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isFullRun, scaled } from '@postil/testkit/run-size.ts'
import { type StandInHub, startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { preparePythonVenv } from '../../scripts/lib/python.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { type RunningServer, startServer, testEngine } from '../harness/server.ts'
import { type SeededApi, seedApi } from './fixtures.ts'

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

/** Returns the content of Schemathesis's configuration file, which sets the values of request parameters. */
const configuration = ({ everywhere, ofOperations }: SeededApi): string =>
  [
    `parameters = ${table(everywhere)}`,
    // Schemathesis would otherwise create a user and act as that user. The owner has more permissions.
    'auth.auto-signup = false',
    ...Object.entries(ofOperations).map(
      ([operation, parameters]) =>
        `[[operations]]\ninclude-operation-id = ${JSON.stringify(operation)}\nparameters = ${table({ ...everywhere, ...parameters })}`,
    ),
  ].join('\n')

const CHECKS = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_schema_conformance']

/**
 * The coverage phase tests every schema boundary, which takes seconds per operation. Only full runs include it, on one engine,
 * because almost none of its requests get as far as the database. The server's own tests of limits and refusals send such bodies to
 * every operation.
 */
const phases = isFullRun && testEngine() === 'sqlite' ? 'examples,coverage,fuzzing' : 'examples,fuzzing'

/** Operations that need a browser or another service. They have their own tests. */
const WITHOUT_DATA = [
  'GET /api/v1/datasets/{dataset_id}/files/{name}',
  'GET /api/v1/datasets/{dataset_id}/files/{name}/linked',
  'GET /api/v1/oauth2/providers/{provider}/access-token',
  'GET /api/v1/oauth2/providers/{provider}/authentication',
  'POST /api/v1/session/oauth/{provider}',
  'POST /api/v1/session/oauth/{provider}/handover',
  'GET /api/v1/jobs/{job_id}',
  'POST /api/v1/datasets/{dataset_id}/traces',
  'GET /api/v1/me/datasets/{dataset_id}/responses/bulk-jobs/{job_id}/report',
  'POST /api/v1/me/datasets/{dataset_id}/responses/bulk-jobs/{job_id}/undo',
  'POST /api/v1/datasets/{dataset_id}/assignments/{job_id}/undo',
  'POST /api/v1/datasets/{dataset_id}/gold/jobs/{job_id}/undo',
  'POST /api/v1/datasets/{dataset_id}/answers/jobs/{job_id}/undo',
  'POST /api/v1/datasets/{dataset_id}/checks/{user_id}/continue',
  'GET /api/v1/datasets/{dataset_id}/notes',
  'PATCH /api/v1/datasets/{dataset_id}/snapshots/{snapshot_id}',
  'DELETE /api/v1/datasets/{dataset_id}/snapshots/{snapshot_id}',
  'POST /api/v1/me/datasets/{dataset_id}/notes/label',
  'GET /api/v1/datasets/{dataset_id}/schema-versions/{version_no}/diff',
  'POST /api/v1/datasets/{dataset_id}/schema/apply',
  'POST /api/v1/datasets/{dataset_id}/schema/{version_no}/revert',
  'POST /api/v1/datasets/{dataset_id}/schema/{version_no}/resume',
  'POST /api/v1/me/imports/files/{file_id}/read-as',
  'POST /api/v1/me/imports/files/{file_id}/reading',
  'DELETE /api/v1/me/sessions/{session_id}',
  'POST /api/v1/jobs/{job_id}/cancel',
  'POST /api/v1/records/{record_id}/history/{change_id}/restore',
  'POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
  'PATCH /api/v1/model-connections/{connection_id}',
  'DELETE /api/v1/model-connections/{connection_id}',
  'POST /api/v1/model-connections/{connection_id}/check',
  'GET /api/v1/model-runs/{run_id}',
  'DELETE /api/v1/model-runs/{run_id}',
  'GET /api/v1/model-runs/{run_id}/items',
  'GET /api/v1/model-runs/{run_id}/alignment',
  'GET /api/v1/model-runs/{run_id}/disagreements',
  'POST /api/v1/model-runs/{run_id}/resume',
  'POST /api/v1/model-runs/{run_id}/publish',
  'POST /api/v1/model-runs/{run_id}/unpublish',
  // Schemathesis makes up the ID of the answer that a comment is about. No such answer exists.
  'POST /api/v1/records/{record_id}/comments',
]

type Report = {
  readonly operations: { readonly total: number; readonly tested: number }
  readonly warnings: { readonly missing_test_data: readonly string[] }
}
const total = (document: string): number =>
  Object.values(JSON.parse(document).paths).flatMap((path) => Object.keys(path as object)).length

/** Timeout in milliseconds: thousands of sequential requests are slow on a busy machine. */
const TIMEOUT = 1_200_000

it('responds to every operation as documented, whatever is sent', { timeout: TIMEOUT }, async () => {
  const there = await seedApi(server)
  let document = await (await fetch(`${server.url}/api/v1/openapi.json`)).text()
  for (const [example, id] of Object.entries(there.ids)) document = document.replaceAll(example, id)
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'schemathesis.toml'), configuration(there))
  const python = process.env.POSTIL_TEST_SCHEMATHESIS ?? (await preparePythonVenv('api-venv', 'e2e/api/requirements.txt'))
  const args = [
    ...['--config-file', join(folder, 'schemathesis.toml'), '--no-color'],
    ...['run', join(folder, 'openapi.json'), '--url', server.url],
    ...['--header', `X-Argilla-Api-Key: ${server.apiKey}`],
    // Omits the phase that follows links between operations. The configured parameters already contain everything that this phase
    // would find.
    ...['--phases', phases, '--max-examples', String(scaled(1, 3))],
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
  expect(report.warnings.missing_test_data.filter((operation) => !WITHOUT_DATA.includes(operation))).toEqual([])
  const { status } = await fetch(`${server.url}/api/v1/users`, { headers: { 'x-argilla-api-key': server.apiKey } })
  expect(status, 'the owner is who it was').toBe(200)
})
