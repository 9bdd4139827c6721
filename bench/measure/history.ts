import type { HistorySwitch } from '../lib/history-switch.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'bare' | 'ratio' | 'aim' | 'met'>
type Found = { readonly items: readonly { readonly record: { readonly responses: readonly { readonly id: string }[] } }[] }

/**
 * The number of rounds with history. The number of rounds without history is the same. The two kinds of rounds alternate, so that
 * a machine that slows down affects both.
 */
const TURNS = 4

const answersOf = async (client: Client, datasetId: string): Promise<readonly string[]> => {
  const search = {
    filters: { and: [{ type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['submitted'] }] },
  }
  const path = `/me/datasets/${datasetId}/records/search?include=responses&limit=100`
  const { items } = (await client.call('POST', path, search)).body as Found
  return items.flatMap(({ record }) => record.responses.map(({ id }) => id))
}

/** Annotators change their own answers. Each change also stores the previous version. Measured with and without history. */
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
    await history.enable()
    rates.on += (await turn()) / TURNS
    await history.disable()
    rates.off += (await turn()) / TURNS
  }
  await history.enable()
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
