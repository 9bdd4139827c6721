import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'

const streamOf = (isTTY: boolean) => {
  const written: string[] = []
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) > 0 }
  return { written, stream: stream as unknown as NodeJS.WriteStream }
}
const amount = (n: number) => `${n} rows`

it('redraws a progress bar on one terminal line', () => {
  const { written, stream } = streamOf(true)
  const progress = createProgress(stream, { amount })
  progress.report('rows.csv', 0, 200)
  progress.report('rows.csv', 200, 200)
  progress.end()
  progress.end()
  expect(written).toEqual([
    '\r\u001b[2Krows.csv [........................] 0%, 0 rows of 200 rows',
    '\r\u001b[2Krows.csv [########################] 100%, 200 rows of 200 rows',
    '\n',
  ])
})

it('shows only the current amount when the total is unknown', () => {
  const { written, stream } = streamOf(true)
  createProgress(stream, { amount }).report('out.jsonl', 7, null)
  expect(written).toEqual(['\r\u001b[2Kout.jsonl 7 rows'])
})

it('writes nothing without a terminal, except a line as each step begins', () => {
  const { written, stream } = streamOf(false)
  const lines: string[] = []
  const progress = createProgress(stream, { amount, begins: (line) => void lines.push(line) })
  for (const done of [0, 1, 2]) progress.report('one', done, 2)
  progress.report('two', 0, null)
  progress.end()
  expect(written).toEqual([])
  expect(lines).toEqual(['one: [........................] 0%, 0 rows of 2 rows', 'two: 0 rows'])
})
