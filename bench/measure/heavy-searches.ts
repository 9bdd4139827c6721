import { PAGE, WORDS } from '../bare/bare.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { percentile, spread } from '../lib/stats.ts'
import { PENDING } from './reads.ts'

/** The maximum number of fuzzy words in one query. They are the most expensive kind of word. */
const FUZZY_WORDS = 32
const SEARCHES = 100
const AIM_MS = 500

const CONSONANTS = 'bcdfghklmnprstvw'
const VOWELS = 'aeiou'
const WORD_COUNT = 16 ** 3 * 5 ** 2
/**
 * Returns a word of five letters, because many words are within two edits of such a word. The first 102,400 words all differ, so
 * that no search finds another one's result in the cache.
 */
const wordOf = (n: number): string => {
  // Multiplying by a prime spreads consecutive words over all letters.
  const at = (n * 48_271) % WORD_COUNT
  return [
    CONSONANTS[at % 16],
    VOWELS[Math.floor(at / 16) % 5],
    CONSONANTS[Math.floor(at / 80) % 16],
    VOWELS[Math.floor(at / 1280) % 5],
    CONSONANTS[Math.floor(at / 6400)],
  ].join('')
}

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'aim' | 'met'>

const lineOf = (what: string, times: readonly number[]): Measured => {
  const p99 = percentile(times, 99)
  return { what, value: p99, unit: 'ms', ...spread(times), aim: `p99 < ${AIM_MS} ms`, met: p99 < AIM_MS }
}

/**
 * Measures how long one user waits while another user's clients send heavy searches. The clients repeat the most expensive search
 * that is allowed, with different words each time. The first line is for the next page of pending records. The second line is for
 * searches that nobody has made before. The third line is for the heavy searches themselves.
 */
export const heavySearchLines = async (heavy: readonly Client[], other: Client, datasetId: string): Promise<Measured[]> => {
  let isRunning = true
  let next = 0
  const durations: number[] = []
  const repeat = async (client: Client) => {
    while (isRunning) {
      const q = Array.from({ length: FUZZY_WORDS }, () => `${wordOf(next++)}~`).join(' | ')
      const body = Buffer.from(JSON.stringify({ query: { text: { q } } }))
      durations.push((await client.send('POST', `/datasets/${datasetId}/records/search?limit=${PAGE}`, body)).ms)
    }
  }
  const running = Promise.all(heavy.map(repeat))
  const search = async (body: object): Promise<number> =>
    (await other.send('POST', `/me/datasets/${datasetId}/records/search?limit=10`, Buffer.from(JSON.stringify(body)))).ms
  const pages: number[] = []
  const searches: number[] = []
  for (let i = 0; i < SEARCHES; i++) {
    pages.push(await search(PENDING))
    searches.push(await search({ query: { text: { q: `${WORDS.common} -nothing${i}` } } }))
  }
  isRunning = false
  await running
  const during = `while ${heavy.length} clients of another user send heavy searches`
  return [
    lineOf(`next page ${during}`, pages),
    lineOf(`new search ${during}`, searches),
    { what: `heavy search of ${heavy.length} clients`, value: spread(durations).p50, unit: 'ms', ...spread(durations) },
  ]
}
