import type { HistorySwitch } from '../lib/history-switch.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'bare' | 'ratio' | 'aim' | 'met'>
type Found = { readonly items: readonly { readonly record: { readonly responses: readonly { readonly id: string }[] } }[] }

/** Turns with and without, one after the other, so that a machine that gets slower does so for both. */
const TURNS = 4

const answersOf = async (client: Client, datasetId: string): Promise<readonly string[]> => {
  const search = {
    filters: { and: [{ type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['submitted'] }] },
  }
  const path = `/me/datasets/${datasetId}/records/search?include=responses&limit=100`
  const { items } = (await client.call('POST', path, search)).body as Found
  return items.flatMap(({ record }) => record.responses.map(({ id }) => id))
}

/** Annotators who change answers that they gave, each a write that keeps what was there before; with and without the keeping. */
export const historyLine = async (
  clients: readonly Client[],
  datasetId: string,
  values: object,
  seconds: number,
  history: HistorySwitch,
): Promise<Measured> => {
  const answers = await Promise.all(clients.map((client) => answersOf(client, datasetId)))
  let changes = 0
  const turn = async (): Promise<number> => {
    const began = performance.now()
    const end = began + (seconds * 1000) / TURNS
    let done = 0
    await Promise.all(
      clients.map(async (client, i) => {
        const own = answers[i] ?? []
        for (let at = 0; own.length > 0 && performance.now() < end; at++) {
          const body = { status: 'submitted', values: { ...values, summary: { value: `In one sentence, number ${++changes}.` } } }
          await client.call('PUT', `/responses/${own[at % own.length]}`, body)
          done++
        }
      }),
    )
    return (done / (performance.now() - began)) * 1000
  }
  const rates = { on: 0, off: 0 }
  for (let i = 0; i < TURNS; i++) {
    await history.on()
    rates.on += (await turn()) / TURNS
    await history.off()
    rates.off += (await turn()) / TURNS
  }
  await history.on()
  const ratio = rates.on / rates.off
  return {
    what: `${clients.length} annotators changing answers; bare: without history`,
    value: rates.on,
    unit: 'changes/s',
    bare: rates.off,
    ratio,
    aim: 'ratio ≥ 0.85',
    met: ratio >= 0.85,
  }
}
