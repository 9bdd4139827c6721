import type { ModelRun } from '@postil/contract/model-runs.ts'
import { startStandInModel } from '@postil/testkit/stand-in-model.ts'
import type { BenchDataset, BenchServer } from '../lib/bench-server.ts'
import type { Line } from '../lib/stats.ts'

const RECORDS = 1000
const CONCURRENCY = 16
/** How long the stand-in for the model takes to answer, in milliseconds. */
const MODEL_MS = 50
/**
 * The lowest acceptable rate of a run, as a percentage of the model's own rate. The model's own rate is measured without Postil.
 */
const AIM = 90
const POLL_MS = 50

const OPTIONS = Array.from({ length: 8 }, (_, i) => ({ value: `label-${i}`, text: `Label ${i}` }))
const QUESTION = { name: 'label', title: 'Label', required: true, settings: { type: 'label_selection', options: OPTIONS } }

const textAt = (i: number): string => `text ${i} about label-${i % 8} [[late]]`

/** How long the model takes to answer everything without Postil, in milliseconds. */
const measureModel = async (url: string): Promise<number> => {
  let next = 0
  const ask = async (): Promise<void> => {
    for (let i = next++; i < RECORDS; i = next++) {
      const body = { model: 'small', messages: [{ role: 'user', content: `Record: ${textAt(i)}` }] }
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await response.json()
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CONCURRENCY }, ask))
  return performance.now() - started
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * Measures the rate of a model run, as a percentage of the rate that the model reaches without Postil. `max` is the longest delay
 * of the event loop in milliseconds.
 */
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
      const items = Array.from({ length: 500 }, (_, j) => ({ fields: { text: textAt(i + j) } }))
      await post(`/datasets/${id}/records/bulk`, { items })
    }
    const connection = await post(`/workspaces/${workspaceId}/model-connections`, {
      name: 'bench',
      base_url: model.url,
      model: 'small',
      concurrency: CONCURRENCY,
    })
    const modelMs = await measureModel(model.url)
    const asked = model.asked.length
    await server.look()
    const run = await post(`/datasets/${id}/model-runs`, { connection_id: connection.id, name: 'bench', questions: ['label'] })
    // The clock starts at the model's first request. Before that, the server starts the job when it next polls, and loads the
    // model client.
    while (model.asked.length === asked) await pause(1)
    const started = performance.now()
    let found: ModelRun
    do {
      await pause(POLL_MS)
      found = (await owner.call('GET', `/model-runs/${run.id}`)).body as ModelRun
    } while (found.state === 'running')
    const ms = performance.now() - started
    if (found.answered !== RECORDS) throw new Error(`the run has ${found.answered} answers: ${found.reason}`)
    const { max } = await server.look()
    const value = (100 * modelMs) / ms
    const what = `model run, ${RECORDS.toLocaleString('en')} records, ${CONCURRENCY} at once, ${MODEL_MS} ms each: rate, % of the model's own`
    return { what, value, unit: '%', max, aim: `≥ ${AIM} %`, met: value >= AIM }
  } finally {
    await model.close()
  }
}
