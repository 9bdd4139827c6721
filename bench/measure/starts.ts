import type { Engine, Place } from '../../e2e/harness/server.ts'
import { emptyPlace, startServer } from '../../e2e/harness/server.ts'
import type { Line } from '../lib/stats.ts'
import { spread } from '../lib/stats.ts'

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'aim' | 'met'>

const TIMES = 5

const startTime = async (place: Place): Promise<number> => {
  const began = performance.now()
  const server = await startServer({ place })
  const answer = await fetch(`${server.url}/api/v1/version`)
  await answer.text()
  const ms = performance.now() - began
  await server.stop()
  return ms
}

const line = (what: string, times: readonly number[], aim: number): Measured => {
  const { p50, p95, max } = spread(times)
  return { what, value: p50, unit: 'ms', p50, p95, max, aim: `< ${aim} ms`, met: p50 < aim }
}

/** Measures how long a server takes to start. Measures first starts on an empty database and later starts on this run's data. */
export const startLines = async (engine: Engine, existing: Place): Promise<Measured[]> => {
  const first: number[] = []
  const again: number[] = []
  for (let i = 0; i < TIMES; i++) {
    const place = await emptyPlace(engine)
    first.push(await startTime(place))
    await place.drop()
    again.push(await startTime(existing))
  }
  return [
    line('first start, until the first response', first, 1500),
    line('start on existing data, until the first response', again, 800),
  ]
}
