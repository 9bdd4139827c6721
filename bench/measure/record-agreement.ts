import type { DataRecord } from '../data/make-records.ts'
import type { DataSettings } from '../data/settings.ts'
import { type BenchDataset, createAnnotator, createDataset, toWireRecord, toWireValues } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { spread } from '../lib/stats.ts'

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'bare' | 'ratio' | 'aim' | 'met'>
type Server = { readonly owner: Client; readonly url: string }

/**
 * The number of measured answers of each kind: answers for which an agreement is stored, and answers for which none is stored.
 * The two kinds alternate, so that changes in the machine's speed affect both.
 */
const SUBMITS = 500

const addRecords = async (owner: Client, made: BenchDataset, sample: DataRecord, user_id: string): Promise<readonly string[]> => {
  const values = toWireValues(sample)
  const items = Array.from({ length: 2 * SUBMITS }, (_, i) => ({
    ...toWireRecord(sample, made),
    external_id: `shared-${i}`,
    ...(i % 2 === 1 && { responses: [{ user_id, status: 'draft', values }] }),
  }))
  const ids: string[] = []
  for (let at = 0; at < items.length; at += 500) {
    const { body } = await owner.call('POST', `/datasets/${made.id}/records/bulk`, { items: items.slice(at, at + 500) })
    ids.push(...(body as { items: readonly { id: string }[] }).items.map(({ id }) => id))
  }
  return ids
}

/**
 * Measures the cost of storing the agreement on a record. Two people answer each record. An agreement needs at least two answers,
 * so the cost per answer is highest with two. For comparison, the second person also answers records whose first answer is only a
 * draft. No agreement is stored for these records. Everything else is the same.
 */
export const recordAgreementLine = async (server: Server, settings: DataSettings, sample: DataRecord): Promise<Measured> => {
  const made = await createDataset(server.owner, settings, 'bench-record-agreement', 3)
  const [first, second] = [
    await createAnnotator(server, made, 'first-annotator'),
    await createAnnotator(server, made, 'second-annotator'),
  ]
  const { id } = (await first.call('GET', '/me')).body as { readonly id: string }
  const records = await addRecords(server.owner, made, sample, id)
  const payload = Buffer.from(JSON.stringify({ status: 'submitted', values: toWireValues(sample) }))
  const submit = async (client: Client, record: string) => (await client.send('POST', `/records/${record}/responses`, payload)).ms
  const times: { readonly firsts: number[]; readonly on: number[]; readonly off: number[] } = { firsts: [], on: [], off: [] }
  for (const [i, record] of records.entries()) {
    const isOn = i % 2 === 0
    const ofFirst = isOn ? await submit(first, record) : null
    const ms = await submit(second, record)
    if (i < 20) continue
    if (ofFirst !== null) times.firsts.push(ofFirst)
    times[isOn ? 'on' : 'off'].push(ms)
  }
  first.close()
  second.close()
  const { p50, p95, max } = spread(times.on)
  const ofFirst = spread(times.firsts).p50
  const bare = spread(times.off).p50
  const ratio = (ofFirst + p50) / (ofFirst + bare)
  return {
    what: 'submit a second answer; bare: without agreement; ratio: of both answers to a record',
    value: p50,
    unit: 'ms',
    p50,
    p95,
    max,
    bare,
    ratio,
    aim: 'ratio ≤ 1.05',
    met: ratio <= 1.05,
  }
}
