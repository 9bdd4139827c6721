import type { ModelRun } from '@postil/contract/model-runs.ts'
import { startStandInModel } from '@postil/testkit/stand-in-model.ts'
import type { BenchDataset, BenchServer } from '../lib/bench-server.ts'
import type { Line } from '../lib/stats.ts'

const RECORDS = 1000
const CONCURRENCY = 16
/** How long the stand-in takes to answer, in milliseconds. */
const MODEL_MS = 50
/** The longest time that a run may take, as a multiple of the time that the model needs for its answers. */
const AIM = 2
const POLL_MS = 20

const OPTIONS = Array.from({ length: 8 }, (_, i) => ({ value: `label-${i}`, text: `Label ${i}` }))
const QUESTION = { name: 'label', title: 'Label', required: true, settings: { type: 'label_selection', options: OPTIONS } }

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** How long a run takes, as a multiple of the time that the model needs. `max` is the longest delay of the event loop in ms. */
export const modelRunLine = async (
  server: BenchServer,
  { workspaceId }: BenchDataset,
): Promise<Pick<Line, 'what' | 'value' | 'unit' | 'max' | 'aim' | 'met'>> => {
  const { owner } = server
  const model = await startStandInModel()
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as { readonly id: string }
  try {
    const { id } = await post('/datasets', { name: 'bench-models', workspace_id: workspaceId })
    await post(`/datasets/${id}/fields`, { name: 'text', title: 'Text', required: true, settings: { type: 'text' } })
    await post(`/datasets/${id}/questions`, QUESTION)
    await owner.call('PUT', `/datasets/${id}/publish`)
    for (let i = 0; i < RECORDS; i += 500) {
      const items = Array.from({ length: 500 }, (_, j) => ({ fields: { text: `text ${i + j} about label-${j % 8} [[late]]` } }))
      await post(`/datasets/${id}/records/bulk`, { items })
    }
    const connection = await post(`/workspaces/${workspaceId}/model-connections`, {
      name: 'bench',
      base_url: model.url,
      model: 'small',
      concurrency: CONCURRENCY,
    })
    await server.look()
    const started = performance.now()
    const run = await post(`/datasets/${id}/model-runs`, { connection_id: connection.id, name: 'bench', questions: ['label'] })
    let found: ModelRun
    do {
      await pause(POLL_MS)
      found = (await owner.call('GET', `/model-runs/${run.id}`)).body as ModelRun
    } while (found.state === 'running')
    const ms = performance.now() - started
    if (found.answered !== RECORDS) throw new Error(`the run has ${found.answered} answers: ${found.reason}`)
    const { max } = await server.look()
    const value = ms / ((RECORDS / CONCURRENCY) * MODEL_MS)
    const what = `model run, ${RECORDS.toLocaleString('en')} records, ${CONCURRENCY} at once, ${MODEL_MS} ms each: time, × of the model's`
    return { what, value, unit: '×', max, aim: `< ${AIM} ×`, met: value < AIM }
  } finally {
    await model.close()
  }
}
