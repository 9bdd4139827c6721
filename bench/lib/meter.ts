import type { BenchServer } from './bench-server.ts'
import type { Answer } from './http.ts'
import { percentile } from './stats.ts'

export type Meter = ReturnType<typeof createMeter>
type Kind = 'next' | 'submit'

const rounded = (value: number): number => Math.round(value * 10) / 10
const spread = (times: readonly number[]) => ({
  p50: rounded(percentile(times, 50)),
  p95: rounded(percentile(times, 95)),
  p99: rounded(percentile(times, 99)),
  max: rounded(times.reduce((most, ms) => Math.max(most, ms), 0)),
})

/** The slope of a least-squares line through points, per unit of x. 0 for fewer than two points. */
export const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [mx, my] = [mean(0), mean(1)]
  const over = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  const under = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  return under === 0 ? 0 : over / under
}

/** Collects the outcome of every request of a load test, and the memory and delays of the servers. */
export const createMeter = (servers: readonly BenchServer[]) => {
  const times: { readonly [K in Kind]: number[] } = { next: [], submit: [] }
  const faults = new Map<string, number>()
  let seen = { next: 0, submit: 0 }
  /** Pairs of the minute and the total memory of all processes in megabytes. */
  const memory: [number, number][] = []
  const delays: number[] = []
  const began = performance.now()
  const count = (): number => [...faults.values()].reduce((sum, n) => sum + n, 0)
  return {
    /** Runs a request and records its time. If it fails, records the error and returns null. */
    timed: async (kind: Kind, send: () => Promise<Answer>): Promise<Answer | null> => {
      try {
        const answer = await send()
        times[kind].push(answer.ms)
        return answer
      } catch (error) {
        const told = (error as Error).message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').slice(0, 200)
        faults.set(told, (faults.get(told) ?? 0) + 1)
        return null
      }
    },
    /** Probes the servers. @returns a line about the past minute */
    minute: async (minute: number): Promise<string> => {
      const looks = await Promise.all(servers.map((server) => server.look()))
      const megabytes = looks.reduce((sum, { rss }) => sum + rss, 0) / 2 ** 20
      memory.push([minute, megabytes])
      delays.push(Math.max(...looks.map(({ p99 }) => p99)))
      const [next, submit] = [times.next.slice(seen.next), times.submit.slice(seen.submit)]
      seen = { next: times.next.length, submit: times.submit.length }
      return `minute ${minute}: ${submit.length} answers, next p95 ${rounded(percentile(next, 95))} ms, submit p95 ${rounded(percentile(submit, 95))} ms, errors ${count()}, ${Math.round(megabytes)} MiB`
    },
    figures: () => {
      const settled = memory.slice(Math.floor(memory.length / 5))
      return {
        answers: times.submit.length,
        answers_per_second: rounded((times.submit.length / (performance.now() - began)) * 1000),
        next_ms: spread(times.next),
        submit_ms: spread(times.submit),
        errors: count(),
        faults: Object.fromEntries(faults),
        memory_mib: { first: Math.round(memory[0]?.[1] ?? 0), last: Math.round(memory.at(-1)?.[1] ?? 0) },
        memory_slope_mib_per_hour: rounded(slopeOf(settled) * 60),
        event_loop_delay_p99_ms: rounded(Math.max(...delays)),
      }
    },
  }
}
